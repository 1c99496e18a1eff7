package alerts

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// AlertLines is the form of the alert lines of a card, a campaign, or of everything. Only
// what is changed in it is written.
type AlertLines struct {
	theme *theme.Theme
	store *state.Store
	what  pane.EditAlerts
	of    *dialog.Cycle
	// shown are the lines of the form's fields, the first field aside, as they were
	// when they were shown.
	shown []alert.Field
	form  *dialog.Form
	// waiting reports whether lines are being saved, done whether they were.
	waiting, done bool
}

// NewAlertLines makes the form.
func NewAlertLines(t *theme.Theme, s *state.Store, what pane.EditAlerts) *AlertLines {
	d := &AlertLines{theme: t, store: s, what: what}
	if c, ok := s.Cards.Get(what.Card); ok && what.Campaign == "" {
		d.what.Campaign = s.Insight.Campaign(what.Card, c.Label)
	}
	d.of = &dialog.Cycle{Values: d.choices()}
	if what.Card == "" && what.Campaign == "" {
		d.of.At = len(d.of.Values) - 1
	}
	d.show()
	return d
}

// choices are what lines can be set for.
func (d *AlertLines) choices() []string {
	var all []string
	if _, ok := d.store.Cards.Get(d.what.Card); ok {
		all = append(all, d.store.Cards.Name(d.what.Card))
	}
	if d.what.Campaign != "" {
		all = append(all, d.campaign())
	}
	return append(all, d.all())
}

func (d *AlertLines) campaign() string { return d.theme.Words.Tf("campaign %s", d.what.Campaign) }

// all is the choice of the lines of everything that has none of its own.
func (d *AlertLines) all() string { return d.theme.Words.T("all") }

// show makes the fields of what is chosen.
func (d *AlertLines) show() {
	r := d.store.Alerts.Rules()
	switch d.of.Value() {
	case d.all():
		d.shown = r.AllFields()
	case d.campaign():
		d.shown = r.CampaignFields(d.what.Campaign)
	default:
		c, _ := d.store.Cards.Get(d.what.Card)
		d.shown = r.CardFields(&c)
	}
	fields := []*dialog.Field{{Label: d.theme.Words.T("for"), Hint: d.theme.Words.T("space: card, campaign or all"), Entry: d.of}}
	for _, f := range d.shown {
		fd := &dialog.Field{Label: d.theme.Words.T(f.Label), Hint: d.theme.Words.T(f.Hint), Entry: dialog.NewText()}
		fd.Offer(f.Text)
		fd.Entry.SetPlaceholder(d.theme.Words.T("never"))
		fields = append(fields, fd)
	}
	d.form = dialog.NewForm(d.theme, fields...)
	d.form.Enter = d.theme.Words.T("save")
}

// Sync makes the form read the store again.
func (d *AlertLines) Sync(s *state.Store, _ kernel.Topic) {
	d.store = s
	saving, err := s.Alerts.Saving()
	if !d.waiting || saving {
		return
	}
	d.waiting = false
	if d.done = err == nil; err != nil {
		d.form.Note = err.Error()
	}
}

// Traits implements Dialog.
func (d *AlertLines) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Typing: !d.waiting && d.form.Letters(), Commits: true, Done: d.done}
}

// Act moves between the fields, or saves.
func (d *AlertLines) Act(a keymap.Action) dialog.Result {
	switch {
	case d.waiting: // Closed, it would not be known what was saved. It ends within seconds.
		return dialog.Result{}
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case d.form.Act(a):
		return dialog.Result{}
	case a == keymap.Confirm:
		return d.save()
	}
	return dialog.Result{}
}

func (d *AlertLines) save() dialog.Result {
	changes := d.changes()
	if d.form.FirstWrong() {
		return dialog.Result{}
	}
	in := alerts.Set{Settings: changes}
	if d.form.Note = d.store.Check(in).Reason; len(changes) == 0 {
		d.form.Note = d.theme.Words.T("no changes yet")
	}
	if d.form.Note != "" {
		return dialog.Result{}
	}
	d.waiting = true
	return dialog.Result{Intents: []kernel.Intent{in}}
}

// changes are the lines that were changed. What is wrong is shown at its field.
func (d *AlertLines) changes() []settings.Setting {
	d.form.ClearProblems()
	var out []settings.Setting
	for i := range d.shown {
		fd, f := d.form.Fields[i+1], &d.shown[i]
		var value string
		if value, fd.Problem = f.Parse(d.store.Words(), fd.Entry.Value()); fd.Entry.Value() != f.Text && fd.Problem == "" {
			out = append(out, settings.Setting{Path: slices.Clone(f.Path), Value: value})
		}
	}
	return out
}

// Type types into the focused field.
func (d *AlertLines) Type(key, text string) dialog.Result {
	if d.waiting {
		return dialog.Result{}
	}
	before := d.of.At
	d.form.Edit(func(e dialog.Entry) { e.Key(key, text) })
	if d.of.At != before {
		d.show()
	}
	d.changes()
	return dialog.Result{}
}

// Paste pastes into the focused field.
func (d *AlertLines) Paste(text string) {
	if !d.waiting {
		d.form.Edit(func(e dialog.Entry) { e.Paste(text) })
		d.changes()
	}
}

// View draws the box.
func (d *AlertLines) View(w, h int) []string {
	return d.form.Draw(d.theme.Words.T("Alert lines"), min(w, 76), h, nil, d.waiting)
}
