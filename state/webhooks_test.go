package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/webhooks"
)

const whsec = "whsec_NOTTOBESEEN"

// hooks lets the store read its webhooks.
func hooks(t *testing.T, s *state.Store, now time.Duration, items ...api.Webhook) {
	t.Helper()
	_, effects, err := s.Dispatch(webhooks.Load{})
	if err != nil || len(effects) != 1 {
		t.Fatalf("%+v, %v", effects, err)
	}
	f, ok := effects[0].(webhooks.Fetch)
	if !ok {
		t.Fatalf("asks for %T", effects[0])
	}
	s.Apply(webhooks.Loaded{Fetch: f, Meta: meta(now), Items: items})
}

// begun starts a write and gives its operation.
func begun(t *testing.T, s *state.Store, in kernel.Intent) state.Op {
	t.Helper()
	_, effects, err := s.Dispatch(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects {
		if d, ok := e.(state.Do); ok {
			return d.Op
		}
	}
	t.Fatalf("nothing is sent: %+v", effects)
	return state.Op{}
}

var subscribe = state.CreateWebhook{URL: "https://hooks.example.com/t0ken", Events: []string{"card.frozen"}}

func TestASecretThatComesWithAWebhookGoesToTheVaultOnly(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	op := begun(t, s, subscribe)
	if op.Kind != state.OpSubscribe || !op.Write.Sensitive || op.Name != "webhook hooks.example.com" {
		t.Errorf("operation %+v", op)
	}
	hook := api.Webhook{ID: "wh_1", URL: "https://hooks.example.com/t0ken", Secret: api.NewSigningSecret(whsec)}
	_, effects := s.Apply(state.OpDone{Meta: meta(time.Second), Op: op.ID, Webhook: &hook})
	var hold secrets.HoldSigning
	for _, e := range effects {
		if h, ok := e.(secrets.HoldSigning); ok {
			hold = h
		}
	}
	if hold.Webhook != "wh_1" || hold.Secret.Expose() != whsec {
		t.Fatalf("effects %+v", effects)
	}
	// Nothing of the store can be printed with it.
	rows, _, _ := s.Webhooks.All()
	if text := fmt.Sprintf("%+v %+v %+v %#v", effects, rows, s.Notice(), *s); strings.Contains(text, whsec) {
		t.Error("the secret can be printed")
	}
	if g := s.Webhooks.Signing(); g.Webhook != "wh_1" || !g.ShownUntil.IsZero() || g.Used {
		t.Errorf("signing %+v", g)
	}
	// One at a time.
	if v := s.Check(subscribe); !strings.Contains(v.Reason, "still shown") {
		t.Errorf("verdict %+v", v)
	}
	if _, _, err := s.Dispatch(webhooks.ShowSigning{}); err != nil || s.Webhooks.Signing().ShownUntil.IsZero() {
		t.Error("it is not shown")
	}
	if _, _, err := s.Dispatch(secrets.Hide{}); err != nil || !s.Webhooks.Signing().ShownUntil.IsZero() {
		t.Error("it is not hidden with the others")
	}
	_, effects = s.Tick(at(301 * time.Second))
	_, more := s.Tick(at(302 * time.Second))
	wiped := false
	for _, e := range append(effects, more...) {
		_, ok := e.(webhooks.WipeSigning)
		wiped = wiped || ok
	}
	if !wiped || s.Webhooks.Signing().Webhook != "" {
		t.Error("it does not leave by itself")
	}
	if _, _, err := s.Dispatch(secrets.CopySigningSecret{}); err == nil {
		t.Error("what is gone is copied")
	}
}

func TestSecretsNobodyAskedForAreOverwritten(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	listed, late := api.NewSigningSecret(whsec), api.NewSigningSecret(whsec)
	hooks(t, s, 0, api.Webhook{ID: "wh_1", Secret: listed})
	s.Apply(state.OpDone{Meta: meta(0), Op: 99, Webhook: &api.Webhook{ID: "wh_2", Secret: late}})
	if !listed.IsZero() || !late.IsZero() {
		t.Error("a secret is left in memory")
	}
}

func TestAWebhookIsDeletedByItsID(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	if v := s.Check(state.DeleteWebhook{Webhook: "wh_1"}); v.Reason == "" {
		t.Error("what is not there is deleted")
	}
	hooks(t, s, 0, api.Webhook{ID: "wh_1", URL: "https://a.example.com"}, api.Webhook{ID: "wh_2", CreatedAt: at(time.Hour)})
	if rows, read, err := s.Webhooks.All(); len(rows) != 2 || rows[0].ID != "wh_2" || read.IsZero() || err != nil {
		t.Errorf("webhooks %+v", rows)
	}
	if v := s.Check(state.DeleteWebhook{Webhook: "wh_1"}); v.Reason != "" || v.Danger != kernel.Permanent {
		t.Errorf("verdict %+v", v)
	}
	op := begun(t, s, state.DeleteWebhook{Webhook: "wh_1"})
	if got, busy := s.Ops.PendingWebhook("wh_1"); !busy || got.ID != op.ID {
		t.Error("it is not under way")
	}
	if v := s.Check(state.DeleteWebhook{Webhook: "wh_1"}); !strings.Contains(v.Reason, "still under way") {
		t.Errorf("verdict %+v", v)
	}
	s.Apply(state.OpDone{Meta: meta(time.Second), Op: op.ID})
	if rows, _, _ := s.Webhooks.All(); len(rows) != 1 || rows[0].ID != "wh_2" {
		t.Errorf("webhooks %+v", rows)
	}
}

func TestADeletionAskedForAgainIsJudgedByTheList(t *testing.T) {
	for _, gone := range []bool{true, false} {
		s := newStore()
		s.Tick(at(0))
		hooks(t, s, 0, api.Webhook{ID: "wh_1"}, api.Webhook{ID: "wh_2"})
		op := begun(t, s, state.DeleteWebhook{Webhook: "wh_1"})
		fail(s, time.Second, op, cut())
		op, d := resent(t, s, time.Second, 3*time.Second)
		list := one[webhooks.Fetch](t, fail(s, d, op, &api.Error{Status: 404, ID: "not_found"}))
		left := []api.Webhook{{ID: "wh_2"}}
		if !gone {
			left = append(left, api.Webhook{ID: "wh_1"})
		}
		effects := apply(s, webhooks.Loaded{Fetch: list, Meta: meta(d + time.Second), Items: left})
		if !gone {
			e, open := s.Ops.Evidence(op.ID)
			if !open || e.Suggests != state.SuggestsNotDone || len(all[state.Forget](effects)) != 0 {
				t.Errorf("%+v, %v", e, effects)
			}
			continue
		}
		if f := one[state.Forget](t, effects); f.Status != state.OpStatusResolvedDone || s.Ops.PendingCount() != 0 {
			t.Errorf("%+v", f)
		}
		if n := s.Notice(); !strings.Contains(n.Text, "is gone, read again") {
			t.Errorf("says %q", n.Text)
		}
	}
}

// TestAListFromBeforeTheLastTryIsNoEvidence has the list read, and asked for
// again, before a registration is given up.
func TestAListFromBeforeTheLastTryIsNoEvidence(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	op, d := begun(t, s, subscribe), time.Second
	hooks(t, s, d+time.Second) // While it is asked for.
	before := one[webhooks.Fetch](t, do(t, s, webhooks.Load{}))
	for try := 1; ; try++ {
		none[webhooks.Fetch](t, fail(s, d, op, cut()))
		if now, _ := s.Ops.ByID(op.ID); now.Phase == state.Unsettled {
			break
		}
		op, d = resent(t, s, d, d+40*time.Second)
	}
	if e, _ := s.Ops.Evidence(op.ID); !e.WebhooksAt.IsZero() || e.Suggests != state.SuggestsNothing {
		t.Errorf("a list from before: %+v", e)
	}
	apply(s, webhooks.Loaded{Fetch: before, Meta: meta(d + time.Second)})
	if e, _ := s.Ops.Evidence(op.ID); !e.WebhooksAt.IsZero() || e.Suggests != state.SuggestsNothing {
		t.Errorf("one asked for before: %+v", e)
	}
	d += 2 * time.Second
	since := one[webhooks.Fetch](t, tick(s, d))
	apply(s, webhooks.Loaded{Fetch: since, Meta: meta(d)})
	if e, _ := s.Ops.Evidence(op.ID); e.WebhooksAt.IsZero() || e.Suggests != state.SuggestsNotDone {
		t.Errorf("one since: %+v", e)
	}
}

func TestAListFromBeforeADeletionIsAskedForAgain(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	hooks(t, s, 0, api.Webhook{ID: "wh_1"})
	_, effects, _ := s.Dispatch(webhooks.Load{})
	before, ok := effects[0].(webhooks.Fetch)
	if !ok {
		t.Fatal("nothing is asked for")
	}
	op := begun(t, s, state.DeleteWebhook{Webhook: "wh_1"})
	s.Apply(state.OpDone{Meta: meta(time.Second), Op: op.ID})
	s.Apply(webhooks.Loaded{Fetch: before, Meta: meta(2 * time.Second), Items: []api.Webhook{{ID: "wh_1"}}})
	if rows, _, _ := s.Webhooks.All(); len(rows) != 0 {
		t.Errorf("a list from before counts: %+v", rows)
	}
	_, effects = s.Tick(at(3 * time.Second))
	again := false
	for _, e := range effects {
		_, ok := e.(webhooks.Fetch)
		again = again || ok
	}
	if !again {
		t.Error("it is not asked for again")
	}
}

func TestWhatIsWrongWithAWebhookIsToldAtItsField(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	for _, tt := range []struct{ url, want string }{
		{"", "type the address"},
		{"hooks.example.com", "not an address"},
		{"http://hooks.example.com", "https://"},
		{"https://a:b@hooks.example.com", "no name and password"},
		{"https://hooks.example.com", ""},
	} {
		all := s.Problems(state.CreateWebhook{URL: tt.url, Events: []string{"*"}})
		if tt.want == "" && len(all) != 0 || tt.want != "" && (len(all) != 1 || all[0].Field != state.FieldURL || !strings.Contains(all[0].Reason, tt.want)) {
			t.Errorf("%q: %+v", tt.url, all)
		}
	}
	if all := s.Problems(state.CreateWebhook{URL: "https://hooks.example.com"}); len(all) != 1 || all[0].Field != state.FieldEvents {
		t.Errorf("no events: %+v", all)
	}
	ro := newStore(func(c *settings.Config) { c.ReadOnly = true })
	if v := ro.Check(subscribe); !strings.Contains(v.Reason, "read-only") {
		t.Errorf("verdict %+v", v)
	}
}

func TestARegistrationThatARestartFindsIsForAPersonToJudge(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	// The journal keeps no body of it: it cannot be sent again.
	s.Resume([]state.Op{{Kind: state.OpSubscribe, Key: "key-old", At: at(0), Tries: 1, Name: "webhook hooks.example.com", Write: &api.Write{
		Method: "POST", Route: "/webhooks", Path: "/webhooks", Sensitive: true,
	}}}, at(time.Second))
	_, effects := s.Tick(at(2 * time.Second))
	for _, e := range effects {
		if _, ok := e.(state.Do); ok {
			t.Error("it is sent again without its body")
		}
	}
	op, ok := s.Ops.Unsettled("")
	if !ok || op.Phase != state.Unsettled {
		t.Fatalf("operation %+v", op)
	}
	// The list tells.
	hooks(t, s, 3*time.Second)
	if e, _ := s.Ops.Evidence(op.ID); e.Suggests != state.SuggestsNotDone {
		t.Errorf("evidence %+v", e)
	}
	hooks(t, s, 4*time.Second, api.Webhook{ID: "wh_1", URL: "https://hooks.example.com/x", CreatedAt: at(time.Second)})
	if e, _ := s.Ops.Evidence(op.ID); e.Suggests != state.SuggestsDone || len(e.Webhooks) != 1 {
		t.Errorf("evidence %+v", e)
	}
}

func TestWebhooksThatCannotBeReadSayWhy(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	_, effects, _ := s.Dispatch(webhooks.Load{})
	s.Apply(state.FetchFailed{Meta: meta(0), Effect: effects[0], Err: errors.New("lost")})
	if _, read, err := s.Webhooks.All(); err == nil || !read.IsZero() {
		t.Errorf("%v, %v", read, err)
	}
}

func TestASecretThatTheLockTookIsToldOfWhenItIsUnlocked(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		lockFirst, copied, failed bool
		want                      string
	}{
		{name: "it comes while locked", lockFirst: true, want: "the lock removed"},
		{name: "locked before it was used", want: "the lock removed"},
		{name: "locked after it was copied", copied: true},
		{name: "locked after it could not be copied", copied: true, failed: true, want: "the lock removed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore()
			s.Tick(at(0))
			op := begun(t, s, subscribe)
			if tt.lockFirst {
				do(t, s, kernel.LockScreen{})
			}
			hook := api.Webhook{ID: "wh_1", URL: "https://hooks.example.com/t0ken", Secret: api.NewSigningSecret(whsec)}
			effects := apply(s, state.OpDone{Meta: meta(time.Second), Op: op.ID, Webhook: &hook})
			if !tt.lockFirst {
				one[secrets.HoldSigning](t, effects)
				if tt.copied {
					became := secrets.ClipCopied
					if tt.failed {
						became = secrets.ClipFailed
					}
					apply(s, secrets.ClipChanged{Seq: one[secrets.CopySigning](t, do(t, s, secrets.CopySigningSecret{})).Seq, State: became})
					s.Notices.Dismiss()
				}
				effects = do(t, s, kernel.LockScreen{})
			} else if none[secrets.HoldSigning](t, effects); hook.Secret.Expose() == whsec {
				t.Error("the secret is not wiped")
			}
			one[webhooks.WipeSigning](t, effects)
			do(t, s, kernel.UnlockScreen{})
			n := s.Notice().Text
			if tt.want == "" && n != "" || !strings.Contains(n, tt.want) || strings.Contains(n, "t0ken") {
				t.Errorf("told %q, want %q", n, tt.want)
			}
			if v := s.Ask(state.CreateWebhook{}); v.Reason != "" {
				t.Error(v.Reason)
			}
		})
	}
}

