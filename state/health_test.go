package state_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

func TestHealth(t *testing.T) {
	failAll := func(d time.Duration, err error) func(*testing.T, *state.Store) {
		return func(t *testing.T, s *state.Store) {
			t.Helper()
			for _, e := range tick(s, d) {
				apply(s, state.FetchFailed{Meta: meta(d), Effect: e, Err: err})
			}
		}
	}
	for _, tt := range []struct {
		name  string
		fresh bool
		play  func(*testing.T, *state.Store)
		want  kernel.Link
		text  string
	}{
		{"nothing yet", true, func(t *testing.T, s *state.Store) { t.Helper(); tick(s, 0) }, kernel.Connecting, ""},
		{"the wallet alone", true, func(t *testing.T, s *state.Store) {
			t.Helper()
			apply(s, answer(one[wallets.Fetch](t, tick(s, 0)), meta(0)))
		}, kernel.Connecting, ""},
		{"answers", false, func(*testing.T, *state.Store) {}, kernel.Live, ""},
		{"silence", false, func(t *testing.T, s *state.Store) { t.Helper(); tick(s, 30*time.Second) }, kernel.Late, ""},
		{"a server error", false, failAll(11*time.Second, &api.Error{Status: 503, ID: "down", Message: "maintenance"}), kernel.Late, "the API failed (503): maintenance"},
		{"not found", false, failAll(11*time.Second, &api.Error{Status: 404, ID: "not_found", Message: "gone"}), kernel.Late, "does not know it: gone"},
		{"invalid", false, failAll(11*time.Second, refused()), kernel.Late, "refused it: not now"},
		{"redirect", false, failAll(11*time.Second, api.ErrRedirect), kernel.Late, "redirect"},
		{"a gateway's page", false, failAll(11*time.Second, page(t, 502)), kernel.Late, "the API failed (502): text/html"},
		{"a page", false, failAll(11*time.Second, page(t, 200)), kernel.Late, "captive portal or proxy perhaps: text/html"},
		{"half of an answer", false, failAll(11*time.Second, answered(t, "application/json", `{"data":[{"id"`)), kernel.Late, "says it is JSON, and is cut off or broken"},
		{"a gateway's 401", false, failAll(11*time.Second, page(t, 401)), kernel.KeyRefused, "cardtop doctor"},
		{"another shape", false, failAll(11*time.Second, answered(t, "application/json", `{"data":5}`)), kernel.Late, "not what the API is known to give, of another version perhaps: field data"},
		{"no end", false, failAll(11*time.Second, answered(t, "application/json", strings.Repeat(" ", 5<<20))), kernel.Late, "too large to be read, a proxy's perhaps"},
		{"anything else", false, failAll(11*time.Second, cut()), kernel.Late, "cut off"},
		{"rate limit", false, failAll(11*time.Second, limited(9*time.Second)), kernel.Limited, "rate limit"},
		{"offline", false, failAll(11*time.Second, unreachable()), kernel.Offline, "does not answer"},
		{"offline at start", true, failAll(0, unreachable()), kernel.Offline, "does not answer"},
		{"key", false, failAll(11*time.Second, unauthorized()), kernel.KeyRefused, "cardtop doctor"},
		{"the worst counts", false, func(t *testing.T, s *state.Store) {
			t.Helper()
			errs := []error{unreachable(), unauthorized(), cut(), limited(0)}
			for i, e := range tick(s, 11*time.Second) {
				apply(s, state.FetchFailed{Meta: meta(11 * time.Second), Effect: e, Err: errs[i%len(errs)]})
			}
		}, kernel.KeyRefused, "cardtop doctor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore()
			if !tt.fresh {
				s = settled(t)
			}
			tt.play(t, s)
			h := s.Poll.Health()
			if h.Link != tt.want || !strings.Contains(h.Text, tt.text) || tt.text == "" && h.Text != "" {
				t.Errorf("health %+v", h)
			}
		})
	}
}

// page is what comes of asking for codes where an HTML page is served.
func page(t *testing.T, status int) error {
	t.Helper()
	return served(t, status, "text/html; charset=utf-8", "<html>482913</html>")
}

// answered is what comes of asking for codes where something else is served.
func answered(t *testing.T, media, body string) error {
	t.Helper()
	return served(t, http.StatusOK, media, body)
}

func served(t *testing.T, status int, media, text string) error {
	t.Helper()
	serve := roundTrip(func(r *http.Request) (*http.Response, error) {
		body := io.NopCloser(strings.NewReader(text))
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: body, ContentLength: -1, Request: r}, nil
	})
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_1"), Transport: serve})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ListChallenges(t.Context(), api.ListChallengesOptions{})
	return err
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAKeyRefusedAtStartIsFatalOnlyBeforeAnySuccess(t *testing.T) {
	s := newStore()
	fetch := one[codes.Fetch](t, tick(s, 0))
	apply(s, state.FetchFailed{Meta: meta(0), Effect: fetch, Err: unreachable()})
	if err := s.Poll.RefusedAtStart(); err != nil {
		t.Errorf("no network: %v", err)
	}
	fetch = one[codes.Fetch](t, tick(s, 5*time.Second))
	apply(s, state.FetchFailed{Meta: meta(5 * time.Second), Effect: fetch, Err: page(t, 401)})
	if err := s.Poll.RefusedAtStart(); err != nil {
		t.Errorf("a gateway's page: %v", err)
	}
	fetch = one[codes.Fetch](t, tick(s, 15*time.Second))
	apply(s, state.FetchFailed{Meta: meta(15 * time.Second), Effect: fetch, Err: unauthorized()})
	if err := s.Poll.RefusedAtStart(); !errors.Is(err, api.ErrUnauthorized) {
		t.Errorf("refused: %v", err)
	}
	s = settled(t)
	fetch = one[codes.Fetch](t, tick(s, 5*time.Second))
	apply(s, state.FetchFailed{Meta: meta(5 * time.Second), Effect: fetch, Err: unauthorized()})
	if err := s.Poll.RefusedAtStart(); err != nil {
		t.Errorf("refused later: %v", err)
	}
}

func TestNoticesLeave(t *testing.T) {
	for _, tt := range []struct {
		level kernel.Level
		life  time.Duration
	}{{kernel.Info, 5 * time.Second}, {kernel.Good, 5 * time.Second}, {kernel.Warn, 12 * time.Second}, {kernel.Bad, 12 * time.Second}} {
		s := settled(t)
		tick(s, 2*time.Second)
		if topics := s.Notices.Say(tt.level, "hello"); topics != kernel.TopicNotice {
			t.Errorf("topics %b", topics)
		}
		tick(s, 2*time.Second+tt.life-time.Millisecond)
		if s.Notice().Text != "hello" {
			t.Error("it left too early")
		}
		if topics, _ := s.Tick(at(2*time.Second + tt.life)); topics&kernel.TopicNotice == 0 || s.Notice().Text != "" {
			t.Error("it stays")
		}
	}
}

func TestTheUseOfTheHourIsTheLatestTold(t *testing.T) {
	s := newStore()
	m := meta(0)
	m.Budget.Hour = 17
	apply(s, answer(one[wallets.Fetch](t, tick(s, 0)), m))
	apply(s, state.SummaryLoaded{Meta: meta(0)})
	if s.Poll.Budget().Hour != 17 {
		t.Errorf("used %d", s.Poll.Budget().Hour)
	}
}
