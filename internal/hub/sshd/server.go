// Package sshd serves the dashboard of a hub over SSH to people of its team, by their
// public keys. It runs one program, the dashboard, and one command, otp: no shell, no
// forwarding, no agent, no subsystem, no files.
package sshd

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/gliderlabs/ssh"
	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// Limits bound what is open at once.
type Limits struct {
	// Sessions are those of all people, Person those of one.
	Sessions, Person int
	// Strangers are connections without a session.
	Strangers int
	// Address bounds those of one address, so that one does not keep others out.
	Address int
	// Greeting bounds the time from the connection to a session, and from there to what
	// the session is for.
	Greeting time.Duration
}

// Defaults returns the limits of a hub.
func Defaults() Limits {
	return Limits{Sessions: 64, Person: 5, Strangers: 64, Address: 8, Greeting: 15 * time.Second}
}

// Session is what a person opened.
type Session struct {
	// Person is who they are, Key the fingerprint of the key they showed, Address where
	// they come from: host and port.
	Person       *team.Person
	Key, Address string
	In           io.Reader
	// Out is the terminal, or the output of a command; Errs is for messages.
	Out, Errs io.Writer
	// Env tells how to draw; Size is that of the terminal at the start.
	Env  []string
	Size Size
	// Sizes tells each new size until its context ends.
	Sizes func(ctx context.Context, tell func(width, height int)) error
}

// Config is what a server is made of.
type Config struct {
	HostKey gossh.Signer
	// Team returns the team as it is now.
	Team   func() *team.Team
	Limits Limits
	// Show runs the dashboard and OTP the command, with the arguments after its name.
	// Both return when the context ends; the exit code is the person's.
	Show func(ctx context.Context, s Session) (exit int)
	OTP  func(ctx context.Context, s Session, args []string) (exit int)
	// Tell prints a line for who runs the hub.
	Tell func(string)
}

// Server serves sessions. Its methods may be called from several goroutines.
type Server struct {
	cfg  Config
	over sync.WaitGroup // the sessions

	mu       sync.Mutex
	links    map[string]*link // by the address of the other end
	open     map[*session]bool
	waiting  int // links without a session
	stopping bool
}

// New makes a server.
func New(cfg Config) *Server {
	return &Server{cfg: cfg, links: make(map[string]*link), open: make(map[*session]bool)}
}

// version is what the server calls itself before anybody is known.
const version = "cardtop"

// lastWords bounds how long sessions may take to restore their terminals.
const lastWords = 2 * time.Second

// Serve answers on a listener until the context ends. Then the sessions end, and their
// terminals are restored.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &ssh.Server{
		Version: version, HostSigners: []ssh.Signer{s.cfg.HostKey},
		// Everything that the library would do by itself is off: it answers sessions with a
		// parser of its own, which a client can crash, and accepts agents.
		ChannelHandlers: map[string]ssh.ChannelHandler{"session": func(_ *ssh.Server, conn *gossh.ServerConn, ch gossh.NewChannel, _ ssh.Context) {
			s.session(ctx, conn, ch)
		}},
		RequestHandlers:   map[string]ssh.RequestHandler{},
		SubsystemHandlers: map[string]ssh.SubsystemHandler{},
		ConnCallback:      func(_ ssh.Context, c net.Conn) net.Conn { return s.admit(c) },
		PublicKeyHandler:  func(_ ssh.Context, key ssh.PublicKey) bool { return s.lets(key) },
		ServerConfigCallback: func(ssh.Context) *gossh.ServerConfig {
			return &gossh.ServerConfig{MaxAuthTries: maxTries, VerifiedPublicKeyCallback: verified}
		},
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		s.stopping = true
		s.mu.Unlock()
		late := time.AfterFunc(lastWords, s.closeAll)
		defer late.Stop()
		_ = l.Close() // Serve says what there is to say.
		s.over.Wait()
		stopped <- server.Close()
	})
	err := server.Serve(l)
	if !stop() {
		if failed := <-stopped; !errors.Is(failed, net.ErrClosed) { // The listener was closed here.
			return failed
		}
		return nil
	}
	return err
}

// maxTries is how many keys a client may offer.
const maxTries = 8

// keyExtension is where the fingerprint of the key is that a client has proven to have.
const keyExtension = "fingerprint"

// lets reports whether a key is somebody's. The client has not proven yet that it has it.
func (s *Server) lets(key gossh.PublicKey) bool {
	if checkKey(key) != nil {
		return false
	}
	_, known := s.cfg.Team().WithKey(Fingerprint(key))
	return known
}

