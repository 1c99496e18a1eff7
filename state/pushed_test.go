package state_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/webhooks"
)

const (
	pushURL = "https://hooks.example.com/t0ken"
	sec     = time.Second
)

// pushedStore is a store that has asked for its address and read one list of codes.
func pushedStore(t *testing.T, change ...func(*settings.Config)) *state.Store {
	t.Helper()
	s := newStore(append([]func(*settings.Config){func(c *settings.Config) { c.Push = true }}, change...)...)
	none[state.OpenPush](t, step(s, 0))
	one[state.OpenPush](t, step(s, sec))
	return s
}

// step lets time pass, answers what is asked for of codes, and returns the effects.
func step(s *state.Store, d time.Duration, items ...api.Challenge) []kernel.Effect {
	effects := tick(s, d)
	for _, f := range all[codes.Fetch](effects) {
		effects = append(effects, apply(s, codes.Loaded{Fetch: f, Meta: meta(d), Items: items})...)
	}
	return effects
}

// codesRead reads codes at d.
func codesRead(t *testing.T, s *state.Store, d time.Duration, items ...api.Challenge) {
	t.Helper()
	s.Poll.MakeDue(poll.Codes)
	one[codes.Fetch](t, step(s, d, items...))
}

func pending(id string, d time.Duration) api.Challenge {
	return api.Challenge{ID: api.ChallengeID(id), CardID: "card_1", Status: api.ChallengePending, OTP: api.NewOTP("482913"), CreatedAt: at(d), ExpiresAt: at(d + 5*time.Minute)}
}

// openPush answers OpenPush, and the list of webhooks that follows.
func openPush(t *testing.T, s *state.Store, ev state.PushOpened, list ...api.Webhook) []kernel.Effect {
	t.Helper()
	ev.Meta = meta(sec)
	if ev.URL == "" {
		ev.URL, ev.Secret = pushURL, api.NewSigningSecret(whsec)
	}
	apply(s, ev)
	f := one[webhooks.Fetch](t, step(s, 2*sec))
	return apply(s, webhooks.Loaded{Fetch: f, Meta: meta(2 * sec), Items: list})
}

// registerPush opens an address that no webhook leads to, and stores its secret. It
// returns the registration that follows.
func registerPush(t *testing.T, s *state.Store, ev state.PushOpened) state.Op {
	t.Helper()
	effects := openPush(t, s, ev)
	none[state.Do](t, effects)
	if kept := one[state.KeepPush](t, effects); kept.Webhook != "" || !kept.Secret.IsZero() {
		t.Fatalf("%+v", kept)
	}
	return one[state.Do](t, apply(s, state.PushKept{Meta: meta(2 * sec)})).Op
}

func ownHook() api.Webhook {
	return api.Webhook{ID: "wh_1", URL: pushURL, Events: []api.Text{"*"}}
}

func beats(s *state.Store, d time.Duration, events ...string) []kernel.Effect {
	return apply(s, state.PushReported{Meta: meta(d), Report: push.Report{At: at(d), Beat: true, Events: events}})
}

func wantPush(t *testing.T, s *state.Store, want push.State, why string) {
	t.Helper()
	if got, because := s.Push.Status(); got != want || !strings.Contains(because, why) || why == "" && because != "" {
		t.Errorf("push is %d %q, want %d %q", got, because, want, why)
	}
}

func TestTheAddressIsRegisteredWithASecretOfItsOwn(t *testing.T) {
	s := pushedStore(t)
	op := registerPush(t, s, state.PushOpened{})
	if body := string(op.Write.Body); op.Kind != state.OpSubscribe || !op.Write.Sensitive || !strings.Contains(body, pushURL) || !strings.Contains(body, whsec) || !strings.Contains(body, `["*"]`) {
		t.Fatalf("it sends %+v", op.Write.Route)
	}
	wantPush(t, s, push.Opening, "")
	hook := ownHook()
	effects := apply(s, state.OpDone{Meta: meta(3 * sec), Op: op.ID, Webhook: &hook})
	if kept := one[state.KeepPush](t, effects); kept.Webhook != "wh_1" || !kept.Secret.IsZero() {
		t.Errorf("%+v", kept)
	}
	none[secrets.HoldSigning](t, effects)
	if s.Webhooks.Signing().Webhook != "" || s.Notice().Text != "" {
		t.Errorf("a dialog or a notice: %q", s.Notice().Text)
	}
	wantNoUndo(t, s, "nothing to undo in this session")
	beats(s, 4*sec)
	wantPush(t, s, push.On, "")
	f := one[webhooks.Fetch](t, effects)
	none[state.Do](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(4 * sec), Items: []api.Webhook{ownHook()}}))
}

