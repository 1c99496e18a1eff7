package keymap

// Own makes the rows of a command of a person's own, one for each place where
// it holds; they have no keys yet. Help may be empty.
func Own(name, help string, writes bool, places ...Context) []Binding {
	if help == "" {
		help = "Run the command " + name
	}
	rows := make([]Binding, 0, len(places))
	for _, c := range places {
		rows = append(rows, Binding{Action: OwnAction(name), Context: c, Command: name, Help: help, Writes: writes})
	}
	return rows
}

// OwnAction is what a command of a person's own is called among the actions.
func OwnAction(name string) Action { return Action("run-" + name) }

// Command gives the name of the command of a person's own that an action runs;
// false when it is the program's own.
func (m *Map) Command(a Action) (name string, ok bool) {
	for _, b := range m.rows {
		if b.Action == a {
			return b.Command, b.Command != ""
		}
	}
	return "", false
}

// Holds tells whether an action has a row in a context, with a key or without.
func (m *Map) Holds(c Context, a Action) bool {
	for _, b := range m.rows {
		if b.Context == c && b.Action == a {
			return true
		}
	}
	return false
}
