// Package alerts is the pane that shows what wants the user's attention. It
// takes the place of the card list.
package alerts

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// Pane lists the alerts.
type Pane struct {
	pane.List[alert.Alert, alert.ID]

	keys *keymap.Map
	// lacks is what was not read yet that would raise further alerts; empty when all was.
	lacks string
	// done says that the user is done with the alert under the cursor: it goes
	// on to the one that takes its place.
	done bool
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[alert.Alert, alert.ID]{
		Name: lang.N("Alerts"), Columns: columns(), Key: func(a alert.Alert) alert.ID { return a.ID },
		List: func() []alert.Alert { return p.Store.Alerts.All() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Detail: p.detail, MostDetail: 3, Rest: p.rest,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Alerts }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicAlerts | kernel.TopicCards | kernel.TopicSpend | kernel.TopicHealth | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	if p.Store == nil || changed&kernel.TopicClock != 0 { // It counts all cards.
		p.lacks = lacking(s)
	}
	if p.done && changed&kernel.TopicAlerts != 0 {
		p.done = false
		p.UpdateNext(s)
		return
	}
	p.Update(s)
}

// Act moves the cursor, exports the list, acknowledges or snoozes the alert, or
// asks for something to be done with its card.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.Export {
		return []kernel.Intent{pane.ExportRows{Rows: p.Store.Alerts.Rows(p.Rows())}}
	}
	picked, ok := p.Picked()
	switch {
	case !ok && a == keymap.AlertLines:
		return []kernel.Intent{pane.EditAlerts{}}
	case !ok:
		return nil
	case a == keymap.Acknowledge:
		p.done = true
		return []kernel.Intent{alerts.Acknowledge{ID: picked.ID}}
	case a == keymap.Snooze:
		p.done = true
		return []kernel.Intent{alerts.Snooze{ID: picked.ID}}
	case a == keymap.AlertLines:
		return []kernel.Intent{pane.EditAlerts{Card: picked.Card, Campaign: picked.Campaign}}
	case picked.Card != "":
		return pane.OnCard(p.Store, picked.Card, a)
	case a == keymap.Inspect:
		return p.open(picked)
	}
	return nil
}

// open opens what an alert is about that is about no single card: the cards of the
// campaign or the BIN, or the plan that it proposes.
func (p *Pane) open(a alert.Alert) []kernel.Intent {
	filter := ""
	name, _ := a.Rule()
	days, soon := alert.DaysOf(&a)
	switch r, known := p.Store.Rules.Get(name); {
	case a.Kind == alert.IdleCards:
		return []kernel.Intent{state.ReviewIdle{}}
	case a.Kind == alert.Expired:
		filter = "status=expired"
	case soon:
		filter = "status!=expired expires<" + days + "d"
	case known && r.Action.Acts():
		return []kernel.Intent{state.ReviewRule{Name: name}}
	case known:
		filter = r.When
	case a.Campaign != "":
		filter = pane.Term("campaign", a.Campaign)
	case a.BIN != "":
		filter = pane.Term("bin", a.BIN)
	default:
		return []kernel.Intent{kernel.Say{Level: kernel.Info, Text: p.Theme.Words.T("this alert is about the account")}}
	}
	return []kernel.Intent{pane.ShowList{List: settings.CardList, Filter: filter}}
}

// Card is that of the alert under the cursor; empty where it is of none.
func (p *Pane) Card() api.CardID {
	picked, ok := p.Picked()
	if !ok {
		return ""
	}
	return picked.Card
}
