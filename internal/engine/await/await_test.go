package await_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
)

func TestACodeThatComesLater(t *testing.T) {
	story(t, testKey, func(s *shop) {
		id, last4 := s.card("fb/spring")
		s.after(20*time.Second, func() { s.challenge(id, "Acme", "482913") })
		r := s.get(s.config(id), "482913")
		s.took(20*time.Second, 20500*time.Millisecond)
		if r.Card.Label != "fb/spring" || string(r.Card.Last4) != last4 || string(r.Card.ID) != id {
			t.Errorf("the card is %+v", r.Card)
		}
		if r.Code.Merchant != "Acme" || r.Code.Amount != 12_500_000 || r.Left < 4*time.Minute+58*time.Second {
			t.Errorf("the code is %+v, left %s", r.Code, r.Left)
		}
		if n := s.asked("GET /v1/cards/" + id); n != 1 {
			t.Errorf("the card was read %d times", n)
		}
		if n := s.asked("GET /v1/cards"); n != 0 {
			t.Errorf("all cards were read %d times", n)
		}
		if n := s.asked("GET /v1/3ds"); n < 40 || n > 42 {
			t.Errorf("the codes were read %d times in 20 s", n)
		}
		want := "waiting for a code of fb/spring ••" + last4 + " until " + s.began.Add(time.Minute).Format(time.TimeOnly)
		if !slices.Equal(s.told, []string{want}) {
			t.Errorf("told %q", s.told)
		}
	})
}

func TestACodeThatIsThereAlready(t *testing.T) {
	for name, wait := range map[string]bool{"wait": true, "now": false} {
		t.Run(name, func(t *testing.T) {
			story(t, testKey, func(s *shop) {
				id, _ := s.card("fb/spring")
				other, _ := s.card("gg/brand")
				s.challenge(id, "Acme", "111111")
				time.Sleep(4 * time.Minute) //nolint:forbidigo // virtual time in a bubble
				s.challenge(other, "Acme", "222222")
				cfg := s.config(id)
				cfg.Wait = wait
				r := s.get(cfg, "111111")
				s.took(4*time.Minute, 4*time.Minute)
				if r.Left < 58*time.Second || r.Left > 62*time.Second {
					t.Errorf("left %s", r.Left)
				}
				cfg.Card = ""
				if r := s.get(cfg, "222222"); string(r.Card.ID) != other || r.Card.Status != "" {
					t.Errorf("the card is %+v", r.Card)
				}
				if len(s.told) != 0 {
					t.Errorf("told %q", s.told)
				}
			})
		})
	}
}

func TestWhichCodeCounts(t *testing.T) {
	tests := []struct {
		name string
		make func(s *shop, id, other string)
		want string // empty: none
	}{
		{"none", func(*shop, string, string) {}, ""},
		{"another card's", func(s *shop, _, other string) { s.challenge(other, "Acme", "222222") }, ""},
		{"the newest of two", func(s *shop, id, _ string) {
			s.challenge(id, "Acme", "111111")
			s.challenge(id, "Bolt", "222222")
		}, "222222"},
		{"completed", func(s *shop, id, _ string) {
			s.ask(http.MethodPost, "/sandbox/challenges/"+s.challenge(id, "Acme", "111111")+"/complete", nil)
		}, ""},
		{"expired", func(s *shop, id, _ string) {
			s.challenge(id, "Acme", "111111")
			time.Sleep(5 * time.Minute) //nolint:forbidigo // virtual time in a bubble
		}, ""},
		{"replaced, the newer without its code", func(s *shop, id, _ string) {
			s.challenge(id, "Acme", "111111")
			time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
			s.challenge(id, "Acme", "222222")
			s.fault("GET /3ds", "code_missing", 1)
			s.fault("GET /3ds/{challenge_id}", "server_error", 1)
		}, "222222"},
		{"not in the list, asked for by id", func(s *shop, id, _ string) {
			s.challenge(id, "Acme", "111111")
			s.fault("GET /3ds", "code_missing", 0)
		}, "111111"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			story(t, testKey, func(s *shop) {
				id, _ := s.card("fb/spring")
				other, _ := s.card("gg/brand")
				tt.make(s, id, other)
				if tt.want == "" {
					s.fail(s.now(id), context.DeadlineExceeded, "is waiting")
					s.fail(s.config(id), context.DeadlineExceeded, "came in 1m0s")
					return
				}
				s.get(s.now(id), tt.want)
				s.get(s.config(id), tt.want)
			})
		})
	}
}

