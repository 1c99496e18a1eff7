//go:build linux

package prove

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// prefix tells the secrets of this process from those of another that runs at
// the same time.
func prefix() string { return fmt.Sprintf("4242%07d", os.Getpid()) }

// secret returns a number that no other run uses.
func secret() string {
	return fmt.Sprintf("%s%08d", prefix(), rand.Int64N(1e8))
}

func upTo(d time.Duration) time.Duration { return rand.N(d) }

// tally collects the outcome of many runs.
type tally struct {
	good, runs int
	took       []time.Duration
}

func (c *tally) add(ok bool, took time.Duration) {
	c.runs++
	if ok {
		c.good++
	}
	c.took = append(c.took, took)
}

func (c *tally) print(t *testing.T, what string) {
	t.Helper()
	slices.Sort(c.took)
	at := func(q float64) time.Duration {
		if len(c.took) == 0 {
			return 0
		}
		return c.took[min(int(q*float64(len(c.took))), len(c.took)-1)].Round(time.Millisecond)
	}
	t.Logf("%-44s %d of %d   p50 %v p99 %v max %v", what, c.good, c.runs, at(.5), at(.99), at(1))
	if c.good != c.runs {
		t.Errorf("%s: %d of %d", what, c.good, c.runs)
	}
}

// gone returns when the secret has left the clipboard, at most after limit.
func (d *desk) gone(secret string, limit time.Duration) (time.Duration, bool) {
	start := time.Now() //nolint:forbidigo // measured
	for {
		text := d.text()
		took := time.Since(start) //nolint:forbidigo // measured
		if text != secret {
			return took, true
		}
		if took > limit {
			return took, false
		}
		<-time.After(3 * time.Millisecond)
	}
}

// ways are the seven ends of a dashboard. Each returns how long after it the
// secret may still be there.
func ways() []struct {
	name string
	run  func(*testing.T, *desk, string) time.Duration
} {
	const ttl = 600 * time.Millisecond
	// A dashboard that is killed asked for so long that only its death can be
	// why the secret goes.
	const long = "-ttl=20s"
	atDeath := time.Second
	signal := func(sig syscall.Signal, group, early bool) func(*testing.T, *desk, string) time.Duration {
		return func(t *testing.T, d *desk, s string) time.Duration {
			t.Helper()
			arg := long
			if sig == syscall.SIGSTOP {
				arg = "-ttl=" + ttl.String()
			}
			b := d.start(t, s, arg)
			if early {
				b.wants(t, "ready", 5*time.Second)
				<-time.After(upTo(40 * time.Millisecond))
			} else {
				b.wants(t, "copied", 5*time.Second)
				if text := d.text(); text != s {
					t.Fatalf("it was not copied: the clipboard holds %q", text)
				}
				<-time.After(upTo(ttl))
			}
			pid := b.cmd.Process.Pid
			if group {
				pid = -pid
			}
			must(t, syscall.Kill(pid, sig))
			if sig == syscall.SIGSTOP {
				t.Cleanup(b.kill)
				return ttl + atDeath
			}
			<-b.done
			if early {
				// A tool that is under way may take the clipboard after the
				// dashboard's death: look when it would be there.
				<-time.After(150 * time.Millisecond)
			}
			return atDeath
		}
	}
	ends := func(end, arg string, more time.Duration) func(*testing.T, *desk, string) time.Duration {
		return func(t *testing.T, d *desk, s string) time.Duration {
			t.Helper()
			b := d.start(t, s, arg, "-end="+end, "-after="+upTo(300*time.Millisecond).String())
			<-b.done
			return more
		}
	}
	return []struct {
		name string
		run  func(*testing.T, *desk, string) time.Duration
	}{
		{"SIGKILL within 40 ms", signal(syscall.SIGKILL, false, true)},
		{"SIGKILL until the deadline", signal(syscall.SIGKILL, false, false)},
		{"SIGKILL of the process group", signal(syscall.SIGKILL, true, false)},
		{"SIGHUP", signal(syscall.SIGHUP, false, false)},
		{"SIGSTOP of the dashboard", signal(syscall.SIGSTOP, false, false)},
		{"panic", ends("panic", long, atDeath)},
		{"quit, timer runs on", ends("quit", "-ttl="+ttl.String(), ttl+atDeath)},
		{"quit, cleared at once", ends("quit-clear", long, atDeath)},
	}
}

