package codes

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/cmdtest"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/state/codes"
)

// till is a run of the command on a sandbox.
type till struct {
	*cmdtest.Till
	checkout
}

func story(t *testing.T, o options, tell func(s *till)) {
	t.Helper()
	cmdtest.Story(t, func(s *cmdtest.Till) {
		if o.timeout == 0 {
			o.timeout = time.Minute
		}
		tell(&till{s, checkout{Program: s.Program, options: o, eng: s.Engine, ttl: 30 * time.Second}})
	})
}

func TestOTPPrintsTheDigitsAlone(t *testing.T) {
	story(t, options{wait: true}, func(s *till) {
		s.After(20*time.Second, func() { s.Challenge("482913", "12.5") })
		if code := s.End(s.print(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.Wants("482913\n")
	})
}

func TestOTPTellsAPersonWhatTheCodeIsFor(t *testing.T) {
	story(t, options{wait: true}, func(s *till) {
		s.interactive = true
		s.After(20*time.Second, func() { s.Challenge("482913", "1234.5") })
		if code := s.End(s.print(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		last4, _ := s.Card["last4"].(string)
		s.Wants("482913\n", "cardtop: waiting for a code until ", `cardtop: this code for Acme "& Sons", $1,234.50, a "b" <c>& \ ••`+last4+", 4:59 left\n")
	})
}

func TestOTPTellsThatACodeReplacesAnother(t *testing.T) {
	story(t, options{}, func(s *till) {
		s.interactive = true
		s.Challenge("111111", "12.5")
		<-time.After(time.Second)
		s.Challenge("482913", "12.5")
		if code := s.End(s.print(s.T.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.Wants("482913\n", ", which replaces an earlier one, ")
	})
}

func TestOTPAsJSON(t *testing.T) {
	for name, either := range map[string]bool{"by id": false, "any card": true} {
		t.Run(name, func(t *testing.T) {
			story(t, options{json: true}, func(s *till) {
				s.interactive = true
				id, _ := s.Card["id"].(string)
				if !either {
					s.card = id
				}
				made := s.Challenge("082913", "1250.10")
				if code := s.End(s.print(s.T.Context())); code != cli.ExitDone {
					t.Errorf("exit code %d", code)
				}
				last4, _ := s.Card["last4"].(string)
				challenge, _ := made["id"].(string)
				s.Wants(`{"code":"082913","card_id":"` + id + `","last4":"` + last4 + `","label":"a \"b\" <c>& \\","merchant":"Acme \"& Sons\"",` +
					`"amount":1250.10,"currency":"USD","created_at":"2000-01-01T00:00:00Z","expires_at":"2000-01-01T00:05:00Z","challenge_id":"` + challenge + `","status":"pending","replaces":null}` + "\n")
			})
		})
	}
}

func TestOTPAsJSONOfWhatIsNotKnown(t *testing.T) {
	r := await.Result{Digits: api.NewSecret("482913"), Code: codes.Code{ID: "3ds_1", Status: api.ChallengePending, Merchant: "Evil\"}\n", ExpiresAt: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)}}
	r.Card.ID = "card_1"
	text, err := object(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"482913","card_id":"card_1","last4":null,"label":null,"merchant":"Evil\"}\n","amount":null,"currency":"USD",` +
		`"created_at":"0001-01-01T00:00:00Z","expires_at":null,"challenge_id":"3ds_1","status":"pending","replaces":null}` + "\n"
	if string(text) != want || !json.Valid(text) {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	for cents, want := range map[api.USD]string{-3_100_000: "-3.10", 0: "0.00", 1: "0.000001", 9_007_199_254_740_993_000: "9007199254740.993"} {
		r.Code.Amount, r.Code.AmountKnown = cents, true
		if text, err := object(r); err != nil || !strings.Contains(string(text), `"amount":`+want+`,`) {
			t.Errorf("got %s, %v, want %s", text, err, want)
		}
	}
}

func TestOTPCopies(t *testing.T) {
	tests := []struct {
		name  string
		age   time.Duration
		clear time.Duration
	}{
		{"fresh", 0, 30 * time.Second},
		{"about to expire", 4*time.Minute + 50*time.Second, 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			story(t, options{copy: true}, func(s *till) {
				s.Challenge("482913", "12.5")
				time.Sleep(tt.age) //nolint:forbidigo // virtual time in a bubble
				if code := s.End(s.copyTo(s.T.Context(), s.Board)); code != cli.ExitDone {
					t.Errorf("exit code %d", code)
				}
				if s.Board.Text() != "482913" {
					t.Errorf("the clipboard holds %q", s.Board.Text())
				}
				last4, _ := s.Card["last4"].(string)
				ends := cmdtest.Clock().Add(tt.clear)
				for _, p := range []string{"482913", "\n"} {
					if got := strings.TrimSuffix(s.Told.String(), "\n"); strings.Contains(got, p) {
						t.Errorf("told %q", got)
					}
				}
				s.Wants("", `cardtop: copied the code for Acme "& Sons", $12.50, a "b" <c>& \ ••`+last4+"; cleared at ")
				// The server's cmdtest.Clock is known to half a second.
				time.Sleep(tt.clear - time.Second) //nolint:forbidigo // virtual time in a bubble
				if s.Board.Text() == "" {
					t.Error("the clipboard was cleared too soon")
				}
				time.Sleep(ends.Sub(cmdtest.Clock()) + time.Second) //nolint:forbidigo // virtual time in a bubble
				if s.Board.Text() != "" {
					t.Error("the clipboard was not cleared on time")
				}
			})
		})
	}
}

func TestOTPFailsWithoutAWordOnStandardOutput(t *testing.T) {
	fault := func(kind string) func(*till) {
		return func(s *till) { s.Ask("/sandbox/faults", `{"route":"*","kind":"`+kind+`"}`) }
	}
	tests := []struct {
		name string
		o    options
		make func(*till)
		code int
		text string
	}{
		{"none waiting", options{}, nil, cli.ExitTimeout, "cardtop: no code is waiting\n"},
		{"none in time", options{wait: true}, nil, cli.ExitTimeout, "cardtop: no code came in 1m0s\n"},
		{"key refused", options{wait: true}, func(s *till) { s.eng = s.Refused() }, cli.ExitAuth, "cardtop: the API refused the key: replace it, cardtop doctor says where it is from\n"},
		{"limited", options{wait: true}, fault("rate_limit"), cli.ExitLimit, "cardtop: no code came in 1m0s: the API's rate limit is reached\n"},
		{"limited, now", options{}, fault("rate_limit_bare"), cli.ExitLimit, "cardtop: the API's rate limit is reached\n"},
		{"failing, now", options{}, fault("server_error"), cli.ExitFailed, "cardtop: the API failed (500): internal error\n"},
		{"silent, now", options{}, fault("commit_then_timeout"), cli.ExitFailed, "cardtop: the API does not answer (timed out)\n"},
		{"unknown card", options{wait: true, card: "nobody"}, nil, cli.ExitUsage, "cardtop: --card: no card has that id, last four digits or label\n"},
		{"interrupted", options{wait: true, timeout: time.Hour}, nil, cli.ExitInterrupted, ""},
	}
	for _, tt := range tests {
		for name, copies := range map[string]bool{"": false, " copying": true} {
			t.Run(tt.name+name, func(t *testing.T) {
				story(t, tt.o, func(s *till) {
					if tt.make != nil {
						tt.make(s)
					}
					ctx, cancel := context.WithCancel(s.T.Context())
					defer cancel()
					if tt.code == cli.ExitInterrupted {
						s.After(time.Second, cancel)
					}
					err := error(nil)
					if copies {
						err = s.copyTo(ctx, s.Board)
						if _, cerr := s.Board.Copy(s.T.Context(), clipboard.Item{Secret: []byte("1"), TTL: time.Second}); !errors.Is(cerr, clipboard.ErrClosed) {
							t.Errorf("the clipboard is left open: %v", cerr)
						}
					} else {
						err = s.print(ctx)
					}
					if code := s.End(err); code != tt.code || s.Told.String() != tt.text {
						t.Errorf("exit code %d with %q, want %d with %q", code, s.Told.String(), tt.code, tt.text)
					}
					if s.Printed.Len() > 0 || s.Board.Copies() > 0 {
						t.Errorf("printed %q", s.Printed.String())
					}
				})
			})
		}
	}
}

// shut is a standard output that takes nothing.
type shut struct{ writes int }

func (s *shut) Write([]byte) (int, error) {
	s.writes++
	return 0, os.ErrClosed
}

func TestOTPWithoutAStandardOutput(t *testing.T) {
	for name, o := range map[string]options{"digits": {}, "json": {json: true}} {
		t.Run(name, func(t *testing.T) {
			story(t, o, func(s *till) {
				closed := &shut{}
				s.Out = closed
				s.Challenge("482913", "12.5")
				if code := s.End(s.print(s.T.Context())); code != cli.ExitFailed {
					t.Errorf("exit code %d", code)
				}
				s.Wants("", "cardtop: print code: file already closed\n")
				if closed.writes != 1 {
					t.Errorf("it was written to %d times", closed.writes)
				}
			})
		})
	}
}

func TestOTPThatCannotBeCopied(t *testing.T) {
	story(t, options{copy: true}, func(s *till) {
		s.Board.FailCopy(errors.New("no display"))
		s.Challenge("482913", "12.5")
		if code := s.End(s.copyTo(s.T.Context(), s.Board)); code != cli.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		s.Wants("", "no display")
	})
}

// TestOTPSentToATerminal does not claim what nobody can check.
func TestOTPSentToATerminal(t *testing.T) {
	story(t, options{copy: true}, func(s *till) {
		s.Challenge("482913", "12.5")
		if code := s.End(s.copyTo(s.T.Context(), sends{s.Board})); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.Wants("", "cardtop: sent the code for Acme", "to the terminal, which is asked to clear it at ", "; neither can be verified\n")
	})
}

// sends is a clipboard that is the terminal's.
type sends struct{ *clipboard.Fake }

func (s sends) Copy(ctx context.Context, it clipboard.Item) (clipboard.Report, error) {
	r, err := s.Fake.Copy(ctx, it)
	r.State = clipboard.Sent
	return r, err
}
