package keymap

// writing are the keys that open forms and confirmations, and those of forms.
func writing() []Binding {
	return []Binding{
		{Action: FillTo, Context: Card, Keys: []string{"="}, Help: "Top up the card or selection to a balance", Needs: NeedWrite, Many: true},
		{Action: Edit, Context: Card, Keys: []string{"e"}, Short: "edit", Help: "Edit label, limit, categories, auto-freeze, metadata", Footer: 8, Needs: NeedWrite, Many: true},
		{Action: Duplicate, Context: Card, Keys: []string{"I"}, Help: "Issue a card like this one", Needs: NeedWrite, Asks: true},
		{Action: Terminate, Context: Card, Keys: []string{"ctrl+x"}, Help: "Terminate the card; asks for its last digits", Danger: true, Needs: NeedWrite},
		{Action: ResolveOp, Context: Card, Keys: []string{"x"}, Help: "Resolve an unconfirmed operation", Asks: true},
		{Action: Issue, Context: Global, Keys: []string{"n"}, Short: "new", Help: "Issue a card", Footer: 9, Needs: NeedWrite},
		{Action: Undo, Context: Global, Keys: []string{"u"}, Short: "undo", Help: "Undo last change; again: redo", Footer: 10, Needs: NeedWrite, AtOnce: true},
		{Action: DryRun, Context: Global, Keys: []string{"D"}, Help: "Dry run: show requests, send none; again: end"},
		{Action: Confirm, Context: Form, Keys: []string{"enter"}, Help: "Review; in a list: choose"},
		{Action: NextField, Context: Form, Keys: []string{"tab", "down"}, Help: "Next field or row"},
		{Action: PrevField, Context: Form, Keys: []string{"shift+tab", "up"}, Help: "Previous field or row"},
		{Action: Cancel, Context: Form, Keys: []string{"esc"}, Help: "Back; while sending: leave it running"},
	}
}