// TestTheRequestLimitOfThisMachine is about requests that are not let out.
func TestTheRequestLimitOfThisMachine(t *testing.T) {
	for name, card := range map[string]string{"any": "", "id": "card_1", "name": "spring"} {
		t.Run(name, func(t *testing.T) {
			story(t, testKey, func(s *shop) {
				cfg := s.now(card)
				cfg.Do = func(_ context.Context, e kernel.Effect) kernel.Event {
					return state.Deferred{Meta: kernel.Meta{Sent: clock(), At: clock()}, Effect: e, Wait: 7 * time.Second}
				}
				s.fail(cfg, api.ErrRateLimited, "the request limit is used up by this machine")
				s.took(0, 0)
				cfg.Wait = true
				s.fail(cfg, api.ErrRateLimited, "in 1m0s: the request limit is used up")
				s.took(time.Minute, time.Minute)
			})
		})
	}
}

func TestAnOutageInTheMiddle(t *testing.T) {
	for name, card := range map[string]string{"any": "", "id": "id", "name": "SPRING"} {
		t.Run(name, func(t *testing.T) {
			story(t, testKey, func(s *shop) {
				id, _ := s.card("fb/spring")
				if card == "id" {
					card = id
				}
				s.after(5*time.Second, func() { s.cut(true) })
				s.after(10*time.Second, func() { s.challenge(id, "Acme", "482913") })
				s.after(30*time.Second, func() { s.cut(false) })
				s.get(s.config(card), "482913")
				s.took(30*time.Second, 36*time.Second)
				if len(s.told) != 2 || s.told[1] != "the API does not answer (connection refused); asking again" {
					t.Errorf("told %q", s.told)
				}
			})
		})
	}
}

func TestACardThatCannotBeReadGetsItsCode(t *testing.T) {
	story(t, testKey, func(s *shop) {
		id, _ := s.card("fb/spring")
		s.challenge(id, "Acme", "482913")
		s.fault("GET /cards/{card_id}", "server_error", 0)
		s.get(s.config(id), "482913")
		s.took(0, 0)
	})
}

func TestAKeyThatIsRevokedMeanwhile(t *testing.T) {
	story(t, testKey, func(s *shop) {
		id, _ := s.card("fb/spring")
		cfg := s.config(id)
		inner := cfg.Do
		cfg.Do = func(ctx context.Context, e kernel.Effect) kernel.Event {
			if clock().Sub(s.began) < 10*time.Second {
				return inner(ctx, e)
			}
			m := kernel.Meta{Sent: clock(), At: clock()}
			return state.FetchFailed{Meta: m, Effect: e, Err: &api.Error{Status: 401, ID: "unauthorized"}}
		}
		s.fail(cfg, api.ErrUnauthorized, "refused the key")
		s.took(10*time.Second, 11*time.Second)
	})
}

func TestALongWaitSlowsDown(t *testing.T) {
	story(t, testKey, func(s *shop) {
		cfg := s.config("")
		cfg.Timeout = 6 * time.Minute
		s.fail(cfg, context.DeadlineExceeded, "no code came in 6m0s")
		if n := s.asked("GET /v1/3ds"); n < 655 || n > 665 {
			t.Errorf("codes were read %d times, want 600 and 60", n)
		}
		if len(s.seen) != s.asked("GET /v1/3ds") {
			t.Errorf("something else was read as well")
		}
	})
}

