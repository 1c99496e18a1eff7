package alerts

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
)

func alertLines(t *testing.T, what pane.EditAlerts) (*AlertLines, *panetest.Account) {
	t.Helper()
	a := panetest.New(t, func(c *settings.Config) { c.Alerts = settings.Defaults().Alerts })
	a.Cards = []api.CardItem{panetest.Card("card_1", "fb/spring/01", 5*api.Dollar)}
	a.Wait(2 * time.Second)
	return NewAlertLines(panetest.Theme(t), a.Store, what), a
}

// linesText is the form as text.
func linesText(d *AlertLines) string { return panetest.Text(d.View(80, 24)) }

// retype replaces what is in the field under the cursor.
func retype(d *AlertLines, text string) {
	d.Type("ctrl+u", "")
	for _, c := range text {
		d.Type(string(c), string(c))
	}
}

// written is what a result asks to be written.
func written(r dialog.Result) string {
	for _, in := range r.Intents {
		if in, ok := in.(alerts.Set); ok {
			return fmt.Sprint(in.Settings)
		}
	}
	return ""
}

// TestOnlyTheLinesThatWereChangedAreWritten, and none when another of them is wrong.
func TestOnlyTheLinesThatWereChangedAreWritten(t *testing.T) {
	t.Parallel()
	d, _ := alertLines(t, pane.EditAlerts{Card: "card_1"})
	panetest.See(t, linesText(d), "fb/spring/01", "below $", "10.00", "lasts h", "declines %", "15, 25")
	if r := d.Act(keymap.Confirm); len(r.Intents) > 0 {
		t.Error("nothing was changed and is written")
	}
	panetest.See(t, linesText(d), "no changes yet")
	d.Act(keymap.NextField)
	retype(d, "50")
	d.Act(keymap.NextField)
	retype(d, "-1")
	if r := d.Act(keymap.Confirm); len(r.Intents) > 0 || d.Traits().Done {
		t.Error("a wrong line is written")
	}
	panetest.See(t, linesText(d), "whole hours, 0 to 720")
	retype(d, "1")
	if got := written(d.Act(keymap.Confirm)); got != `[{[alerts low card_1] "50.00"}]` {
		t.Errorf("%s is written", got)
	}
}

// TestTheFormWaitsForTheFile: it takes no key until then, and stays open when the lines
// cannot be written.
func TestTheFormWaitsForTheFile(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{nil, errors.New("the file is read-only")} {
		d, a := alertLines(t, pane.EditAlerts{})
		d.Act(keymap.NextField)
		retype(d, "900")
		r := d.Act(keymap.Confirm)
		a.Begin(r.Intents[0])
		d.Sync(a.Store, kernel.TopicAll)
		if r := d.Act(keymap.Confirm); len(r.Intents) > 0 || d.Traits().Done || d.Traits().Typing {
			t.Error("the form does not wait")
		}
		if d.Act(keymap.Cancel).Close {
			t.Error("esc leaves lines that are being written")
		}
		d.Type("1", "1")
		d.Paste("1")
		if got := d.form.Fields[1].Entry.Value(); got != "900" {
			t.Errorf("%q is typed while the lines are written", got)
		}
		a.Apply(alerts.Saved{Meta: a.Meta(), Err: failure})
		d.Sync(a.Store, kernel.TopicAll)
		if d.Traits().Done != (failure == nil) {
			t.Errorf("after %v it is done: %v", failure, d.Traits().Done)
		}
		if !d.Act(keymap.Cancel).Close {
			t.Error("esc does not close it")
		}
		if failure != nil {
			panetest.See(t, linesText(d), "the file is read-only", "900")
			if written(d.Act(keymap.Confirm)) == "" {
				t.Error("it cannot be tried again")
			}
		}
	}
}

func TestLabelsHaveRoomInEveryLanguage(t *testing.T) {
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form {
		return NewAlertLines(th, dialogtest.Store(t), pane.EditAlerts{}).form
	})
}
