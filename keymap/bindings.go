package keymap

import "slices"

// The actions of panes, lists and dialogs.
const (
	Quit       Action = "quit"
	Suspend    Action = "suspend"
	Help       Action = "help"
	Palette    Action = "commands"
	Redraw     Action = "redraw"
	Mouse      Action = "mouse"
	NextPane   Action = "next-pane"
	PrevPane   Action = "prev-pane"
	PaneOne    Action = "pane-1"
	PaneTwo    Action = "pane-2"
	PaneThree  Action = "pane-3"
	PaneFour   Action = "pane-4"
	PaneFive   Action = "pane-5"
	Zoom       Action = "zoom"
	Back       Action = "back"
	Up         Action = "up"
	Down       Action = "down"
	PageUp     Action = "page-up"
	PageDown   Action = "page-down"
	First      Action = "first"
	Last       Action = "last"
	OpenFilter Action = "filter"
	Sort       Action = "sort"
	SortBack   Action = "sort-back"
	Pause      Action = "pause"
	Inspect    Action = "inspect"
	Freeze     Action = "freeze"
	Fund       Action = "fund"
	Withdraw   Action = "withdraw"
	Reveal     Action = "reveal"
	CopyNext   Action = "copy-next"
	CopyCode   Action = "copy-code"
	ResolveOp  Action = "resolve"
	Issue      Action = "issue"
	Duplicate  Action = "duplicate"
	Edit       Action = "edit"
	Terminate  Action = "terminate"
	Undo       Action = "undo"
	DryRun     Action = "dry-run"
	Arm        Action = "arm"
	Requests   Action = "requests"
	Export     Action = "export"

	OpenHistory Action = "history"

	CopyThisCode Action = "copy-this-code"
	Confirm      Action = "confirm"
	Cancel       Action = "cancel"
	Switch       Action = "switch"
	NextField    Action = "next-field"
	PrevField    Action = "previous-field"
)

