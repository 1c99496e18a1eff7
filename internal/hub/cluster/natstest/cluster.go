package natstest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Cluster is some servers.
type Cluster struct {
	Nodes []*Node
	t     testing.TB
	links [][]*Link // from a node to another
}

// Node is one server, a process. Its state survives that it is killed.
type Node struct {
	t      testing.TB
	binary string
	env    []string
	config string
	client string
	log    *os.File
	cmd    *exec.Cmd
}

// Start starts servers of a binary that Build made. Each one's environment has what
// env gives for it, for a clock of its own.
func Start(tb testing.TB, binary string, n int, env func(node int) []string) *Cluster {
	tb.Helper()
	dir := tb.TempDir()
	c := &Cluster{t: tb, links: make([][]*Link, n)}
	clients, routes := FreeAddrs(tb, n), FreeAddrs(tb, n)
	for i := range n {
		c.links[i] = make([]*Link, n)
		var to []string
		for j := range n {
			if i != j {
				c.links[i][j] = NewLink(tb, routes[j])
				to = append(to, fmt.Sprintf("%q", "nats://"+c.links[i][j].Addr()))
			}
		}
		config := filepath.Join(dir, fmt.Sprintf("n%d.conf", i))
		// The address that others are told leads nowhere: so all routes are over links.
		text := fmt.Sprintf(`server_name: n%d
listen: %q
jetstream { store_dir: %q, max_mem: 64MB, max_file: 1GB, sync_interval: always }
ping_interval: "1s"
ping_max: 2
cluster { name: c, listen: %q, cluster_advertise: "127.0.0.1:9", no_advertise: true, pool_size: -1, ping_interval: "1s", routes: [%s] }
`, i, clients[i], filepath.Join(dir, fmt.Sprintf("n%d", i)), routes[i], strings.Join(to, ", "))
		if n == 1 {
			text, _, _ = strings.Cut(text, "cluster {")
		}
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		node := &Node{t: tb, binary: binary, config: config, client: clients[i]}
		if env != nil {
			node.env = env(i)
		}
		log, err := os.OpenFile(config+".log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600) //nolint:gosec // a test's own folder
		if err != nil {
			tb.Fatal(err)
		}
		node.log = log
		c.Nodes = append(c.Nodes, node)
		tb.Cleanup(func() {
			node.Kill()
			if text, err := os.ReadFile(log.Name()); tb.Failed() && err == nil {
				tb.Logf("server %d:\n%s", i, text[max(0, len(text)-tail):])
			}
		})
	}
	for _, node := range c.Nodes {
		node.Start()
	}
	return c
}

// tail is how much of a server's log is shown when a test fails, in bytes.
const tail = 4000

// FreeAddrs returns n loopback addresses that nobody listens on. They are below the ports
// that Linux gives to connections: a server that is killed finds its own free again.
func FreeAddrs(tb testing.TB, n int) []string {
	tb.Helper()
	const first, span = 20000, 10000
	var addrs []string
	for range 1000 {
		if len(addrs) == n {
			return addrs
		}
		var lc net.ListenConfig
		l, err := lc.Listen(tb.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(span)))) //nolint:gosec // any port will do
		if err != nil {
			continue // Somebody has it.
		}
		defer l.Close() //nolint:errcheck // the test's own listener
		addrs = append(addrs, l.Addr().String())
	}
	tb.Fatal("no free ports")
	return nil
}

// Addr returns the host and port for clients.
func (n *Node) Addr() string { return n.client }

// Start starts the server.
func (n *Node) Start() {
	cmd := exec.CommandContext(context.Background(), n.binary, "-c", n.config) //nolint:gosec // a test's own binary
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, n.env...)
	cmd.Stdout, cmd.Stderr = n.log, n.log
	if err := cmd.Start(); err != nil {
		n.t.Error(err)
		return
	}
	n.cmd = cmd
}

// Kill kills the server with SIGKILL, if it runs.
func (n *Node) Kill() {
	if n.cmd == nil {
		return
	}
	_ = n.cmd.Process.Kill() // It may have ended.
	_ = n.cmd.Wait()         // It was killed.
	n.cmd = nil
}

// Signal sends a signal to the server.
func (n *Node) Signal(s os.Signal) {
	if err := n.cmd.Process.Signal(s); err != nil {
		n.t.Error(err)
	}
}

// Isolate cuts a node off from the others, with connections that are closed or that
// carry nothing more.
func (c *Cluster) Isolate(node int, holes bool) {
	for _, l := range c.around(node) {
		if holes {
			l.Hole()
		} else {
			l.Cut()
		}
	}
}

// Heal undoes Isolate.
func (c *Cluster) Heal(node int) {
	for _, l := range c.around(node) {
		l.Heal()
	}
}

// Slow delays what goes between a node and the others.
func (c *Cluster) Slow(node int, d time.Duration) {
	for _, l := range c.around(node) {
		l.Slow(d)
	}
}

func (c *Cluster) around(node int) []*Link {
	var all []*Link
	for other := range c.Nodes {
		if other != node {
			all = append(all, c.links[node][other], c.links[other][node])
		}
	}
	return all
}
