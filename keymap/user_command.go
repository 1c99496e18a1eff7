package keymap

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
