package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state/codes"
)

const otpKey = "sk_test_otpcommand"

// clock is the virtual time of the bubble it is read in.
func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// till is a sandbox with one card, and a run of the command on it.
type till struct {
	checkout
	t         *testing.T
	world     *sandbox.Server
	card      map[string]any
	out, errs bytes.Buffer
	board     *clipboard.Fake
	later     sync.WaitGroup
}

func otpStory(t *testing.T, o otpOptions, tell func(s *till)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 3, APIKeys: []string{otpKey}, Cards: -1, Wallet: "100", Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := world.Close(); err != nil {
				t.Error(err)
			}
		})
		s := &till{t: t, world: world, board: clipboard.NewFake(clock)}
		p := program{app.Program{Errs: &s.errs, Now: clock}, &s.out}
		eng := testEngine(t, world, otpKey)
		if o.timeout == 0 {
			o.timeout = time.Minute
		}
		s.checkout = checkout{program: p, otpOptions: o, eng: eng, ttl: 30 * time.Second}
		s.card = s.ask("/v1/cards", `{"bin_id":"424242","amount":5,"label":"a \"b\" <c>&\u2028\\"}`)
		tell(s)
		s.later.Wait()
	})
}

// testEngine asks a world with a key.
func testEngine(t *testing.T, world *sandbox.Server, key string) *engine.Engine {
	t.Helper()
	none, err := journal.Open("", clock)
	if err != nil {
		t.Fatal(err)
	}
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: world.Transport(), Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eng = engine.New(engine.Config{Client: cl, Journal: none, Now: clock})
	return eng
}

// after does something later, while the command runs. The story ends after it.
func (s *till) after(d time.Duration, do func()) {
	s.later.Go(func() {
		time.Sleep(d) //nolint:forbidigo // virtual time in a bubble
		do()
	})
}

