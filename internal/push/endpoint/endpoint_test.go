package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/push"
	"github.com/cardtop/cardtop/internal/push/pushtest"
	"github.com/cardtop/cardtop/state"
)

func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

// opened is an open endpoint in memory and what it reported.
type opened struct {
	*Endpoint
	state.PushOpened
	line *pushtest.Listener

	mu  sync.Mutex
	got []state.PushReported
}

// open opens an endpoint within a bubble and closes it at the end. Nothing of it is left
// then, or the bubble fails.
func open(t *testing.T, change ...func(*Config)) *opened {
	t.Helper()
	line := pushtest.Listen()
	cfg := Config{URL: "http://127.0.0.1:8420/x", Listen: "127.0.0.1:8420", Open: func(context.Context, string) (net.Listener, error) { return line, nil }, Transport: line.Transport(), Now: clock}
	for _, c := range change {
		c(&cfg)
	}
	o := &opened{Endpoint: New(cfg), line: line}
	o.PushOpened = o.Open(t.Context())
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	over := make(chan struct{})
	go func() {
		for {
			select {
			case ev := <-o.Events():
				r, ok := ev.(state.PushReported)
				if !ok {
					t.Errorf("reported %T", ev)
				}
				o.mu.Lock()
				o.got = append(o.got, r)
				o.mu.Unlock()
			case <-over:
				return
			}
		}
	}()
	t.Cleanup(func() {
		o.Close()
		close(over)
		synctest.Wait()
	})
	return o
}

// reports is what was reported so far.
func (o *opened) reports() []state.PushReported {
	synctest.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.got)
}

// all is what was reported so far, in one.
func (o *opened) all() (r state.PushReported) {
	for _, g := range o.reports() {
		r.Events = append(r.Events, g.Events...)
		r.Beat, r.Unreached, r.Refused = r.Beat || g.Beat, g.Unreached, r.Refused+g.Refused
	}
	return r
}

// post sends a delivery and returns the status of its answer.
func (o *opened) post(t *testing.T, secret api.SigningSecret, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://hooks.example.com/x", strings.NewReader(body))
	must(t, err)
	req.Header.Set(push.DefaultHeader, push.Sign(secret.Bytes(), []byte(body)))
	res, err := (&http.Client{Transport: o.line.Transport()}).Do(req)
	must(t, err)
	_ = res.Body.Close()
	return res.StatusCode
}

func TestADeliveryIsReportedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t)
		if o.Known || o.Webhook != "" || o.Secret.IsZero() || o.URL != "http://127.0.0.1:8420/x" {
			t.Fatalf("%+v", o.PushOpened)
		}
		at := clock()
		for _, body := range []string{`{"id":"1","type":"3ds.challenge"}`, `{"id":"1","type":"3ds.challenge"}`, `{"id":"2","type":"card.funded"}`} {
			if code := o.post(t, o.Secret, body); code != 204 {
				t.Errorf("%d", code)
			}
		}
		all := o.all()
		if len(all.Events) != 2 || all.Events[0] != "3ds.challenge" || all.Events[1] != "card.funded" || !o.reports()[0].Report.At.Equal(at) {
			t.Errorf("%+v", o.reports())
		}
	})
}

func TestWhatIsForgedIsCountedAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t)
		pass(time.Second)
		before := len(o.reports())
		for range 3 {
			if code := o.post(t, api.NewSigningSecret("whsec_other"), `{"type":"3ds.challenge"}`); code != 401 {
				t.Errorf("%d", code)
			}
		}
		if got := o.reports(); len(got) != before {
			t.Errorf("it wakes the program: %+v", got[before:])
		}
		pass(30 * time.Second)
		if all := o.all(); len(all.Events) != 0 || all.Refused != 3 {
			t.Errorf("%+v", all)
		}
	})
}

func TestAHeartbeatCountsWhenItIsOfThisRunOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t)
		if all := o.all(); !all.Beat || all.Unreached != "" {
			t.Fatalf("the first is not at once: %+v", all)
		}
		pass(time.Minute - time.Second)
		if n := len(o.reports()); n != 3 {
			t.Errorf("%d in a minute", n)
		}
		before := len(o.reports())
		o.post(t, o.Secret, `{"type":"cardtop.heartbeat","data":{"id":"made up"}}`)
		if len(o.reports()) != before {
			t.Error("a heartbeat of another counts")
		}
	})
}

// answer is an address that leads to something else.
type answer func(*http.Request) (*http.Response, error)

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

func TestWhyAHeartbeatDoesNotCome(t *testing.T) {
	status := func(code int) answer {
		return func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
		}
	}
	for want, by := range map[string]answer{
		"answered 502":                status(502),
		"answered 301":                status(301),
		"the address leads elsewhere": status(200),
		"answered 401: the signature": status(401),
		"the host is not found": func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Name: "hooks.example.com", IsNotFound: true}}
		},
		"no answer in time": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := open(t, func(c *Config) { c.Transport = by })
			pass(15 * time.Second)
			all := o.all()
			if all.Beat || !strings.HasPrefix(all.Unreached, want) || strings.Contains(all.Unreached, "/x") {
				t.Errorf("%q, want %q", all.Unreached, want)
			}
		})
	}
}

func TestWhoIsSlowOrManyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t)
		synctest.Wait()
		var slow []net.Conn
		for range connections {
			c, err := o.line.Dial(t.Context())
			must(t, err)
			if _, err := io.WriteString(c, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"); err != nil {
				t.Fatal(err)
			}
			slow = append(slow, c)
		}
		waits, cancel := context.WithTimeout(t.Context(), time.Second)
		if c, err := o.line.Dial(waits); err == nil {
			// A connection may wait to be accepted; nothing of it is read.
			_ = c.SetDeadline(clock().Add(time.Second))
			if _, err := io.WriteString(c, "GET / HTTP/1.1\r\n"); err == nil {
				t.Error("one more is served")
			}
			_ = c.Close()
		}
		cancel()
		pass(30 * time.Second)
		if code := o.post(t, o.Secret, `{"type":"3ds.challenge"}`); code != 204 {
			t.Errorf("after the slow ones: %d", code)
		}
		for _, c := range slow {
			_ = c.Close()
		}
	})
}

func TestAPortThatIsTaken(t *testing.T) {
	first, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = first.Close() }()
	for _, tt := range []struct {
		cfg  Config
		want string
	}{
		{Config{Listen: first.Addr().String(), URL: "https://hooks.example.com"}, "cannot listen at " + first.Addr().String() + ": address already in use"},
		{Config{URL: "https://hooks.example.com"}, "push_listen is not set"},
		{Config{Listen: "127.0.0.1:8420"}, "push_url is not set"},
	} {
		tt.cfg.Now = clock
		e := New(tt.cfg)
		if got := e.Open(t.Context()); got.Err == nil || got.Err.Error() != tt.want {
			t.Errorf("%v, want %s", got.Err, tt.want)
		}
		e.Close()
	}
}

// memory stores a secret as a keyring does.
type memory struct {
	kept Kept
	has  bool
	err  error
}

func (m *memory) Load(context.Context) (Kept, error) {
	if !m.has {
		return Kept{}, ErrNone
	}
	return Kept{m.kept.Webhook, api.NewSigningSecret(m.kept.Secret.Bytes())}, m.err
}

func (m *memory) Save(_ context.Context, k Kept) error {
	if m.err == nil {
		m.kept, m.has = Kept{k.Webhook, api.NewSigningSecret(k.Secret.Bytes())}, true
	}
	return m.err
}

func TestTheSecretIsStoredBeforeItIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		stored := func(c *Config) { c.Secrets = m }
		first := open(t, stored)
		if m.has {
			t.Fatal("it is stored before anything is to be registered")
		}
		if err := first.Keep(t.Context(), "", api.SigningSecret{}); err != nil || !m.kept.Secret.Equal(first.Secret.Secret) || m.kept.Webhook != "" {
			t.Fatalf("%v, it is stored as %+v", err, m.kept)
		}
		if err := first.Keep(t.Context(), "wh_1", api.SigningSecret{}); err != nil || m.kept.Webhook != "wh_1" || !m.kept.Secret.Equal(first.Secret.Secret) {
			t.Errorf("%v, %+v", err, m.kept)
		}
		again := open(t, stored)
		if !again.Known || again.Webhook != "wh_1" || !again.Secret.Equal(first.Secret.Secret) {
			t.Errorf("the next run has %+v", again.PushOpened)
		}
		other := api.NewSigningSecret("whsec_of_the_service")
		if err := again.Keep(t.Context(), "wh_1", other); err != nil || !m.kept.Secret.Equal(other.Secret) {
			t.Errorf("%v", err)
		}
		for _, secret := range []api.SigningSecret{other, first.Secret} {
			body, err := json.Marshal(map[string]string{"type": "3ds.challenge", "n": secret.Expose()[:8]})
			must(t, err)
			if code := again.post(t, secret, string(body)); code != 204 {
				t.Errorf("while it is replaced: %d", code)
			}
		}
	})
}

// slow is a place for secrets that is closed around while it stores one.
type slow struct {
	memory
	close func()
}

func (s *slow) Save(ctx context.Context, k Kept) error {
	s.close()
	return s.memory.Save(ctx, k)
}

func TestWhatIsKeptWhileItClosesIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &slow{close: func() {}}
		o := open(t, func(c *Config) { c.Secrets = m })
		used := o.signing()
		m.close = o.Close
		if err := o.Keep(t.Context(), "wh_1", api.SigningSecret{}); err != nil || !m.kept.Secret.Equal(o.Secret.Secret) {
			t.Errorf("%v, the stored secret is the registered one: %v", err, m.kept.Secret.Equal(o.Secret.Secret))
		}
		if string(used[0]) != o.Secret.Expose() {
			t.Error("a delivery is compared with a secret that is wiped")
		}
		m.close, m.has = func() {}, false
		if err := o.Keep(t.Context(), "wh_2", api.SigningSecret{}); !errors.Is(err, errClosed) || m.has {
			t.Errorf("after it closed: %v", err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestManyEventsAreBounded(t *testing.T) {
	m := newMailbox()
	for i := range 10 * namesMost {
		m.event("type." + string(rune('a'+i%200)))
	}
	if n := len(m.held.Events); n > namesMost {
		t.Errorf("%d names wait", n)
	}
}
