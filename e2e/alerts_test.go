package e2e

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// alerting is a person who wants to know of everything.
func alerting(c *ui.Config) {
	c.Alerts = alert.Rules{
		Wallet: 13000 * api.Dollar, Cards: 10 * api.Dollar, Declines: true, Deposit: time.Second,
		Low: []alert.Own[api.USD]{{Of: "fb/retarget/*", Line: 60 * api.Dollar}},
	}
	c.Store.Reload(c.Reloadable)
}

// settingsFile is the configuration file; wrong is why it cannot be written.
type settingsFile struct {
	text  string
	wrong error
}

// saver writes settings into the file, which the program then reads again.
func (f *settingsFile) saver(d *driver) func([]settings.Setting) error {
	if f == nil {
		return nil
	}
	return func(changes []settings.Setting) error {
		path := filepath.Join(d.t.TempDir(), "config.toml")
		err := errors.Join(f.wrong, os.WriteFile(path, []byte(f.text), 0o600))
		if err == nil {
			err = config.Source{Path: path}.Save(changes)
		}
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f.text = string(text)
		settings, err := config.Parse("config.toml", text)
		go d.prog.Send(ui.ReloadMsg{Settings: ui.Settings{Keys: keymap.New(keymap.Defaults()), Reloadable: settings.Reloadable}, Err: err})
		return err
	}
}

// insight is an account with a month of spending, and a person who wants to know of all
// that follows from it.
func insight(w, h int) options {
	o := spender(w, h)
	o.wallet = "1500"
	o.change = func(c *ui.Config) {
		c.Alerts = alert.Defaults()
		c.Alerts.Cards, c.Alerts.Limit, c.SpendHourly = 0, nil, 1000
		c.Alerts.WalletLasts, c.Alerts.CampaignLasts, c.Alerts.CardLasts = 10*24*time.Hour, 5*24*time.Hour, 60*time.Hour
		c.Alerts.Rate, c.Alerts.RateFrom = []int{7, 25}, 15
		c.Store.Reload(c.Reloadable)
	}
	return o
}

// misuse declines a card's payment again and again, and charges it in a country that its
// campaign was never used in.
func (d *driver) misuse() {
	c := d.pick()
	for range 4 {
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "decline", "amount": 12.5, "merchant": "Acme", "country": "IE", "decline_reason": "insufficient_balance"})
	}
	d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "authorization", "amount": 2.5, "merchant": "Bazar", "country": "RO"})
	d.wait(2 * time.Minute)
}

// TestTheCountOfAlertsIsAtLeastWhileThePastIsRead in the header, as on the list of alerts.
func TestTheCountOfAlertsIsAtLeastWhileThePastIsRead(t *testing.T) {
	t.Parallel()
	o := insight(160, 45)
	rules := o.change
	o.change = func(c *ui.Config) {
		rules(c)
		c.Alerts.Wallet = 2000 * api.Dollar // Low from the first answer on.
		c.Store.Reload(c.Reloadable)
	}
	story(t, o, func(d *driver) {
		reading, whole, before := 0, 0, true
		for range 240 {
			top, _, _ := strings.Cut(d.screen(), "\n")
			var lacks bool
			d.inside(func(s *state.Store) { lacks = s.Alerts.AtLeast() })
			switch {
			case !strings.Contains(top, "alert"):
			case lacks != before: // It is drawn within a second.
			case lacks != strings.Contains(top, "! ≥"):
				t.Fatalf("something was not read yet: %v; %s", lacks, top)
			case lacks:
				reading++
			default:
				whole++
			}
			before = lacks
			d.wait(time.Second)
		}
		if reading == 0 || whole == 0 {
			t.Errorf("%d seconds with an alert while the past was read, %d after it", reading, whole)
		}
	})
}
