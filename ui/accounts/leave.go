package accounts

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The keys of the list of accounts.
const (
	accountAdd    = "n"
	accountEdit   = "e"
	accountRemove = "x"
)

// Accounts lists the accounts to switch to.
type Accounts struct {
	dialog.Inert
	theme *theme.Theme
	// store is that of the account on screen; nil when there is none yet.
	store *state.Store
	keys  *keymap.Map
	// profiles stores accounts; nil where that cannot be.
	profiles Profiles
	all      []dialog.Account
	gone     bool
	dialog.RowList
}

// NewAccounts makes the list. The cursor starts on the previous account, or on
// the one after the current. gone: the current one ends when it is left.
func NewAccounts(t *theme.Theme, s *state.Store, keys *keymap.Map, all []dialog.Account, gone bool) *Accounts {
	d := &Accounts{theme: t, store: s, keys: keys, all: all, gone: gone, RowList: dialog.RowList{Cursored: dialog.Cursored{Table: widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{
		{Min: 1, Max: 1}, {Min: 8, Weight: 1, Max: 24}, {Min: 14, Weight: 3},
	}})}}}
	for i := range all {
		d.Order = append(d.Order, i)
	}
	d.Table.SetRows(len(all))
	at := slices.IndexFunc(all, func(a dialog.Account) bool { return a.Before })
	if at < 0 {
		at = (slices.IndexFunc(all, func(a dialog.Account) bool { return a.Here }) + 1) % len(all)
	}
	d.Table.Move(at)
	return d
}

// Editable lets the user add accounts and, once one is open, change and remove them.
func (d *Accounts) Editable(p Profiles) *Accounts {
	d.profiles = p
	return d
}

// Sync makes the dialog read the store again.
func (d *Accounts) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Traits implements Dialog.
func (d *Accounts) Traits() dialog.Traits {
	return dialog.Traits{Commits: true, Public: true, Move: d.Move}
}

// Act switches to the account under the cursor, or closes the list.
func (d *Accounts) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Confirm:
		to := d.cursor()
		if to.Here {
			return dialog.Result{Close: true}
		}
		return SwitchTo(d.theme, d.store, d.keys, to, d.gone)
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Switch:
		d.Table.Move(1)
	default:
	}
	return dialog.Result{}
}

// cursor is the account under it.
func (d *Accounts) cursor() dialog.Account {
	at, _ := d.Table.Cursor()
	return d.all[at]
}

// SwitchTo closes the dialog and opens another account, after a question when
// something is under way. gone: the account on the screen ends when it is left.
func SwitchTo(t *theme.Theme, s *state.Store, keys *keymap.Map, to dialog.Account, gone bool) dialog.Result {
	if s == nil || !s.Busy() {
		return dialog.Result{Close: true, SwitchTo: &to}
	}
	leave := NewLeave(t, s, keys.Keys(keymap.Global, keymap.Accounts), gone)
	leave.to = &to
	return dialog.Result{Close: true, Push: leave}
}

// Type adds, changes or removes an account. It closes the list on the keys that
// open it or quit.
func (d *Accounts) Type(key, _ string) dialog.Result {
	if d.profiles != nil {
		switch key {
		case accountAdd:
			return d.form(nil)
		case accountEdit, accountRemove:
			if d.store != nil {
				return d.change(key)
			}
		}
	}
	act, _ := d.keys.Resolve(key, keymap.Global)
	if act == keymap.OpenAccounts && d.store != nil {
		return dialog.Result{Close: true, Run: &keymap.Binding{Action: act, Context: keymap.Global}}
	}
	return dialog.Result{Close: act == keymap.Accounts || act == keymap.Quit}
}

// form opens the form of an account in place of the list; nil is a new account.
func (d *Accounts) form(on *dialog.Account) dialog.Result {
	f := NewAccountForm(d.theme, d.store, d.keys, d.profiles, on, d.all, d.gone)
	f.back = d
	return dialog.Result{Close: true, Push: f, Job: f.Look()}
}

// change opens what changes or removes the account under the cursor.
func (d *Accounts) change(key string) dialog.Result {
	on := d.cursor()
	switch {
	case on.Stored == nil:
		return dialog.Result{Told: d.theme.Words.Tf("%s is not in the configuration: nothing to edit or remove", on.Name)}
	case key == accountEdit:
		return d.form(&on)
	case on.Here:
		return dialog.Result{Told: d.theme.Words.Tf("%s is open: switch to another account first, then remove it", on.Name)}
	}
	return dialog.Result{Close: true, Push: newRemoveAccount(d.theme, d.profiles, on, d)}
}

