package keymap

// UserCommand returns the rows of a user command, one for each context; they have
// no keys yet. Help may be empty.
func UserCommand(name, help string, writes bool, places ...Context) []Binding {
	if help == "" {
		help = "Run the command " + name
	}
	rows := make([]Binding, 0, len(places))
	for _, c := range places {
		rows = append(rows, Binding{Action: UserCommandAction(name), Context: c, Command: name, Help: help, Writes: writes})
	}
	return rows
}

// UserCommandAction returns the action of a user command.
func UserCommandAction(name string) Action { return Action("run-" + name) }

// Command returns the name of the user command that an action runs; false for an
// action of the program.
func (m *Map) Command(a Action) (name string, ok bool) {
	for _, b := range m.rows {
		if b.Action == a {
			return b.Command, b.Command != ""
		}
	}
	return "", false
}

// Holds reports whether an action has a row in a context, with a key or without.
func (m *Map) Holds(c Context, a Action) bool {
	for _, b := range m.rows {
		if b.Context == c && b.Action == a {
			return true
		}
	}
	return false
}