// verified notes the key that a client has proven to have, which need not be the last one
// that it offered.
func verified(_ gossh.ConnMetadata, key gossh.PublicKey, _ *gossh.Permissions, _ string) (*gossh.Permissions, error) {
	return &gossh.Permissions{Extensions: map[string]string{keyExtension: Fingerprint(key)}}, nil
}

// who is the person at the other end of a connection.
func (s *Server) who(conn *gossh.ServerConn) (p *team.Person, key string, ok bool) {
	if conn.Permissions == nil {
		return nil, "", false
	}
	key = conn.Permissions.Extensions[keyExtension]
	p, ok = s.cfg.Team().WithKey(key)
	return p, key, ok
}

// Why a session ends before its person ends it.
var (
	errGone    = errors.New("the connection is closed")
	errRemoved = errors.New("you are not in the team any more, or what you may do has changed")
)

// cutAfter is how long a session of who was removed has to restore the terminal.
const cutAfter = 300 * time.Millisecond

// People is called when the team has changed: sessions of those who are not in it any more
// end, and their connections.
func (s *Server) People() {
	now := s.cfg.Team()
	s.mu.Lock()
	defer s.mu.Unlock()
	for o := range s.open {
		if !now.HoldsKey(o.person, o.key) {
			o.end(errRemoved)
			time.AfterFunc(cutAfter, o.link.hangUp)
		}
	}
}

// closeAll closes every connection.
func (s *Server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.links {
		l.hangUp()
	}
}

// KeyFile is the file in the folder of a hub that has its host key.
const KeyFile = "ssh_host_ed25519_key"

// HostKey reads the host key in a folder, and makes one when there is none.
func HostKey(dir string) (gossh.Signer, error) {
	path := filepath.Join(dir, KeyFile)
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := createKey(dir, path); err != nil {
			return nil, fmt.Errorf("make a host key: %w", err)
		}
		file, err = fsafe.Read(path)
	}
	if err == nil {
		err = file.CheckSecret()
	}
	if err != nil {
		return nil, fmt.Errorf("read the host key: %w", err)
	}
	defer clear(file.Data)
	key, err := gossh.ParsePrivateKey(file.Data)
	if err != nil {
		return nil, fmt.Errorf("read %s: it is no SSH key without a passphrase", path)
	}
	return key, nil
}

func createKey(dir, path string) error {
	if err := fsafe.MkdirAll(dir); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	defer clear(private)
	block, err := gossh.MarshalPrivateKey(private, "cardtop hub")
	if err != nil {
		return err
	}
	defer clear(block.Bytes)
	data := pem.EncodeToMemory(block)
	defer clear(data)
	return fsafe.WriteFile(path, data)
}

// Fingerprint returns that of a key, as OpenSSH prints it.
func Fingerprint(key gossh.PublicKey) string { return gossh.FingerprintSHA256(key) }

// leastRSA is the shortest RSA key that is let in, in bits.
const leastRSA = 3072

// ParseKey reads a line of a public key file and returns the key's fingerprint.
func ParseKey(line string) (string, error) {
	key, _, options, rest, err := gossh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return "", errors.New("it is no public key: give the line of the .pub file")
	case len(options) > 0 || len(rest) > 0:
		return "", errors.New("give the public key alone: no options, one line")
	}
	if err := checkKey(key); err != nil {
		return "", err
	}
	return Fingerprint(key), nil
}

// checkKey refuses keys that are too weak, and certificates: who signs them is not known
// here.
func checkKey(key gossh.PublicKey) error {
	switch key.Type() {
	case gossh.KeyAlgoED25519, gossh.KeyAlgoSKED25519, gossh.KeyAlgoSKECDSA256, gossh.KeyAlgoECDSA256, gossh.KeyAlgoECDSA384, gossh.KeyAlgoECDSA521:
		return nil
	case gossh.KeyAlgoRSA:
		if bits := rsaBits(key); bits < leastRSA {
			return fmt.Errorf("an RSA key needs %d bits, and this one has %d", leastRSA, bits)
		}
		return nil
	default:
		return errors.New("keys are ed25519, ecdsa or rsa")
	}
}

// rsaBits is how long an RSA key is; 0 for others.
func rsaBits(key gossh.PublicKey) int {
	if k, ok := key.(gossh.CryptoPublicKey); ok {
		if k, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok {
			return k.N.BitLen()
		}
	}
	return 0
}
