// Package keymap is the one table of actions and keys.
//
// The footer, the help, the list of commands, the printed reference and the
// conflict report are all made from the table, and ask its rows what an action
// needs. The package imports nothing of the program.
package keymap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Action names what a key does, by purpose.
type Action string

// Context names the place where a key is pressed. Within one context a key has
// one meaning.
type Context string

// The contexts. Global bindings hold wherever no dialog or text field is open.
const (
	Always Context = "always" // also in dialogs and text fields
	Global Context = "global"
	Lists  Context = "lists"
	Card   Context = "card" // wherever a card is under the cursor
	Cards  Context = "cards"
	Codes  Context = "codes"
	Feed   Context = "transactions"
	Wallet Context = "wallet"
	Dialog Context = "dialog"
	Locked Context = "locked"
	Form   Context = "form"
	Filter Context = "filter"
)

// Binding is one row of the table.
type Binding struct {
	Action  Action
	Context Context
	// Keys are as Bubble Tea names them. None means unbound.
	Keys []string
	// Short is the word in the footer, Help the line of the help.
	Short, Help string
	// Words are further words that people look for it by.
	Words string
	// Needs is what the action needs where its key is pressed.
	Needs Need
	// Many: it acts on the selected cards, where there are any.
	Many bool
	// AtOnce: the key alone writes, exports or quits; nothing is asked first.
	AtOnce bool
	// Asks: the pane only answers with intents and changes nothing of its own, so
	// that the list of commands can ask whether the key would be refused.
	Asks bool
	// Command names the user's command that the action runs; empty for the
	// program's own actions.
	Command string
	// Danger: it cannot be undone, so its key needs ctrl or alt.
	Danger bool
	// Fixed: its keys cannot be changed.
	Fixed bool
	// Footer orders the footer's words, lowest first; 0 leaves the row out.
	Footer int
}

// Need is a set of what an action needs.
type Need uint8

// What an action may need.
const (
	NeedCard    Need = 1 << iota // a card under the cursor
	NeedRow                      // a row under the cursor
	NeedDetails                  // card details, which --no-reveal refuses
	NeedWrite                    // write access to the account
	NeedLead                     // the role lead, where the account is a hub's
	NeedAdmin                    // the role admin, likewise
)

// Has reports whether the row needs n. Every row of the context Card needs one.
func (b Binding) Has(n Need) bool {
	return b.Needs&n != 0 || n == NeedCard && b.Context == Card
}

// Pure reports whether the pane answers the action with intents only.
func (b Binding) Pure() bool { return b.Asks || b.Context == Card }

// Lasts reports whether the action leaves something behind: a write, a file,
// what a user's command does, or the shell prompt.
func (b Binding) Lasts() bool { return b.AtOnce || b.Command != "" || b.Has(NeedWrite) }

// Map resolves keys to actions.
type Map struct {
	rows  []Binding
	byKey map[Context]map[string]Action
}

// New makes a map from rows. Where two rows of one context claim a key the first
// has it; Conflicts lists such keys.
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

// Take replaces the map by another for everything that holds it.
func (m *Map) Take(other *Map) { *m = *other }

// Resolve returns what a key does in the first of the contexts that binds it. A key that none binds counts as the one
// in its place on the US layout.
func (m *Map) Resolve(key string, contexts ...Context) (Action, bool) {
	if a, ok := m.resolve(key, contexts); ok {
		return a, true
	}
	return m.resolve(ByPosition(key), contexts)
}

func (m *Map) resolve(key string, contexts []Context) (Action, bool) {
	for _, c := range contexts {
		if a, ok := m.byKey[c][key]; ok {
			return a, true
		}
	}
	return "", false
}

// Chain returns the contexts of a pane's keys, nearest first.
func Chain(pane Context) []Context {
	switch pane {
	case Cards, Codes, Feed, Inspector, Charge, History, Alerts:
		return []Context{pane, Card, Lists, Global}
	default:
		return []Context{pane, Lists, Global}
	}
}

// Footer lists the footer's rows for the contexts, in their order, without those
// that a nearer context overrides.
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

// Inside reports whether a context is that of a dialog or a text field.
func (c Context) Inside() bool { return c == Dialog || c == Form || c == Filter }

// Group is a heading of the help screen with its rows.
type Group struct {
	Name    string
	Context Context
	Rows    []Binding
}

// place is what a context stands for.
type place struct {
	title string
	// closed is why its keys do nothing while the place is not on screen.
	closed string
}

