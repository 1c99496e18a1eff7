package keymap

import "slices"

// The actions, by purpose.
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
	Evidence   Action = "evidence"
	Issue      Action = "issue"
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

// Defaults is the table as shipped.
func Defaults() []Binding {
	return append([]Binding{
		{Action: Reveal, Context: Card, Keys: []string{"r"}, Short: "reveal", Help: "Show number, expiry; again: CVV; again, or away: hide", Footer: 2},
		{Action: CopyNext, Context: Card, Keys: []string{"y"}, Short: "copy", Help: "Copy number, expiry, CVV, name, address, anew per card", Footer: 3},
		{Action: Arm, Context: Card, Keys: []string{"a"}, Short: "arm", Help: "Arm the checkout: the card's next code shows large; again: disarm", Footer: 8},
		{Action: Freeze, Context: Card, Keys: []string{"f"}, Short: "freeze", Help: "Freeze the card, or unfreeze it", Footer: 5, Writes: true},
		{Action: Fund, Context: Card, Keys: []string{"+"}, Short: "fund", Help: "Move money from the wallet to the card", Footer: 6, Writes: true},
		{Action: Withdraw, Context: Card, Keys: []string{"-"}, Short: "withdraw", Help: "Move money from the card to the wallet", Footer: 7, Writes: true},

		{Action: Inspect, Context: Cards, Keys: []string{"enter"}, Short: "inspect", Help: "Open the card: summary, codes, timeline", Footer: 1},
		{Action: OpenFilter, Context: Cards, Keys: []string{"/"}, Short: "filter", Help: "Filter: words, bal<20 status=frozen", Footer: 8},
		{Action: Sort, Context: Cards, Keys: []string{"s"}, Short: "sort", Help: "Sort by the next column", Footer: 9},
		{Action: SortBack, Context: Cards, Keys: []string{"S"}, Help: "Sort the other way round"},

		{Action: CopyThisCode, Context: Codes, Keys: []string{"y"}, Short: "copy this", Help: "Copy the code under the cursor", Footer: 1},
		{Action: Inspect, Context: Codes, Keys: []string{"enter"}, Short: "card", Help: "Open the card of the code", Footer: 2},

		{Action: OpenTransaction, Context: Feed, Keys: []string{"enter"}, Short: "open", Help: "Open the transaction; enter there opens its card", Footer: 1},
		{Action: OpenFilter, Context: Feed, Keys: []string{"/"}, Short: "filter", Help: "Filter: words, amt>50 type=declined", Footer: 8},
		{Action: Pause, Context: Feed, Keys: []string{"p"}, Short: "pause", Help: "Hold still; new rows wait", Footer: 9},

		{Action: OpenTransaction, Context: Inspector, Keys: []string{"enter"}, Short: "open", Help: "Open the transaction", Footer: 1},
		{Action: Back, Context: Inspector, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 1},

		{Action: Inspect, Context: History, Keys: []string{"enter"}, Short: "card", Help: "Open the card of the record", Footer: 1},
		{Action: OpenFilter, Context: History, Keys: []string{"/"}, Short: "filter", Help: "Filter by card, action, outcome, error", Footer: 8},
		{Action: Export, Context: History, Keys: []string{"E"}, Short: "export", Help: "Export what is shown: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: History, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear the filter, or back to the list", Footer: 2},

		{Action: CopyCode, Context: Global, Keys: []string{"o"}, Short: "copy code", Help: "Copy the newest 3DS code", Footer: 4},
		{Action: NextPane, Context: Global, Keys: []string{"tab"}, Short: "panes", Help: "Go to the next pane", Footer: 11},
		{Action: PrevPane, Context: Global, Keys: []string{"shift+tab"}, Help: "Go to the previous pane"},
		{Action: PaneOne, Context: Global, Keys: []string{"1"}, Help: "Go to the cards"},
		{Action: PaneTwo, Context: Global, Keys: []string{"2"}, Help: "Go to the codes"},
		{Action: PaneThree, Context: Global, Keys: []string{"3"}, Help: "Go to the transactions"},
		{Action: PaneFour, Context: Global, Keys: []string{"4"}, Help: "Go to the wallet"},
		{Action: Back, Context: Global, Keys: []string{"esc"}, Help: "Put the large code away, clear the filter, or go back"},
		{Action: Help, Context: Global, Keys: []string{"?"}, Short: "help", Help: "Show every key and sign", Footer: 12},
		{Action: Palette, Context: Global, Keys: []string{"ctrl+p", ":"}, Short: "commands", Help: "Find a command by its name, and do it", Footer: 11},
		{Action: Requests, Context: Global, Keys: []string{"B"}, Help: "Show what the hour's requests went to, and how fast codes were"},
		{Action: OpenHistory, Context: Global, Keys: []string{"H"}, Help: "Show what was done, and what came of it"},
		{Action: Redraw, Context: Global, Keys: []string{"ctrl+l"}, Help: "Draw the screen anew"},
		{Action: Mouse, Context: Global, Keys: []string{"M"}, Help: "Let go of the mouse, so that the terminal selects text; again: take it"},
		{Action: Quit, Context: Global, Keys: []string{"q"}, Short: "quit", Help: "Quit", Footer: 13},
		{Action: Quit, Context: Always, Keys: []string{"ctrl+c"}, Help: "Quit at once", Fixed: true},
		{Action: Suspend, Context: Always, Keys: []string{"ctrl+z"}, Help: "Suspend; what is revealed is hidden first", Fixed: true},
	}, slices.Concat(moving(), writing(), many(), finding(), hiding(), alerting(), screens())...)
}

// moving are the keys of lists, and of what stands over them.
func moving() []Binding {
	return []Binding{
		{Action: Up, Context: Lists, Keys: []string{"up", "k"}, Help: "One row up"},
		{Action: Down, Context: Lists, Keys: []string{"down", "j"}, Help: "One row down"},
		{Action: PageUp, Context: Lists, Keys: []string{"pgup", "ctrl+b"}, Help: "One page up"},
		{Action: PageDown, Context: Lists, Keys: []string{"pgdown", "ctrl+f"}, Help: "One page down"},
		{Action: First, Context: Lists, Keys: []string{"g", "home"}, Help: "To the first row; the feed is live there"},
		{Action: Last, Context: Lists, Keys: []string{"G", "end"}, Help: "To the last row"},

		{Action: Confirm, Context: Dialog, Keys: []string{"enter"}, Help: "Press the chosen button"},
		{Action: Switch, Context: Dialog, Keys: []string{"tab", "left", "right", "shift+tab"}, Help: "Go to the other button"},
		{Action: Cancel, Context: Dialog, Keys: []string{"esc"}, Help: "Back, changing nothing"},

		{Action: Confirm, Context: Filter, Keys: []string{"enter"}, Short: "keep", Help: "Keep it and go back to the list", Footer: 1},
		{Action: Cancel, Context: Filter, Keys: []string{"esc"}, Short: "clear", Help: "Clear it", Footer: 2},
	}
}
