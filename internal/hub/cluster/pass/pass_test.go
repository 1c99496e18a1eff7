package pass_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// line is a line in memory.
type line struct {
	listeners map[string]func([]byte) []byte
	lose      bool // the answer
	seen      []string
}

func newLine() *line { return &line{listeners: make(map[string]func([]byte) []byte)} }

func (l *line) Listen(subject string, f func([]byte) []byte) (func() error, error) {
	l.listeners[subject] = f
	return func() error { delete(l.listeners, subject); return nil }, nil
}

func (l *line) Ask(ctx context.Context, subject string, data []byte) ([]byte, error) {
	f := l.listeners[subject]
	if f == nil {
		return nil, pass.ErrNobody
	}
	l.seen = append(l.seen, string(data))
	answer := make(chan []byte, 1)
	go func() { answer <- f(data) }()
	for {
		select {
		case a := <-answer:
			if !l.lose {
				l.seen = append(l.seen, string(a))
				return a, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func keys(t *testing.T) *seal.Keys {
	t.Helper()
	text, err := seal.NewKey()
	must(t, err)
	file := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	k, err := seal.Load(file, "test")
	must(t, err)
	return k
}

// clock is one that began at any moment.
func clock() func() time.Duration {
	began := time.Now()                                                  //nolint:forbidigo // virtual time in a bubble
	return func() time.Duration { return time.Since(began) + time.Hour } //nolint:forbidigo // virtual time in a bubble
}

func fund() pass.Request {
	return pass.Request{
		Method: http.MethodPost, URI: "/v1/cards/card_1/fund?a=b", Header: http.Header{"Authorization": {"Bearer sk_hub_secret"}}, From: "192.0.2.7",
		Body: []byte(`{"amount":5.00}`),
	}
}

func TestARequestIsPassed(t *testing.T) {
	const details = `{"pan":"4111111111111111"}`
	done := func(ctx context.Context, r pass.Request) (pass.Answer, bool) {
		if _, ok := ctx.Deadline(); !ok || r.Method != http.MethodPost || r.URI != "/v1/cards/card_1/fund?a=b" || r.From != "192.0.2.7" ||
			r.Header.Get("Authorization") != "Bearer sk_hub_secret" || string(r.Body) != `{"amount":5.00}` {
			return pass.Answer{Status: http.StatusBadRequest}, true
		}
		return pass.Answer{Status: 200, Header: http.Header{"X-Request-Id": {"req_1"}}, Body: []byte(details)}, true
	}
	slow := func(ctx context.Context, _ pass.Request) (pass.Answer, bool) {
		<-ctx.Done()
		return pass.Answer{Status: 504}, true
	}
	over := func(context.Context, pass.Request) (pass.Answer, bool) { return pass.Answer{}, false }
	for _, tt := range []struct {
		name   string
		serves uint64
		do     pass.Do
		lose   bool
		want   string
		err    error
	}{
		{"done", 7, done, false, "200 req_1 " + details, nil},
		{"nobody leads", 6, done, false, "0  ", pass.ErrNobody},
		{"it leads no more", 7, over, false, "0  ", pass.ErrNobody},
		{"the answer is lost", 7, done, true, "0  ", pass.ErrUnknown},
		{"the leader is slow", 7, slow, false, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := keys(t)
			synctest.Test(t, func(t *testing.T) {
				l := newLine()
				l.lose = tt.lose
				c := pass.NewChannel(l, k, clock())
				stop, err := c.Serve(t.Context(), tt.serves, tt.do)
				must(t, err)
				defer func() { must(t, stop()) }()
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				a, err := c.Ask(ctx, 7, fund())
				got := fmt.Sprintf("%d %s %s", a.Status, a.Header.Get("X-Request-Id"), a.Body)
				// Of one that is slow both give up at the same moment: who is first does not matter.
				if tt.want != "" && (got != tt.want || !errors.Is(err, tt.err)) {
					t.Errorf("got %q, %v", got, err)
				}
				for _, text := range l.seen {
					for _, secret := range []string{"sk_hub", "4111", "amount", "card_1"} {
						if strings.Contains(text, secret) {
							t.Errorf("%q is on the bus in the clear", secret)
						}
					}
				}
				synctest.Wait()
			})
		})
	}
}

// TestWhatIsNotOfAHubIsNotDone passes messages that were altered, are to another leader,
// or are sealed with another key.
func TestWhatIsNotOfAHubIsNotDone(t *testing.T) {
	l := newLine()
	k := keys(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	did := 0
	_, err := pass.NewChannel(l, k, clock()).Serve(t.Context(), 7, func(context.Context, pass.Request) (pass.Answer, bool) {
		did++
		return pass.Answer{Status: 200}, true
	})
	must(t, err)
	if _, err := pass.NewChannel(l, keys(t), clock()).Ask(ctx, 7, fund()); !errors.Is(err, pass.ErrVersion) {
		t.Errorf("with another key: %v", err)
	}
	if _, err := pass.NewChannel(l, k, clock()).Ask(ctx, 7, fund()); err != nil || did != 1 {
		t.Fatalf("%v, done %d times", err, did)
	}
	sent := []byte(l.seen[len(l.seen)-2])
	for _, f := range []func([]byte) []byte{func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, func(b []byte) []byte { return b[:9] }, func([]byte) []byte { return nil }} {
		if got := l.listeners["ask.7"](f([]byte(string(sent)))); len(got) != 0 || did != 1 {
			t.Errorf("answered with %d bytes, done %d times", len(got), did)
		}
	}
	_, err = pass.NewChannel(l, k, clock()).Serve(t.Context(), 8, func(context.Context, pass.Request) (pass.Answer, bool) {
		t.Error("one to another leader is done")
		return pass.Answer{}, true
	})
	must(t, err)
	l.listeners["ask.8"](sent)
	if _, err := pass.NewChannel(l, k, clock()).Ask(t.Context(), 7, fund()); err == nil {
		t.Error("a request without a deadline is passed")
	}
}

// TestARequestIsTakenOnceAndInTime has somebody on the bus deliver requests again, and
// hold one back until the person has been told that it was refused.
func TestARequestIsTakenOnceAndInTime(t *testing.T) {
	k := keys(t)
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		did := 0
		_, err := pass.NewChannel(l, k, clock()).Serve(t.Context(), 7, func(context.Context, pass.Request) (pass.Answer, bool) {
			did++
			return pass.Answer{Status: 403}, true
		})
		must(t, err)
		c := pass.NewChannel(l, k, clock())
		ask := func() []byte {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			_, _ = c.Ask(ctx, 7, fund()) // Some have no answer.
			return []byte(l.seen[len(l.seen)-1])
		}
		deliver := l.listeners["ask.7"]
		var sent [][]byte
		for range 70 {
			ask()
			sent = append(sent, []byte(l.seen[len(l.seen)-2]))
		}
		for i, data := range sent {
			if got := deliver(data); len(got) != 0 || did != 70 {
				t.Fatalf("request %d is done again, %d", i, did)
			}
		}
		l.listeners["ask.7"] = func([]byte) []byte { <-t.Context().Done(); return nil }
		held := ask() // It gives up after 2 s.
		l.listeners["ask.7"] = deliver
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		if got := deliver(held); len(got) != 0 || did != 70 {
			t.Errorf("one that was held back is done, %d", did)
		}
		for range 200 { // The clocks of two hubs drift; days later requests are still in time.
			time.Sleep(time.Hour) //nolint:forbidigo // virtual time in a bubble
			ask()
		}
		if did != 270 {
			t.Errorf("%d are done", did)
		}
	})
}

// TestRequestsMayOvertakeOneAnother delivers those of one moment in another order.
func TestRequestsMayOvertakeOneAnother(t *testing.T) {
	k := keys(t)
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		did := 0
		_, err := pass.NewChannel(l, k, clock()).Serve(t.Context(), 7, func(context.Context, pass.Request) (pass.Answer, bool) {
			did++
			return pass.Answer{Status: 200}, true
		})
		must(t, err)
		deliver := l.listeners["ask.7"]
		l.listeners["ask.7"] = func([]byte) []byte { return nil }
		c := pass.NewChannel(l, k, clock())
		for range 64 {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			_, err := c.Ask(ctx, 7, fund())
			cancel()
			if !errors.Is(err, pass.ErrVersion) {
				t.Fatal(err)
			}
		}
		for i := len(l.seen) - 2; i >= 0; i -= 2 {
			deliver([]byte(l.seen[i]))
		}
		if did != 64 {
			t.Errorf("%d of 64 are done", did)
		}
	})
}