func TestWhatIsThereIsUsedAgain(t *testing.T) {
	s := pushedStore(t, func(c *settings.Config) { c.ReadOnly = true })
	none[state.Do](t, openPush(t, s, state.PushOpened{Known: true, URL: pushURL, Webhook: "wh_1"}, ownHook()))
	beats(s, 3*sec)
	wantPush(t, s, push.On, "")
}

func TestTheSecretGoesOnceTheAddressIsRegistered(t *testing.T) {
	opened := func(known bool) state.PushOpened {
		return state.PushOpened{Known: known, URL: pushURL, Secret: api.NewSigningSecret(whsec)}
	}
	s, ev := pushedStore(t), opened(false)
	op := registerPush(t, s, ev)
	if ev.Secret.IsZero() {
		t.Error("the secret is gone before the answer")
	}
	hook := ownHook()
	apply(s, state.OpDone{Meta: meta(3 * sec), Op: op.ID, Webhook: &hook})
	if !ev.Secret.IsZero() {
		t.Error("the secret stays after the registration")
	}
	s, ev = pushedStore(t), opened(true)
	openPush(t, s, ev, ownHook())
	if !ev.Secret.IsZero() {
		t.Error("the secret of a webhook that is there stays")
	}
	f := one[webhooks.Fetch](t, step(s, 6*time.Minute))
	none[state.Do](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(6 * time.Minute)}))
}

func TestASecretThatCannotBeStoredIsNotRegistered(t *testing.T) {
	s := pushedStore(t)
	one[state.KeepPush](t, openPush(t, s, state.PushOpened{}))
	none[state.Do](t, apply(s, state.PushKept{Meta: meta(2 * sec), Err: errors.New("disk full")}))
	step(s, 3*sec)
	wantPush(t, s, push.Lost, "not registered: the signing secret cannot be stored: disk full")
	f := one[webhooks.Fetch](t, step(s, 6*time.Minute))
	one[state.KeepPush](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(6 * time.Minute)}))
}

// TestAKillBeforeTheRegistrationIsAnswered starts again with what is on disk at each
// step of a registration: one webhook comes of it, and it is verified with the secret
// that was registered.
func TestAKillBeforeTheRegistrationIsAnswered(t *testing.T) {
	again := func(ops []state.Op, known bool, list ...api.Webhook) (*state.Store, []kernel.Effect) {
		s := newStore(func(c *settings.Config) { c.Push = true })
		s.Resume(ops, at(0))
		step(s, 0)
		one[state.OpenPush](t, step(s, sec))
		return s, openPush(t, s, state.PushOpened{Known: known, URL: pushURL, Secret: api.NewSigningSecret(whsec)}, list...)
	}
	s := pushedStore(t)
	one[state.KeepPush](t, openPush(t, s, state.PushOpened{}))
	// Before the secret is stored, and after.
	_, effects := again(nil, false)
	one[state.KeepPush](t, effects)
	_, effects = again(nil, true)
	none[state.KeepPush](t, effects)
	one[state.Do](t, effects)
	// A webhook that was there before the secret was stored is another machine's.
	s, effects = again(nil, false, ownHook())
	none[state.KeepPush](t, effects)
	none[state.Do](t, effects)
	wantPush(t, s, push.Lost, "not on this machine")
	// The registration is in the journal: sent and done, sent and lost.
	op := registerPush(t, pushedStore(t), state.PushOpened{})
	op.Key, op.At = "of-the-killed-run", at(0)
	made := ownHook()
	made.CreatedAt = at(0)
	s, effects = again([]state.Op{op}, true, made)
	none[state.Do](t, effects)
	if forgotten := one[state.Forget](t, effects); forgotten.Op.Key != op.Key || forgotten.Status != state.OpStatusResolvedDone {
		t.Errorf("%+v", forgotten)
	}
	beats(s, 3*sec)
	wantPush(t, s, push.On, "")
	s, effects = again([]state.Op{op}, true)
	none[state.Do](t, effects) // It may be on its way still.
	f := one[webhooks.Fetch](t, step(s, 6*time.Minute))
	effects = apply(s, webhooks.Loaded{Fetch: f, Meta: meta(6 * time.Minute)})
	if d := one[state.Do](t, effects); d.Op.Key == op.Key {
		t.Error("it is sent under a key whose body is not known")
	}
	if forgotten := one[state.Forget](t, effects); forgotten.Op.Key != op.Key || forgotten.Status != state.OpStatusResolvedNotDone {
		t.Errorf("%+v", forgotten)
	}
}