func (s *till) ask(path, body string) map[string]any {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+otpKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.world.Transport().RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It is in memory.
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusCreated {
		s.t.Fatalf("%s: %d %s %v", path, res.StatusCode, data, err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *till) challenge(code, amount string) map[string]any {
	s.t.Helper()
	id, _ := s.card["id"].(string)
	return s.ask("/sandbox/challenges", `{"card_id":"`+id+`","merchant":"Acme \"& Sons\"","otp":"`+code+`","amount":`+amount+`}`)
}

// end reports how the command ended, as main does.
func (s *till) end(err error) int { return cli.Report(&s.errs, err) }

func (s *till) wants(out string, errs ...string) {
	s.t.Helper()
	if got := s.out.String(); got != out {
		s.t.Errorf("printed %q, want %q", got, out)
	}
	got := s.errs.String()
	if len(errs) == 0 && got != "" {
		s.t.Errorf("told %q, want nothing", got)
	}
	for _, part := range errs {
		if !strings.Contains(got, part) {
			s.t.Errorf("told %q, want %q in it", got, part)
		}
	}
	if strings.Contains(got, "482913") {
		s.t.Errorf("the code is told: %q", got)
	}
}

func TestOTPPrintsTheDigitsAlone(t *testing.T) {
	otpStory(t, otpOptions{wait: true}, func(s *till) {
		s.after(20*time.Second, func() { s.challenge("482913", "12.5") })
		if code := s.end(s.print(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.wants("482913\n")
	})
}

func TestOTPTellsAPersonWhatTheCodeIsFor(t *testing.T) {
	otpStory(t, otpOptions{wait: true}, func(s *till) {
		s.interactive = true
		s.after(20*time.Second, func() { s.challenge("482913", "1234.5") })
		if code := s.end(s.print(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		last4, _ := s.card["last4"].(string)
		s.wants("482913\n", "cardtop: waiting for a code until ", `cardtop: this code for Acme "& Sons", $1,234.50, a "b" <c>& \ ••`+last4+", 4:59 left\n")
	})
}

func TestOTPTellsThatACodeReplacesAnother(t *testing.T) {
	otpStory(t, otpOptions{}, func(s *till) {
		s.interactive = true
		s.challenge("111111", "12.5")
		<-time.After(time.Second)
		s.challenge("482913", "12.5")
		if code := s.end(s.print(s.t.Context())); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.wants("482913\n", ", which replaces an earlier one, ")
	})
}

func TestOTPAsJSON(t *testing.T) {
	for name, either := range map[string]bool{"by id": false, "any card": true} {
		t.Run(name, func(t *testing.T) {
			otpStory(t, otpOptions{json: true}, func(s *till) {
				s.interactive = true
				id, _ := s.card["id"].(string)
				if !either {
					s.checkout.card = id
				}
				made := s.challenge("082913", "1250.10")
				if code := s.end(s.print(s.t.Context())); code != cli.ExitDone {
					t.Errorf("exit code %d", code)
				}
				last4, _ := s.card["last4"].(string)
				challenge, _ := made["id"].(string)
				s.wants(`{"code":"082913","card_id":"` + id + `","last4":"` + last4 + `","label":"a \"b\" <c>& \\","merchant":"Acme \"& Sons\"",` +
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
			otpStory(t, otpOptions{copy: true}, func(s *till) {
				s.challenge("482913", "12.5")
				time.Sleep(tt.age) //nolint:forbidigo // virtual time in a bubble
				if code := s.end(s.copyTo(s.t.Context(), s.board)); code != cli.ExitDone {
					t.Errorf("exit code %d", code)
				}
				if s.board.Text() != "482913" {
					t.Errorf("the clipboard holds %q", s.board.Text())
				}
				last4, _ := s.card["last4"].(string)
				ends := clock().Add(tt.clear)
				for _, p := range []string{"482913", "\n"} {
					if got := strings.TrimSuffix(s.errs.String(), "\n"); strings.Contains(got, p) {
						t.Errorf("told %q", got)
					}
				}
				s.wants("", `cardtop: copied the code for Acme "& Sons", $12.50, a "b" <c>& \ ••`+last4+"; cleared at ")
				// The server's clock is known to half a second.
				time.Sleep(tt.clear - time.Second) //nolint:forbidigo // virtual time in a bubble
				if s.board.Text() == "" {
					t.Error("the clipboard was cleared too soon")
				}
				time.Sleep(ends.Sub(clock()) + time.Second) //nolint:forbidigo // virtual time in a bubble
				if s.board.Text() != "" {
					t.Error("the clipboard was not cleared on time")
				}
			})
		})
	}
}

func TestOTPFailsWithoutAWordOnStandardOutput(t *testing.T) {
	fault := func(kind string) func(*till) {
		return func(s *till) { s.ask("/sandbox/faults", `{"route":"*","kind":"`+kind+`"}`) }
	}
	tests := []struct {
		name string
		o    otpOptions
		make func(*till)
		code int
		text string
	}{
		{"none waiting", otpOptions{}, nil, cli.ExitTimeout, "cardtop: no code is waiting\n"},
		{"none in time", otpOptions{wait: true}, nil, cli.ExitTimeout, "cardtop: no code came in 1m0s\n"},
		{"key refused", otpOptions{wait: true}, func(s *till) { s.refuse() }, cli.ExitAuth, "cardtop: the API refused the key: replace it, cardtop doctor says where it is from\n"},
		{"limited", otpOptions{wait: true}, fault("rate_limit"), cli.ExitLimit, "cardtop: no code came in 1m0s: the API's rate limit is reached\n"},
		{"limited, now", otpOptions{}, fault("rate_limit_bare"), cli.ExitLimit, "cardtop: the API's rate limit is reached\n"},
		{"failing, now", otpOptions{}, fault("server_error"), cli.ExitFailed, "cardtop: the API failed (500): internal error\n"},
		{"silent, now", otpOptions{}, fault("commit_then_timeout"), cli.ExitFailed, "cardtop: the API does not answer (timed out)\n"},
		{"unknown card", otpOptions{wait: true, card: "nobody"}, nil, cli.ExitUsage, "cardtop: --card: no card has that id, last four digits or label\n"},
		{"interrupted", otpOptions{wait: true, timeout: time.Hour}, nil, cli.ExitInterrupted, ""},
	}
	for _, tt := range tests {
		for name, copies := range map[string]bool{"": false, " copying": true} {
			t.Run(tt.name+name, func(t *testing.T) {
				otpStory(t, tt.o, func(s *till) {
					if tt.make != nil {
						tt.make(s)
					}
					ctx, cancel := context.WithCancel(s.t.Context())
					defer cancel()
					if tt.code == cli.ExitInterrupted {
						s.after(time.Second, cancel)
					}
					err := error(nil)
					if copies {
						err = s.copyTo(ctx, s.board)
						if _, cerr := s.board.Copy(s.t.Context(), clipboard.Item{Secret: []byte("1"), TTL: time.Second}); !errors.Is(cerr, clipboard.ErrClosed) {
							t.Errorf("the clipboard is left open: %v", cerr)
						}
					} else {
						err = s.print(ctx)
					}
					if code := s.end(err); code != tt.code || s.errs.String() != tt.text {
						t.Errorf("exit code %d with %q, want %d with %q", code, s.errs.String(), tt.code, tt.text)
					}
					if s.out.Len() > 0 || s.board.Copies() > 0 {
						t.Errorf("printed %q", s.out.String())
					}
				})
			})
		}
	}
}

// refuse goes on with a key that the sandbox does not know.
func (s *till) refuse() { s.eng = testEngine(s.t, s.world, "sk_test_other") }

// shut is a standard output that takes nothing.
type shut struct{ writes int }

func (s *shut) Write([]byte) (int, error) {
	s.writes++
	return 0, os.ErrClosed
}

func TestOTPWithoutAStandardOutput(t *testing.T) {
	for name, o := range map[string]otpOptions{"digits": {}, "json": {json: true}} {
		t.Run(name, func(t *testing.T) {
			otpStory(t, o, func(s *till) {
				closed := &shut{}
				s.program.out = closed
				s.challenge("482913", "12.5")
				if code := s.end(s.print(s.t.Context())); code != cli.ExitFailed {
					t.Errorf("exit code %d", code)
				}
				s.wants("", "cardtop: print code: file already closed\n")
				if closed.writes != 1 {
					t.Errorf("it was written to %d times", closed.writes)
				}
			})
		})
	}
}

func TestOTPThatCannotBeCopied(t *testing.T) {
	otpStory(t, otpOptions{copy: true}, func(s *till) {
		s.board.FailCopy(errors.New("no display"))
		s.challenge("482913", "12.5")
		if code := s.end(s.copyTo(s.t.Context(), s.board)); code != cli.ExitFailed {
			t.Errorf("exit code %d", code)
		}
		s.wants("", "no display")
	})
}

// TestOTPSentToATerminal does not claim what nobody can check.
func TestOTPSentToATerminal(t *testing.T) {
	otpStory(t, otpOptions{copy: true}, func(s *till) {
		s.challenge("482913", "12.5")
		if code := s.end(s.copyTo(s.t.Context(), sends{s.board})); code != cli.ExitDone {
			t.Errorf("exit code %d", code)
		}
		s.wants("", "cardtop: sent the code for Acme", "to the terminal, which is asked to clear it at ", "; neither can be verified\n")
	})
}

// sends is a clipboard that is the terminal's.
type sends struct{ *clipboard.Fake }

func (s sends) Copy(ctx context.Context, it clipboard.Item) (clipboard.Report, error) {
	r, err := s.Fake.Copy(ctx, it)
	r.State = clipboard.Sent
	return r, err
}

// TestOTPUsage runs the command as main does, without an account.
func TestOTPUsage(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ args, text string }{
		{"--wait", "no account: set CARDTOP_API_KEY or a profile"},
		{"--card=", "--card is empty"},
		{"--json --copy", "choose one"},
		{"--timeout 0s", "--timeout has to be more than 0"},
		{"--timeout -1s", "--timeout takes a time such as 90m, 24h"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		root := commands(program{app.Program{Errs: &errs, Now: clock}, &out})
		root.SetArgs(append([]string{"otp", "--config", empty}, strings.Fields(tt.args)...))
		code := cli.Report(&errs, root.ExecuteContext(t.Context()))
		if code != cli.ExitUsage || !strings.Contains(errs.String(), tt.text) || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, printed %q", tt.args, code, errs.String(), out.String())
		}
	}
}
