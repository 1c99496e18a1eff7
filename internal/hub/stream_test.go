package hub_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/team"
)

func TestAStreamTellsOfWhatIsSeenAndNothingElse(t *testing.T) {
	crew(t, func(s *site) {
		fb, gg := s.card("fb/a"), s.card("gg/a")
		s.begin()
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
		ann, over, leave := s.stream("ann")
		bob, over2, leave2 := s.stream("bob")
		wait(2 * time.Minute)
		calm, calmBob := len(ann.String()), len(bob.String())
		s.want(s.ask("root", "POST", "/v1/cards/"+gg+"/freeze", ""), 200, "")
		wait(time.Second)
		if got := strings.ReplaceAll(ann.String()[calm:], "event: beat\ndata: {}\n\n", ""); got != "" {
			s.t.Errorf("a card that is hidden is an event: %q", got)
		}
		if got := bob.String()[calmBob:]; !strings.Contains(got, `"cards"`) {
			s.t.Errorf("a card that is seen is no event: %q", got)
		}
		s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":"482913"}`, fb))
		wait(10 * time.Second)
		if got := ann.String(); !strings.Contains(got, `"codes"`) || !strings.Contains(got, "event: code\n") || strings.Contains(got, "482913") {
			s.t.Errorf("stream %q", got)
		}
		s.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":4,"otp":"117395"}`, fb))
		wait(10 * time.Second)
		if n := strings.Count(ann.String(), "event: code\n"); n != 2 {
			s.t.Errorf("two codes are told %d times", n)
		}
		leave()
		leave2()
		<-over
		<-over2
	})
}

// TestWhoIsRemovedFromTheFileIsRefusedWithinASecond removes a person while their stream
// is open, as cardtop hub remove does.
func TestWhoIsRemovedFromTheFileIsRefusedWithinASecond(t *testing.T) {
	crew(t, func(s *site) {
		file := team.InDir(filepath.Join(s.dir, "people"))
		for _, name := range []string{"ann", "bob"} {
			token, err := file.Add(team.Person{Name: name, Role: team.Buyer, Labels: []string{"fb/*"}, Added: clock()}, false)
			must(s.t, err)
			s.tokens[name] = token.Expose()
		}
		live, err := team.Open(file)
		must(s.t, err)
		s.people = live
		s.begin()
		ctx, stop := context.WithCancel(s.t.Context())
		followed := make(chan struct{})
		go func() {
			defer close(followed)
			live.Follow(ctx, s.hub.People, func(err error) { s.t.Error(err) })
		}()
		_, over, leave := s.stream("ann")
		defer leave()
		_, stays, leaveBob := s.stream("bob")
		wait(time.Second)
		began := clock()
		must(s.t, file.Remove("ann"))
		<-over
		if took := clock().Sub(began); took > time.Second {
			s.t.Errorf("the stream ends after %s", took)
		} else {
			s.t.Logf("hub: 1 of 1 open streams of a removed token ended, after %s", took)
		}
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 401, "")
		s.want(s.ask("bob", "GET", "/v1/cards", ""), 200, "")
		select {
		case <-stays:
			s.t.Error("the stream of another ends")
		default:
		}
		leaveBob()
		<-stays
		stop()
		<-followed
	})
}

// pipes is a listener of connections in memory.
type pipes struct {
	calls  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func TestAReaderThatIsTooSlowIsDropped(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		l := &pipes{calls: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: s.hub}
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }()
		near, far := net.Pipe()
		l.calls <- far
		if _, err := fmt.Fprintf(near, "GET /hub/v1/stream HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\n\r\n", s.tokens["ann"]); err != nil {
			s.t.Fatal(err)
		}
		line, err := bufio.NewReaderSize(near, 16).ReadString('\n')
		if err != nil || !strings.Contains(line, "200") {
			s.t.Fatalf("%q, %v", line, err)
		}
		// Nothing is read any more.
		wait(time.Minute)
		left := make([]byte, 1)
		_ = near.SetReadDeadline(clock().Add(time.Second))
		for err == nil {
			_, err = near.Read(left)
		}
		if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
			s.t.Error("the connection is still open")
		}
		if err := server.Shutdown(context.Background()); err != nil {
			s.t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			s.t.Error(err)
		}
	})
}

func TestWhoIsRemovedIsRefusedAndTheirStreamEnds(t *testing.T) {
	crew(t, func(s *site) {
		s.begin()
		_, over, leave := s.stream("ann")
		defer leave()
		wait(time.Second)
		without := &team.Team{}
		for _, p := range s.people.Team().People {
			if p.Name != "ann" {
				without.People = append(without.People, p)
			}
		}
		s.people.Set(without)
		s.hub.People()
		select {
		case <-over:
		case <-time.After(time.Second):
			s.t.Error("the stream stays open")
		}
		s.want(s.ask("ann", "GET", "/v1/cards", ""), 401, "")
	})
}
