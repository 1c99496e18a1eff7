// Package keymap is the one table of what a person can do and with which key.
//
// The footer, the help screen, the printed reference and the conflict report
// are all made from the table, so none of them can say something else than
// what the program does. The package imports nothing of the program.
package keymap

import (
	"cmp"
	"slices"
)

// Action names something a person wants done, by purpose and not by key.
type Action string

// Context names the place a key is pressed in. A key may mean different
// things in different contexts; within one it means one thing.
type Context string

// The contexts. Global bindings hold wherever no dialog or text field is open.
const (
	Always    Context = "always" // also in dialogs and text fields
	Global    Context = "global"
	Lists     Context = "lists"
	Card      Context = "card" // wherever a card is under the cursor
	Cards     Context = "cards"
	Codes     Context = "codes"
	Feed      Context = "transactions"
	Wallet    Context = "wallet"
	Inspector Context = "inspector"
	History   Context = "history"
	Charge    Context = "transaction"
	Deposits  Context = "deposits"
	BINs      Context = "bins"
	Webhooks  Context = "webhooks"
	Calls     Context = "requests"
	Alerts    Context = "alerts"
	CodeTimes Context = "code-times"
	Dialog    Context = "dialog"
	Locked    Context = "locked"
	Form      Context = "form"
	Filter    Context = "filter"
)

// Binding is one row of the table.
type Binding struct {
	Action  Action
	Context Context
	// Keys are as Bubble Tea names them. None means unbound.
	Keys []string
	// Short is the word in the footer, Help the sentence of the help screen.
	Short, Help string
	// Writes says that the action changes something at the account.
	Writes bool
	// Command names the command of a person's own that the action runs; empty for
	// what the program does by itself.
	Command string
	// Danger says that it is for good: a letter alone never does it.
	Danger bool
	// Fixed says that its keys stay as they are.
	Fixed bool
	// Footer orders the footer's words, lowest first; 0 keeps the row out.
	Footer int
}

// Map resolves keys to actions.
type Map struct {
	rows  []Binding
	byKey map[Context]map[string]Action
}

// New builds a map from rows. Where two rows of one context claim a key the
// first keeps it; Conflicts tells which.
func New(rows []Binding) *Map {
	m := &Map{rows: slices.Clone(rows), byKey: make(map[Context]map[string]Action)}
	for _, b := range m.rows {
		keys := m.byKey[b.Context]
		if keys == nil {
			keys = make(map[string]Action)
			m.byKey[b.Context] = keys
		}
		for _, k := range b.Keys {
			if _, taken := keys[k]; !taken {
				keys[k] = b.Action
			}
		}
	}
	return m
}

// Take makes the map another one, for all who hold it.
func (m *Map) Take(other *Map) { *m = *other }

// Resolve finds what a key does in the first of the contexts that binds it.
func (m *Map) Resolve(key string, contexts ...Context) (Action, bool) {
	for _, c := range contexts {
		if a, ok := m.byKey[c][key]; ok {
			return a, true
		}
	}
	return "", false
}

// Chain is where a pane's keys are looked up, nearest first.
func Chain(pane Context) []Context {
	switch pane {
	case Cards, Codes, Feed, Inspector, Charge, History, Alerts:
		return []Context{pane, Card, Lists, Global}
	default:
		return []Context{pane, Lists, Global}
	}
}

// Footer lists the rows worth a word at the foot of the screen in the given
// contexts, in their order. A row whose key means something nearer is not
// among them.
func (m *Map) Footer(contexts ...Context) []Binding {
	var out []Binding
	for _, b := range m.rows {
		if b.Footer == 0 || len(b.Keys) == 0 || !slices.Contains(contexts, b.Context) {
			continue
		}
		if a, _ := m.Resolve(b.Keys[0], contexts...); a == b.Action {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b Binding) int {
		near := slices.Index(contexts, a.Context) - slices.Index(contexts, b.Context)
		return cmp.Or(a.Footer-b.Footer, near)
	})
	return out
}

// Rows lists the table.
func (m *Map) Rows() []Binding { return slices.Clone(m.rows) }

// Inside tells whether a context is that of a box or a text field, whose keys
// count only while it is open.
func (c Context) Inside() bool { return c == Dialog || c == Form || c == Filter }

// Group is a heading of the help screen with its rows.
type Group struct {
	Name    string
	Context Context
	Rows    []Binding
}

// Title names the place a context stands for.
func (c Context) Title() string {
	titles := map[Context]string{
		Always:    "Everywhere, also while typing",
		Global:    "Everywhere",
		Card:      "On a card, in any list",
		Lists:     "In any list",
		Cards:     "Cards",
		Codes:     "Codes",
		Feed:      "Transactions",
		Wallet:    "Wallet",
		Inspector: "Looking at one card",
		History:   "History",
		Charge:    "Looking at one transaction",
		Deposits:  "Deposits",
		BINs:      "BINs",
		Webhooks:  "Webhooks",
		Calls:     "Requests",
		Alerts:    "Alerts",
		CodeTimes: "Code times",
		Dialog:    "In a dialog",
		Locked:    "While locked",
		Form:      "In a form",
		Filter:    "Typing a filter",
	}
	return cmp.Or(titles[c], string(c))
}

// Groups lists every bound row under the place where it holds, in the
// table's order, and a person's own commands without a key as well.
func (m *Map) Groups() []Group {
	var out []Group
	at := make(map[Context]int)
	for _, b := range m.rows {
		if len(b.Keys) == 0 && b.Command == "" {
			continue
		}
		i, ok := at[b.Context]
		if !ok {
			i = len(out)
			at[b.Context] = i
			out = append(out, Group{Name: b.Context.Title(), Context: b.Context})
		}
		out[i].Rows = append(out[i].Rows, b)
	}
	return out
}

// Keys gives the keys of an action in a context, none when it is unbound.
func (m *Map) Keys(c Context, a Action) []string {
	for _, b := range m.rows {
		if b.Context == c && b.Action == a {
			return b.Keys
		}
	}
	return nil
}

// Key gives the first key of an action wherever it is bound, for use in a
// sentence such as "press r to reveal".
func (m *Map) Key(a Action) string {
	for _, b := range m.rows {
		if b.Action == a && len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

// Writes tells whether an action changes something at the account.
func (m *Map) Writes(a Action) bool {
	return slices.ContainsFunc(m.rows, func(b Binding) bool { return b.Action == a && b.Writes })
}

// Conflict is a key that two actions of one context claim.
type Conflict struct {
	Context     Context
	Key         string
	Kept, Other Action
}

// Conflicts lists the keys claimed twice within a context.
func (m *Map) Conflicts() []Conflict {
	var out []Conflict
	for _, b := range m.rows {
		for _, k := range b.Keys {
			if kept := m.byKey[b.Context][k]; kept != b.Action {
				out = append(out, Conflict{Context: b.Context, Key: k, Kept: kept, Other: b.Action})
			}
		}
	}
	return out
}
