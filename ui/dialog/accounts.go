package dialog

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Account is one that a person may turn to.
type Account struct {
	ID string
	// Name is the profile's, Where the host of its API or what stands for it.
	Name, Where       string
	Sandbox, ReadOnly bool
	// Here says that it is on the screen now, Before that it was until a person
	// turned to this one.
	Here, Before bool
}

// Accounts lists the accounts to turn to.
type Accounts struct {
	theme *theme.Theme
	// store is that of the account on the screen; nil when there is none yet.
	store *state.Store
	keys  *keymap.Map
	all   []Account
	gone  bool
	rowList
}

// NewAccounts makes the list, on the one that was on the screen before or on
// that after the one which is. gone says that this one ends when it is left.
func NewAccounts(t *theme.Theme, s *state.Store, keys *keymap.Map, all []Account, gone bool) *Accounts {
	d := &Accounts{theme: t, store: s, keys: keys, all: all, gone: gone, rowList: rowList{cursored: cursored{widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{
		{Min: 1, Max: 1}, {Min: 8, Weight: 1, Max: 24}, {Min: 14, Weight: 3},
	}})}}}
	for i := range all {
		d.order = append(d.order, i)
	}
	d.table.SetRows(len(all))
	at := slices.IndexFunc(all, func(a Account) bool { return a.Before })
	if at < 0 {
		at = (slices.IndexFunc(all, func(a Account) bool { return a.Here }) + 1) % len(all)
	}
	d.table.Move(at)
	return d
}

// Sync makes the dialog look at the store again.
func (d *Accounts) Sync(s *state.Store) { d.store = s }

// Question is false: what leaves something open is asked for.
func (*Accounts) Question() bool { return false }

// Commits is true: enter leaves this account.
func (*Accounts) Commits() bool { return true }

// Paste does nothing.
func (*Accounts) Paste(string) {}

// Bare is true: the header names the account as well.
func (*Accounts) Bare() bool { return true }

// Act turns to the account under the cursor, or closes the list.
func (d *Accounts) Act(a keymap.Action) Result {
	switch a {
	case keymap.Confirm:
		at, _ := d.table.Cursor()
		to := d.all[at]
		if to.Here {
			return Result{Close: true}
		}
		if d.store == nil || !d.store.Busy() {
			return Result{Close: true, Turn: &to}
		}
		leave := NewLeave(d.theme, d.store, d.keys.Keys(keymap.Global, keymap.Accounts), d.gone)
		leave.to = &to
		return Result{Close: true, Push: leave}
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Switch:
		d.table.Move(1)
	default:
	}
	return Result{}
}

// Type closes the list on the keys that open it or quit.
func (d *Accounts) Type(key, _ string) Result {
	act, _ := d.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Accounts || act == keymap.Quit}
}

// View draws the box.
func (d *Accounts) View(w, h int) []string {
	t := d.theme
	w = min(w, 72)
	inner := w - 2
	keys := keyLines(t, inner, "enter switch", "esc back")
	if d.store == nil {
		keys = keyLines(t, inner, "enter open", "esc quit")
	}
	foot := []string{widget.Spans(inner)}
	return d.view(t, "Profiles", w, h, nil, foot, keys, func(row int, out *widget.RowWriter) {
		a := d.all[row]
		mark, where := " ", a.Where
		if a.Here {
			mark, where = t.Glyphs.Check, "here: "+where
		}
		if a.ReadOnly {
			where = "read-only, " + where
		}
		out.Cell(t.Good, mark)
		out.Cell(t.Text, a.Name)
		out.Cell(t.Muted, where)
	})
}
