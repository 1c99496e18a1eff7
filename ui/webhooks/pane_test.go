package webhooks_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	webhooksui "github.com/cardtop/cardtop/ui/webhooks"
)

func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Webhooks = []api.Webhook{
		{ID: "wh_1", URL: "https://hooks.example.com/日本", Events: []api.Text{"*"}, Active: new(true), CreatedAt: panetest.At(-time.Hour)},
		{ID: "wh_2", URL: "https://two.example.com/t0ken", Events: []api.Text{"card.frozen", "card.funded"}, Active: new(false), CreatedAt: panetest.At(-2 * time.Hour)},
		{ID: "wh_3", URL: "https://three.example.com", Events: []api.Text{"a", "b", "c"}},
		{ID: "wh_4", URL: "https://four.example.com"},
	}
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, webhooksui.New(panetest.Theme(t), panetest.Keys()), w, h)
}

func TestWebhooksThatWereNotReadSayWhatToDo(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(0)
	open(t, a, 80, 12).See("loading webhooks…")
	a.Err = errors.New("cut")
	a.Do(webhooks.Load{})
	open(t, a, 80, 12).See("r retries: cut", "not loaded, r retries")
	a = panetest.New(t)
	a.Wait(0)
	a.Do(webhooks.Load{})
	open(t, a, 80, 12).See("1 Webhooks  0", "no webhooks: n registers one")
}

func TestAPrivateWebhookShowsNoAddress(t *testing.T) {
	t.Parallel()
	a := account(t, panetest.Private)
	a.Wait(0)
	a.Do(webhooks.Load{})
	s := open(t, a, 110, 16)
	s.See("•••", "● active")
	s.SeeNot("example.com", "t0ken")
}

func TestAWebhookThatIsDeletedSaysSo(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(0)
	a.Do(webhooks.Load{})
	a.Begin(state.DeleteWebhook{Webhook: "wh_1"})
	s := open(t, a, 110, 16)
	if line := s.Line("deleting…"); line == "" || line != s.Line("hooks.example.com") {
		t.Errorf("deleting: %q", line)
	}
}