func TestCardsByName(t *testing.T) {
	story(t, testKey, func(s *shop) {
		ids, digits := make(map[string]string), make(map[string]string)
		for i := range 130 { // Two pages.
			label := fmt.Sprintf("ads/%03d", i)
			ids[label], digits[label] = s.card(label)
		}
		named := func(label string) string {
			ids[label], digits[label] = s.card(label)
			return label + " ••" + digits[label]
		}
		spring, winter := named("fb/spring"), named("fb/winter")
		named("gg")
		named("card_box")
		gone := named("old one")
		s.ask(http.MethodDelete, "/cards/"+ids["old one"], nil)
		for i, label := range []string{"fb/spring", "gg", "card_box", "ads/129"} {
			s.challenge(ids[label], "Acme", strings.Repeat(strconv.Itoa(i+1), 6))
		}
		for name, want := range map[string]string{
			"fb/spring": "111111", "SPRING": "111111", "gg": "222222", "card_box": "333333", "ads/129": "444444",
			ids["ads/129"]: "444444",
		} {
			s.get(s.config(name), want)
		}
		for name, part := range map[string]string{
			"fb/":          "that can be " + spring + ", " + winter + ": say",
			"ads":          "••" + digits["ads/004"] + " and 125 more: say",
			"nothing":      "no card has that id, last four digits or label",
			"card_nothing": "no card has that id",
			"old":          gone + " is terminated",
			ids["old one"]: gone + " is terminated",
		} {
			s.fail(s.config(name), await.ErrCard, part)
			s.fail(s.now(name), await.ErrCard, part)
		}
		s.took(0, 0)
	})
}

func TestAFrozenCardIsTold(t *testing.T) {
	story(t, testKey, func(s *shop) {
		id, _ := s.card("fb/spring")
		s.ask(http.MethodPost, "/cards/"+id+"/freeze", nil)
		s.fail(s.config("spring"), context.DeadlineExceeded, "came in 1m0s")
		if len(s.told) != 1 || !strings.HasSuffix(s.told[0], "; the card is frozen") {
			t.Errorf("told %q", s.told)
		}
	})
}

// TestAChallengeWhoseCodeNeverComes holds up older codes for a moment only,
// and those that it replaced for good.
func TestAChallengeWhoseCodeNeverComes(t *testing.T) {
	for merchant, want := range map[api.Text]string{"Bolt": "111111", "Acme": ""} {
		synctest.Test(t, func(t *testing.T) {
			s := &shop{t: t, began: clock()}
			cfg := s.now("")
			cfg.Do = func(_ context.Context, e kernel.Effect) kernel.Event {
				m := kernel.Meta{Sent: clock(), At: clock()}
				f, ok := e.(codes.Fetch)
				if !ok {
					return state.FetchFailed{Meta: m, Effect: e, Err: errors.New("no answer")}
				}
				return codes.Loaded{Fetch: f, Meta: m, Items: []api.Challenge{
					{ID: "3ds_2", CardID: "card_1", Merchant: "Acme", Status: api.ChallengePending, CreatedAt: s.began},
					{ID: "3ds_1", CardID: "card_1", Merchant: merchant, Status: api.ChallengePending, OTP: api.NewOTP("111111"), CreatedAt: s.began.Add(-time.Minute)},
				}}
			}
			if want == "" {
				s.fail(cfg, context.DeadlineExceeded, "no code is waiting")
			} else {
				s.get(cfg, want)
			}
			s.took(5*time.Second, 5500*time.Millisecond)
		})
	}
}

// TestHostileText is about labels and codes that would drive a terminal.
func TestHostileText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{t: t, began: clock()}
		cfg := s.config("")
		cfg.Do = func(_ context.Context, e kernel.Effect) kernel.Event {
			m := kernel.Meta{Sent: clock(), At: clock()}
			f, ok := e.(codes.Fetch)
			if !ok {
				return nil
			}
			return codes.Loaded{Fetch: f, Meta: m, Items: []api.Challenge{
				{ID: "3ds_1", CardID: "card_1", Status: api.ChallengePending, OTP: api.NewOTP("  "), CreatedAt: m.At.Add(-time.Minute)},
				{ID: "3ds_2", CardID: "card_2", Status: api.ChallengePending, OTP: api.NewOTP(" 482\t913\x1b]52;c;AAAA\x07\n"), CreatedAt: m.At.Add(-2 * time.Minute)},
			}}
		}
		s.get(cfg, "482913")
		s.took(5*time.Second, 6*time.Second)
	})
}
