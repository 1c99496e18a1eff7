package dialog

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Account is one that the user can switch to.
type Account struct {
	ID string
	// Name is the profile's, Where the host of its API.
	Name, Where       string
	Sandbox, ReadOnly bool
	// Here: it is on screen now. Before: it was until the user switched to this
	// one.
	Here, Before bool
	// Stored is the profile as the configuration has it; nil for what is none.
	Stored *Stored
}

// Stored is a profile of the configuration.
type Stored struct {
	Address, Command string // Its base URL, and the command that prints its key.
	ReadOnly         bool   // Whatever the program was started with.
}

// The keys of the list of accounts.
const (
	accountAdd    = "n"
	accountEdit   = "e"
	accountRemove = "x"
)

// Accounts lists the accounts to switch to.
type Accounts struct {
	inert
	theme *theme.Theme
	// store is that of the account on screen; nil when there is none yet.
	store *state.Store
	keys  *keymap.Map
	// profiles stores accounts; nil where that cannot be.
	profiles Profiles
	all      []Account
	gone     bool
	rowList
}

// NewAccounts makes the list. The cursor starts on the previous account, or on
// the one after the current. gone: the current one ends when it is left.
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

// Editable lets the user add accounts and, once one is open, change and remove them.
func (d *Accounts) Editable(p Profiles) *Accounts {
	d.profiles = p
	return d
}

// Sync makes the dialog read the store again.
func (d *Accounts) Sync(s *state.Store, _ state.Topic) { d.store = s }

// Traits implements Dialog.
func (d *Accounts) Traits() Traits {
	return Traits{Commits: true, Public: true, Move: d.Move}
}

// Act switches to the account under the cursor, or closes the list.
func (d *Accounts) Act(a keymap.Action) Result {
	switch a {
	case keymap.Confirm:
		to := d.cursor()
		if to.Here {
			return Result{Close: true}
		}
		return SwitchTo(d.theme, d.store, d.keys, to, d.gone)
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Switch:
		d.table.Move(1)
	default:
	}
	return Result{}
}

// cursor is the account under it.
func (d *Accounts) cursor() Account {
	at, _ := d.table.Cursor()
	return d.all[at]
}

// SwitchTo closes the dialog and opens another account, after a question when
// something is under way. gone: the account on the screen ends when it is left.
func SwitchTo(t *theme.Theme, s *state.Store, keys *keymap.Map, to Account, gone bool) Result {
	if s == nil || !s.Busy() {
		return Result{Close: true, SwitchTo: &to}
	}
	leave := NewLeave(t, s, keys.Keys(keymap.Global, keymap.Accounts), gone)
	leave.to = &to
	return Result{Close: true, Push: leave}
}

// Type adds, changes or removes an account. It closes the list on the keys that
// open it or quit.
func (d *Accounts) Type(key, _ string) Result {
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
		return Result{Close: true, Run: &keymap.Binding{Action: act, Context: keymap.Global}}
	}
	return Result{Close: act == keymap.Accounts || act == keymap.Quit}
}

// form opens the form of an account in place of the list; nil is a new account.
func (d *Accounts) form(on *Account) Result {
	f := NewAccountForm(d.theme, d.store, d.keys, d.profiles, on, d.all, d.gone)
	f.back = d
	return Result{Close: true, Push: f, Job: f.Look()}
}

// change opens what changes or removes the account under the cursor.
func (d *Accounts) change(key string) Result {
	on := d.cursor()
	switch {
	case on.Stored == nil:
		return Result{Told: on.Name + " is not in the configuration: nothing to edit or remove"}
	case key == accountEdit:
		return d.form(&on)
	case on.Here:
		return Result{Told: on.Name + " is open: switch to another account first, then remove it"}
	}
	return Result{Close: true, Push: newRemoveAccount(d.theme, d.profiles, on, d)}
}

// View draws the box.
func (d *Accounts) View(w, h int) []string {
	t := d.theme
	w = min(w, 72)
	inner := w - 2
	hints := []string{"enter switch", "esc back"}
	if d.store == nil {
		hints = []string{"enter open", "esc quit"}
	}
	if key := d.keys.Key(keymap.OpenAccounts); key != "" && d.store != nil {
		hints = append(hints, key+" all")
	}
	if d.profiles != nil {
		hints = append(hints, accountAdd+" add")
	}
	if d.profiles != nil && d.store != nil {
		hints = append(hints, accountEdit+" edit", accountRemove+" remove")
	}
	keys := keyLines(t, inner, hints...)
	foot := []string{widget.Spans(inner)}
	return d.view(t, "Accounts", w, h, nil, foot, keys, func(row int, out *widget.RowWriter) {
		a := d.all[row]
		mark, where := " ", a.Where
		if a.Here {
			mark, where = t.Glyphs.Check, "current: "+where
		}
		if a.ReadOnly {
			where = "read-only, " + where
		}
		out.Cell(t.Good, mark)
		out.Cell(t.Text, a.Name)
		out.Cell(t.Muted, where)
	})
}