func TestKilled(t *testing.T) {
	n := runs(t)
	for _, d := range desks(t) {
		for _, way := range ways() {
			t.Run(d.name+"/"+way.name, func(t *testing.T) {
				var c tally
				var all []string
				var due time.Time
				back := 0
				// A tool that is late copies once more what went; that has to go in time too.
				stays := func() {
					text := d.text()
					if !slices.Contains(all, text) {
						return
					}
					back++
					if _, ok := d.gone(text, time.Until(due)); !ok { //nolint:forbidigo // measured
						t.Error("a secret came back and stayed")
					}
				}
				for range n {
					s := secret()
					stays()
					all = append(all, s)
					limit := way.run(t, d, s)
					due = time.Now().Add(limit) //nolint:forbidigo // measured
					took, ok := d.gone(s, limit)
					c.add(ok, took)
				}
				<-time.After(300 * time.Millisecond)
				stays()
				if back > 0 {
					t.Logf("%-44s %d of %d, went again in time", d.name+": copied late", back, n)
				}
				c.print(t, d.name+": "+way.name)
			})
		}
		d.checkFiles(t)
		t.Logf("%s: %d readers without answer", d.name, d.silent)
	}
}

// TestBothKilled ends dashboard and guard in either order with a random gap.
func TestBothKilled(t *testing.T) {
	n := runs(t)
	for _, d := range desks(t) {
		if !d.owner {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			var c tally
			for range n {
				s := secret()
				b := d.start(t, s, "-ttl=20s")
				b.wants(t, "copied", 5*time.Second)
				if d.text() != s {
					t.Fatal("it was not copied")
				}
				pids := append(children(b.cmd.Process.Pid), b.cmd.Process.Pid)
				if len(pids) != 2 {
					t.Fatalf("the dashboard has %d children", len(pids)-1)
				}
				rand.Shuffle(len(pids), func(i, j int) { pids[i], pids[j] = pids[j], pids[i] })
				for _, pid := range pids {
					must(t, syscall.Kill(pid, syscall.SIGKILL))
					<-time.After(upTo(2 * time.Millisecond))
				}
				<-b.done
				c.add(reverse(d.gone(s, time.Second)))
			}
			c.print(t, d.name+": dashboard and guard killed")
		})
		d.checkFiles(t)
	}
}

// TestGuardKilled ends the guard alone: the dashboard starts another.
func TestGuardKilled(t *testing.T) {
	n := runs(t)
	for _, d := range desks(t) {
		t.Run(d.name, func(t *testing.T) {
			var c tally
			for range n {
				s := secret()
				b := d.start(t, s, "-ttl=500ms")
				b.wants(t, "copied", 5*time.Second)
				for _, pid := range children(b.cmd.Process.Pid) {
					must(t, syscall.Kill(pid, syscall.SIGKILL))
				}
				b.wants(t, "report cleared", 5*time.Second)
				c.add(reverse(d.gone(s, time.Second)))
				b.kill()
			}
			c.print(t, d.name+": guard killed")
		})
		d.checkFiles(t)
	}
}

func reverse(took time.Duration, ok bool) (bool, time.Duration) { return ok, took }

// TestForeignCopy has the user copy something around the deadline.
func TestForeignCopy(t *testing.T) {
	n := runs(t)
	const ttl = 400 * time.Millisecond
	for _, d := range desks(t) {
		for _, spread := range []time.Duration{8 * time.Millisecond, 200 * time.Millisecond} {
			t.Run(fmt.Sprintf("%s/%v", d.name, spread), func(t *testing.T) {
				kept, refused := 0, 0
				for range n {
					s, mine := secret(), fmt.Sprint("mine ", rand.Uint32())
					b := d.start(t, s, "-ttl="+ttl.String())
					took, err := time.ParseDuration(strings.TrimPrefix(b.wants(t, "took", 5*time.Second), "took "))
					must(t, err)
					// The deadline counts from the start of the copy, and the
					// user's tool takes some milliseconds.
					<-time.After(ttl - took + upTo(2*spread) - spread - 3*time.Millisecond)
					if err := d.put(mine); err != nil {
						refused++
					}
					<-time.After(ttl)
					if text := d.text(); text == mine {
						kept++
					} else {
						t.Logf("the clipboard holds %q", text)
					}
					b.kill()
				}
				t.Logf("%-44s %d of %d kept, %d refused by the display", fmt.Sprintf("%s: your copy within %v of the end", d.name, spread), kept, n, refused)
				// What is promised: an owner keeps 199 of 200 within 8 ms and all within 200
				// ms; comparing has a known race of about 20 ms and keeps 90 of 100 there.
				lost := n - kept - refused
				allowed := 0
				switch {
				case !d.owner && spread < 100*time.Millisecond:
					allowed = n
				case !d.owner:
					allowed = max(1, n/10)
				case spread < 100*time.Millisecond:
					allowed = max(1, n/200)
				}
				if lost > allowed {
					t.Errorf("%d lost, %d allowed", lost, allowed)
				}
			})
		}
		d.checkFiles(t)
	}
}