func TestOnAPrivateScreenACopiedSecretSaysWhatItIsAndNotWhose(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	op := begun(t, s, subscribe)
	hook := api.Webhook{ID: "wh_1", URL: "https://hooks.example.com/t0ken", Secret: api.NewSigningSecret(whsec)}
	apply(s, state.OpDone{Meta: meta(time.Second), Op: op.ID, Webhook: &hook})
	c := one[secrets.CopySigning](t, do(t, s, secrets.CopySigningSecret{}))
	apply(s, secrets.ClipChanged{Seq: c.Seq, At: at(time.Second), State: secrets.ClipCopied, Until: at(31 * time.Second)})
	do(t, s, kernel.TogglePrivacy{})
	if got := s.Secrets.Clip().What; got != "signing secret" {
		t.Errorf("the clipboard holds %q", got)
	}
}

// TestAWebhookThatCannotBeReadIsNotGone: its deletion without an answer stays unconfirmed.
func TestAWebhookThatCannotBeReadIsNotGone(t *testing.T) {
	for _, unread := range [][]api.Unread{{{ID: "wh_1"}}, {{Row: 1}}} {
		s := newStore()
		s.Tick(at(0))
		hooks(t, s, 0, api.Webhook{ID: "wh_1"}, api.Webhook{ID: "wh_2"})
		op := begun(t, s, state.DeleteWebhook{Webhook: "wh_1"})
		fail(s, time.Second, op, cut())
		op, d := resent(t, s, time.Second, 3*time.Second)
		list := one[webhooks.Fetch](t, fail(s, d, op, &api.Error{Status: 404, ID: "not_found"}))
		m := meta(d + time.Second)
		m.Unread = unread
		none[state.Forget](t, apply(s, webhooks.Loaded{Fetch: list, Meta: m, Items: []api.Webhook{{ID: "wh_2"}}}))
		if e, open := s.Ops.Evidence(op.ID); !open || e.Suggests != state.SuggestsNothing {
			t.Errorf("%+v", e)
		}
	}
}