// View draws the box.
func (d *Accounts) View(w, h int) []string {
	t := d.theme
	w = min(w, 72)
	inner := w - 2
	hints := []string{"enter " + t.Words.T("switch"), "esc " + t.Words.T("back")}
	if d.store == nil {
		hints = []string{"enter " + t.Words.T("open"), "esc " + t.Words.T("quit")}
	}
	if key := d.keys.Key(keymap.OpenAccounts); key != "" && d.store != nil {
		hints = append(hints, key+" "+t.Words.T("all"))
	}
	if d.profiles != nil {
		hints = append(hints, accountAdd+" "+t.Words.T("add"))
	}
	if d.profiles != nil && d.store != nil {
		hints = append(hints, accountEdit+" "+t.Words.T("edit"), accountRemove+" "+t.Words.T("remove"))
	}
	keys := dialog.KeyLines(t, inner, hints...)
	foot := []string{widget.Spans(inner)}
	return d.Draw(t, t.Words.T("Accounts"), w, h, nil, foot, keys, func(row int, out *widget.RowWriter) {
		a := d.all[row]
		mark, where := " ", t.Words.T(a.Where)
		if a.Here {
			mark, where = t.Glyphs.Check, t.Words.Tf("current: %s", where)
		}
		if a.ReadOnly {
			where = t.Words.Tf("read-only, %s", where)
		}
		out.Cell(t.Good, mark)
		out.Cell(t.Text, a.Name)
		out.Cell(t.Muted, where)
	})
}

// Leave asks before the program ends while operations have no response.
type Leave struct {
	dialog.Inert
	theme *theme.Theme
	store *state.Store
	again []string
	gone  bool
	to    *dialog.Account // the account to switch to; nil to quit
	dialog.Scroller
}

// leaveKey confirms where no key opens the dialog, as from the palette.
const leaveKey = "y"

// NewLeave makes the dialog; the keys in again, those that opened it, confirm.
// gone: the account ends with the program.
func NewLeave(t *theme.Theme, s *state.Store, again []string, gone bool) *Leave {
	if len(again) == 0 {
		again = []string{leaveKey}
	}
	return &Leave{theme: t, store: s, again: again, gone: gone}
}

// Sync makes the dialog read the store again.
func (l *Leave) Sync(s *state.Store, _ kernel.Topic) { l.store = s }

// Traits implements Dialog.
func (l *Leave) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Public: true, Move: l.Move}
}

// Act closes the dialog and stays.
func (l *Leave) Act(a keymap.Action) dialog.Result {
	return dialog.Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type quits or switches on the key that opened the dialog.
func (l *Leave) Type(key, _ string) dialog.Result {
	if !slices.Contains(l.again, key) {
		return dialog.Result{}
	}
	return dialog.Result{Quit: true, SwitchTo: l.to}
}

// View draws the box.
func (l *Leave) View(w, h int) []string {
	t := l.theme
	w = min(w, 62)
	inner := w - 2
	var lines []string
	for _, text := range slices.Concat(l.pending(), l.rest(), l.running()) {
		lines = append(lines, dialog.Paragraph(inner, t.Text, text)...)
	}
	title, does := t.Words.T("Quit"), t.Words.T("quit")
	if l.to != nil {
		title, does = t.Words.Tf("Switch to %s", l.to.Name), t.Words.T("switch")
	}
	keys := []string{"esc " + t.Words.T("stay"), l.again[0] + " " + does}
	if room := h - 3; len(lines) > room {
		keys = append(keys, "↑↓ "+t.Words.T("scroll"))
	} else if len(lines)+2 <= room {
		lines = slices.Concat([]string{widget.Spans(inner)}, lines, []string{widget.Spans(inner)})
	}
	foot := dialog.KeyLines(t, inner, keys...)
	return dialog.Scrolled(t, title, append(l.Part(lines, h-2-len(foot)), foot...), w, l.Scroll)
}

// next names the way back.
func (l *Leave) next() string {
	if l.to != nil {
		return l.theme.Words.T("switching back")
	}
	return l.theme.Words.T("restarting")
}

// pending describes the operations without a response.
func (l *Leave) pending() []string {
	n, words := l.store.Ops.PendingCount(), l.theme.Words
	if n == 0 {
		return nil
	}
	what := words.Tn(n, "%d operation has no response", "%d operations have no response")
	if l.gone {
		return []string{what, words.T("they end with the sandbox")}
	}
	return []string{what, words.Tf("%s within 2 minutes retries with the same key; later, compare balance and transactions", l.next())}
}

// running names the user's commands that will be killed.
func (l *Leave) running() []string {
	var lines []string
	for _, name := range l.store.Commands.Running() {
		lines = append(lines, l.theme.Words.Tf("the command %s is still running and will be killed", name))
	}
	return lines
}

// rest describes the rows of plans that are not sent.
func (l *Leave) rest() []string {
	n, later, words := l.store.Bulk.Unfinished(), l.store.Bulk.Later(), l.theme.Words
	if l.gone {
		n, later = n+later, 0
	}
	var lines []string
	switch {
	case n == 0:
	case l.gone:
		lines = append(lines, words.Tf("%d rows of a bulk plan are not sent and will be lost", n))
	default:
		lines = append(lines, words.Tf("%d rows of a bulk plan are not sent; %s offers to resume", n, l.next()))
	}
	if later > 0 {
		lines = append(lines, words.Tf("%d rows wait for a next part and will be lost", later))
	}
	return lines
}
