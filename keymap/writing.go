package keymap

// writing are the rows of what is done to cards by forms, and of the forms
// themselves.
func writing() []Binding {
	return []Binding{
		{Action: FillTo, Context: Card, Keys: []string{"="}, Help: "Fund the card, or the selected ones, up to a balance", Writes: true},
		{Action: Edit, Context: Card, Keys: []string{"e"}, Short: "edit", Help: "Change label, limit, categories, automatic freeze, metadata", Footer: 8, Writes: true},
		{Action: Terminate, Context: Card, Keys: []string{"ctrl+x"}, Help: "Terminate the card for good; its last digits are typed first", Writes: true, Danger: true},
		{Action: Evidence, Context: Card, Keys: []string{"x"}, Help: "Resolve an unconfirmed operation"},
		{Action: Issue, Context: Global, Keys: []string{"n"}, Short: "new", Help: "Issue a card", Footer: 9, Writes: true},
		{Action: Undo, Context: Global, Keys: []string{"u"}, Short: "undo", Help: "Undo last change; again: redo it", Footer: 10, Writes: true},
		{Action: DryRun, Context: Global, Keys: []string{"D"}, Help: "Begin a dry run: writes are shown and not sent; again: end it"},
		{Action: Confirm, Context: Form, Keys: []string{"enter"}, Help: "Review it; in a list: choose"},
		{Action: NextField, Context: Form, Keys: []string{"tab", "down"}, Help: "Next field or row"},
		{Action: PrevField, Context: Form, Keys: []string{"shift+tab", "up"}, Help: "Previous field or row"},
		{Action: Cancel, Context: Form, Keys: []string{"esc"}, Help: "Back, sending nothing; while sending: leave it running"},
	}
}