// Defaults returns the default table.
func Defaults() []Binding {
	return append([]Binding{
		{Action: Reveal, Context: Card, Keys: []string{"r"}, Short: "reveal", Help: "Show number and expiry; again: CVV; again: hide", Footer: 2, Needs: NeedDetails},
		{Action: CopyNext, Context: Card, Keys: []string{"y"}, Short: "copy", Help: "Copy number, expiry, CVV, name, address, in turn", Footer: 3, Needs: NeedDetails},
		{Action: Arm, Context: Card, Keys: []string{"a"}, Short: "arm", Help: "Arm checkout: show the card's next code large; again: disarm", Footer: 8},
		{Action: Freeze, Context: Card, Keys: []string{"f"}, Short: "freeze", Help: "Freeze or unfreeze the card", Words: "block stop", Footer: 5, Needs: NeedWrite, Many: true, AtOnce: true},
		{Action: Fund, Context: Card, Keys: []string{"+"}, Short: "fund", Help: "Fund the card from the wallet", Words: "money top up", Footer: 6, Needs: NeedWrite, Many: true},
		{Action: Withdraw, Context: Card, Keys: []string{"-"}, Short: "withdraw", Help: "Withdraw from the card to the wallet", Words: "money take back empty", Footer: 7, Needs: NeedWrite | NeedLead, Many: true},

		{Action: Inspect, Context: Cards, Keys: []string{"enter"}, Short: "inspect", Help: "Open the card", Footer: 1, Needs: NeedCard, Asks: true},
		{Action: OpenFilter, Context: Cards, Keys: []string{"/"}, Short: "filter", Help: "Filter: words, bal<20 status=frozen", Words: "search find idle empty lasts", Footer: 8},
		{Action: Sort, Context: Cards, Keys: []string{"s"}, Short: "sort", Help: "Sort by next column", Footer: 9},
		{Action: SortBack, Context: Cards, Keys: []string{"S"}, Help: "Reverse sort"},

		{Action: CopyThisCode, Context: Codes, Keys: []string{"y"}, Short: "copy this", Help: "Copy this code", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: Inspect, Context: Codes, Keys: []string{"enter"}, Short: "card", Help: "Open the code's card", Footer: 2, Needs: NeedCard, Asks: true},

		{Action: OpenTransaction, Context: Feed, Keys: []string{"enter"}, Short: "open", Help: "Open the transaction", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: OpenFilter, Context: Feed, Keys: []string{"/"}, Short: "filter", Help: "Filter: words, amt>50 type=declined", Words: "search find", Footer: 8},
		{Action: Pause, Context: Feed, Keys: []string{"p"}, Short: "pause", Help: "Pause; new rows wait", Footer: 9},

		{Action: OpenTransaction, Context: Inspector, Keys: []string{"enter"}, Short: "open", Help: "Open the transaction", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: Back, Context: Inspector, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 1},

		{Action: Inspect, Context: History, Keys: []string{"enter"}, Short: "card", Help: "Open the record's card", Footer: 1, Needs: NeedCard, Asks: true},
		{Action: OpenFilter, Context: History, Keys: []string{"/"}, Short: "filter", Help: "Filter: card, action, outcome, error", Footer: 8},
		{Action: Export, Context: History, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: History, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear filter, or back", Footer: 2},

		{Action: CopyCode, Context: Global, Keys: []string{"o"}, Short: "copy code", Help: "Copy the newest 3DS code", Footer: 4},
		{Action: NextPane, Context: Global, Keys: []string{"tab"}, Short: "panes", Help: "Next pane", Footer: 11},
		{Action: PrevPane, Context: Global, Keys: []string{"shift+tab"}, Help: "Previous pane"},
		{Action: PaneOne, Context: Global, Keys: []string{"1"}, Help: "Go to cards"},
		{Action: PaneTwo, Context: Global, Keys: []string{"2"}, Help: "Go to codes"},
		{Action: PaneThree, Context: Global, Keys: []string{"3"}, Help: "Go to transactions"},
		{Action: PaneFour, Context: Global, Keys: []string{"4"}, Help: "Go to wallet", Words: "money balance"},
		{Action: PaneFive, Context: Global, Keys: []string{"5"}, Help: "Go to spending"},
		{Action: Zoom, Context: Global, Keys: []string{"m"}, Help: "Zoom the pane to the whole screen; again: all panes"},
		{Action: Back, Context: Global, Keys: []string{"esc"}, Help: "Close the large code, clear filter, or back"},
		{Action: Help, Context: Global, Keys: []string{"?"}, Short: "help", Help: "Show keys and symbols", Footer: 12},
		{Action: Palette, Context: Global, Keys: []string{"ctrl+p", ":"}, Short: "commands", Help: "Find a command, card, transaction or setting", Footer: 11},
		{Action: Requests, Context: Global, Keys: []string{"B"}, Help: "Show API usage and code delays"},
		{Action: OpenHistory, Context: Global, Keys: []string{"H"}, Help: "Show the history of operations"},
		{Action: Redraw, Context: Global, Keys: []string{"ctrl+l"}, Help: "Redraw the screen"},
		{Action: Mouse, Context: Global, Keys: []string{"M"}, Help: "Release the mouse for text selection; again: capture it"},
		{Action: Quit, Context: Global, Keys: []string{"q"}, Short: "quit", Help: "Quit", Footer: 13, AtOnce: true},
		{Action: Quit, Context: Always, Keys: []string{"ctrl+c"}, Help: "Quit immediately", Fixed: true, AtOnce: true},
		{Action: Suspend, Context: Always, Keys: []string{"ctrl+z"}, Help: "Suspend, hiding card details first", Fixed: true},
	}, slices.Concat(moving(), writing(), many(), finding(), hiding(), alerting(), ruling(), teaming(), screens(), accounts())...)
}

// moving are the keys of lists and dialogs.
func moving() []Binding {
	return []Binding{
		{Action: Up, Context: Lists, Keys: []string{"up", "k"}, Help: "Row up"},
		{Action: Down, Context: Lists, Keys: []string{"down", "j"}, Help: "Row down"},
		{Action: PageUp, Context: Lists, Keys: []string{"pgup", "ctrl+b"}, Help: "Page up"},
		{Action: PageDown, Context: Lists, Keys: []string{"pgdown", "ctrl+f"}, Help: "Page down"},
		{Action: First, Context: Lists, Keys: []string{"g", "home"}, Help: "First row; resumes the live feed"},
		{Action: Last, Context: Lists, Keys: []string{"G", "end"}, Help: "Last row"},

		{Action: Confirm, Context: Dialog, Keys: []string{"enter"}, Help: "Press the button"},
		{Action: Switch, Context: Dialog, Keys: []string{"tab", "left", "right", "shift+tab"}, Help: "Other button"},
		{Action: Cancel, Context: Dialog, Keys: []string{"esc"}, Help: "Back, no change"},

		{Action: Confirm, Context: Filter, Keys: []string{"enter"}, Short: "done", Help: "Apply filter", Footer: 1},
		{Action: Cancel, Context: Filter, Keys: []string{"esc"}, Short: "clear", Help: "Clear filter", Footer: 2},
	}
}