func TestWhyNothingIsRegistered(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*settings.Config)
		ev     state.PushOpened
		list   []api.Webhook
		why    string
	}{
		"read-only":          {func(c *settings.Config) { c.ReadOnly = true }, state.PushOpened{}, nil, "read-only"},
		"dry run":            {func(c *settings.Config) { c.DryRun = true }, state.PushOpened{}, nil, "dry run"},
		"without its secret": {func(*settings.Config) {}, state.PushOpened{}, []api.Webhook{ownHook()}, "not on this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			s := pushedStore(t, tt.change)
			effects := openPush(t, s, tt.ev, tt.list...)
			none[state.Do](t, effects)
			none[state.ShowRequest](t, effects)
			step(s, 3*sec)
			wantPush(t, s, push.Lost, tt.why)
			if n := s.Notice().Text; !strings.HasPrefix(n, "polling: ") {
				t.Errorf("says %q", n)
			}
		})
	}
	s := pushedStore(t)
	apply(s, state.PushOpened{Meta: meta(sec), Err: errors.New("cannot listen at 127.0.0.1:8420: address already in use")})
	wantPush(t, s, push.Lost, "address already in use")
	none[webhooks.Fetch](t, step(s, 10*time.Minute))
}

func TestARefusedRegistrationIsNotSentAgain(t *testing.T) {
	s := pushedStore(t)
	op := registerPush(t, s, state.PushOpened{})
	apply(s, state.OpFailed{Meta: meta(3 * sec), Op: op.ID, Err: &api.Error{Status: 403, ID: "forbidden", Message: "not your role"}})
	step(s, 4*sec)
	wantPush(t, s, push.Lost, "not your role")
	f := one[webhooks.Fetch](t, step(s, 6*time.Minute))
	none[state.Do](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(6 * time.Minute)}))
}

func TestAnUnansweredRegistrationIsNotSentUnderAnotherKey(t *testing.T) {
	s := pushedStore(t)
	op := registerPush(t, s, state.PushOpened{})
	apply(s, state.OpFailed{Meta: meta(3 * sec), Op: op.ID, Err: cut()})
	var again []state.Do
	for d := 4 * sec; d < 60*sec; d += sec {
		for _, e := range step(s, d) {
			switch e := e.(type) {
			case state.Do:
				again = append(again, e)
			case webhooks.Fetch:
				apply(s, webhooks.Loaded{Fetch: e, Meta: meta(d)})
			default:
			}
		}
	}
	if len(again) == 0 {
		t.Fatal("it is not sent again")
	}
	for _, d := range again {
		if d.Op.Key != op.Key || d.Op.ID != op.ID {
			t.Errorf("sent again under %s", d.Op.Key)
		}
	}
}

func TestADeliveryMakesItsLaneDueAndALaneRests(t *testing.T) {
	s := pushedStore(t)
	openPush(t, s, state.PushOpened{Known: true}, ownHook())
	beats(s, 3*sec)
	codesRead(t, s, 4*sec)
	if src := s.Poll.Source(poll.Codes); src.Pushed || src.Every != time.Second {
		t.Fatalf("before a delivery %+v", src)
	}
	beats(s, 4*sec+500*time.Millisecond, "3ds.challenge")
	one[codes.Fetch](t, step(s, 4*sec+500*time.Millisecond, pending("3ds_1", 4*sec)))
	if src := s.Poll.Source(poll.Codes); !src.Pushed || src.Every != 10*time.Second {
		t.Errorf("once a code was told of %+v", src)
	}
	if src := s.Poll.Source(poll.Feed); !src.Pushed || src.Every != 15*time.Second {
		t.Errorf("transactions %+v", src)
	}
	for d := 5 * sec; d < 14*sec; d += sec {
		none[codes.Fetch](t, step(s, d))
	}
	// A code that nothing told of.
	two := []api.Challenge{pending("3ds_1", 4*sec), pending("3ds_2", 12*sec)}
	one[codes.Fetch](t, step(s, 15*sec, two...))
	if src := s.Poll.Source(poll.Codes); src.Pushed || src.Every != time.Second {
		t.Errorf("codes rest although nothing told of one: %+v", src)
	}
	if one[codes.Fetch](t, step(s, 16*sec, two...)); !s.Poll.Source(poll.Feed).Pushed {
		t.Error("it is decided before the delivery could come")
	}
	step(s, 19*sec, two...)
	wantPush(t, s, push.Lost, "a delivery was missed")
	if s.Poll.Source(poll.Feed).Pushed || s.Notice().Text != "polling: a delivery was missed" {
		t.Errorf("after a miss %+v, says %q", s.Poll.Source(poll.Feed), s.Notice().Text)
	}
}