// place returns what the context stands for.
func (c Context) place() place {
	if p, ok := screenPlaces()[c]; ok {
		return p
	}
	return map[Context]place{
		Always: {title: "Everywhere, also while typing"},
		Global: {title: "Everywhere"},
		Card:   {title: "On a card, in any list", closed: NoCard},
		Lists:  {title: "In any list"},
		Cards:  {title: "Cards", closed: "another screen covers the cards: esc closes it"},
		Codes:  {title: "Codes"},
		Feed:   {title: "Transactions"},
		Wallet: {title: "Wallet"},
		Dialog: {title: "In a dialog"},
		Locked: {title: "While locked", closed: "the screen is not locked"},
		Form:   {title: "In a form"},
		Filter: {title: "Typing a filter"},
	}[c]
}

// Title names the place of a context.
func (c Context) Title() string { return cmp.Or(c.place().title, string(c)) }

// Closed says why a key of the context does nothing while its place is not on
// screen; empty where only the screens know.
func (c Context) Closed() string { return c.place().closed }

// What is missing for an action.
const (
	NoCard = "no card here: go to cards, codes or transactions first"
	NoRow  = "the list is empty"
)

// Groups lists every bound row under its place, in the table's order, and the
// user's commands without a key as well.
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

// Keys returns the keys of an action in a context; none when it is unbound.
func (m *Map) Keys(c Context, a Action) []string {
	for _, b := range m.rows {
		if b.Context == c && b.Action == a {
			return b.Keys
		}
	}
	return nil
}

// Key returns the first key of an action in any context, for use in a sentence
// such as "press r to reveal".
func (m *Map) Key(a Action) string {
	for _, b := range m.rows {
		if b.Action == a && len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

// Any reports whether a row of an action is so, in any context.
func (m *Map) Any(a Action, is func(Binding) bool) bool {
	return slices.ContainsFunc(m.rows, func(b Binding) bool { return b.Action == a && is(b) })
}

// Conflict is a key that two actions of one context claim.
type Conflict struct {
	Context     Context
	Key         string
	Kept, Other Action
}

// Conflicts lists the keys that are claimed twice within a context.
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

// Text is the key reference for a terminal.
func (m *Map) Text() string {
	var b strings.Builder
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "%s\n", g.Name)
		for _, row := range g.Rows {
			fmt.Fprintf(&b, "  %-26s %s\n", strings.Join(row.Keys, " "), row.Help)
		}
	}
	return b.String()
}

// Markdown is the key reference as a page.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("# Keys\n\nWritten by `cardtop keys --markdown`. Letter keys also work by their position on Cyrillic, Greek, Hebrew and Georgian layouts, and the digits\non French ones without shift. Under `[keys]` in the configuration an action gets other keys by its name, everywhere or in one\nplace: `freeze = [\"f\", \"alt+f\"]`, `transactions.pause = \"P\"`; `[]` unbinds.\nA dialog, such as a plan or the list of accounts under `W`, shows its own keys at its foot. Those cannot be changed.\n")
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "\n## %s (`%s`)\n\n| Key | What it does | Action |\n|---|---|---|\n", g.Name, g.Context)
		for _, row := range g.Rows {
			keys := make([]string, 0, len(row.Keys))
			for _, k := range row.Keys {
				keys = append(keys, "`"+k+"`")
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", strings.Join(keys, " "), row.Help, row.Action)
		}
	}
	return b.String()
}

// UserCommand makes the rows of a user's command, one for each context; they have no
// keys yet. Help may be empty.
func UserCommand(name, help string, writes bool, places ...Context) []Binding {
	if help == "" {
		help = "Run the command " + name
	}
	var needs Need
	if writes {
		needs = NeedWrite
	}
	rows := make([]Binding, 0, len(places))
	for _, c := range places {
		rows = append(rows, Binding{Action: UserCommandAction(name), Context: c, Command: name, Help: help, Needs: needs})
	}
	return rows
}

// UserCommandAction is the action of a user's command.
func UserCommandAction(name string) Action { return Action("run-" + name) }

// Command returns the name of the user's command that an action runs, and false
// for the program's own actions.
func (m *Map) Command(a Action) (name string, ok bool) {
	for _, b := range m.rows {
		if b.Action == a {
			return b.Command, b.Command != ""
		}
	}
	return "", false
}

// Holds reports whether an action has a row in a context, with or without a key.
func (m *Map) Holds(c Context, a Action) bool {
	return m.Any(a, func(b Binding) bool { return b.Context == c })
}