func TestAMinuteWithoutAHeartbeatEndsTheRest(t *testing.T) {
	s := pushedStore(t)
	openPush(t, s, state.PushOpened{Known: true}, ownHook())
	beats(s, 3*sec)
	codesRead(t, s, 4*sec)
	beats(s, 5*sec, "3ds.challenge")
	codesRead(t, s, 5*sec, pending("3ds_1", 4*sec))
	apply(s, state.PushReported{Meta: meta(25 * sec), Report: push.Report{At: at(25 * sec), Unreached: "answered 502"}})
	step(s, 64*sec)
	wantPush(t, s, push.On, "")
	if wake := s.NextWake(); wake.After(at(65 * sec)) {
		t.Errorf("it wakes at %s", wake)
	}
	one[codes.Fetch](t, step(s, 65*sec)) // It was due at 74.
	wantPush(t, s, push.Lost, "no heartbeat for 60 s: answered 502")
	if s.Poll.Source(poll.Codes).Pushed {
		t.Error("codes rest")
	}
	for d := 66 * sec; d < 90*sec; d += sec {
		step(s, d)
		if wake := s.NextWake(); !wake.After(at(d)) {
			t.Fatalf("at %s it wakes at %s: it never rests", d, wake)
		}
	}
	beats(s, 70*sec)
	wantPush(t, s, push.On, "")
}

func TestAWebhookThatIsGoneIsSaidAndNotMadeAnew(t *testing.T) {
	s := pushedStore(t)
	op := registerPush(t, s, state.PushOpened{})
	hook := ownHook()
	f := one[webhooks.Fetch](t, apply(s, state.OpDone{Meta: meta(3 * sec), Op: op.ID, Webhook: &hook}))
	apply(s, webhooks.Loaded{Fetch: f, Meta: meta(4 * sec), Items: []api.Webhook{ownHook()}})
	beats(s, 5*sec)
	wantPush(t, s, push.On, "")
	f = one[webhooks.Fetch](t, step(s, 6*time.Minute))
	none[state.Do](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(6 * time.Minute)}))
	step(s, 6*time.Minute+sec)
	wantPush(t, s, push.Lost, "was deleted")
}

// TestARegistrationOfTheUserIsNotSettledByTheOwnWebhook: they may be at the same host.
func TestARegistrationOfTheUserIsNotSettledByTheOwnWebhook(t *testing.T) {
	s := pushedStore(t)
	mine := ownHook()
	mine.CreatedAt = at(2 * sec)
	openPush(t, s, state.PushOpened{Known: true, URL: pushURL, Secret: api.NewSigningSecret(whsec)}, mine)
	op := sent(t, s, state.CreateWebhook{URL: "https://hooks.example.com/mine", Events: []string{"*"}})
	asked := 0
	for d := 3 * sec; d < 10*time.Minute; d += sec {
		effects := apply(s, state.OpFailed{Meta: meta(d), Op: op.ID, Err: cut()})
		for _, f := range all[webhooks.Fetch](append(effects, step(s, d)...)) {
			asked++
			none[state.Forget](t, apply(s, webhooks.Loaded{Fetch: f, Meta: meta(d), Items: []api.Webhook{mine}}))
		}
	}
	if left, ok := s.Ops.ByID(op.ID); !ok || left.Phase != state.Unsettled || asked == 0 {
		t.Errorf("%+v, read %d times", left, asked)
	}
}

func TestACheckoutThatWaitsForACodeIsPolledAsPlanned(t *testing.T) {
	s := pushedStore(t)
	openPush(t, s, state.PushOpened{Known: true}, ownHook())
	beats(s, 3*sec)
	codesRead(t, s, 4*sec)
	beats(s, 5*sec, "3ds.challenge")
	codesRead(t, s, 5*sec, pending("3ds_1", 4*sec))
	if !s.Poll.Source(poll.Codes).Pushed {
		t.Fatal("codes do not rest")
	}
	s.Poll.Arm()
	if src := s.Poll.Source(poll.Codes); src.Pushed || src.Every != 500*time.Millisecond {
		t.Errorf("armed %+v", src)
	}
}
