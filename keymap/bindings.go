package keymap

// The actions, by purpose.
const (
	Quit       Action = "quit"
	Help       Action = "help"
	Redraw     Action = "redraw"
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
	Pause      Action = "pause"
	Inspect    Action = "inspect"
	Freeze     Action = "freeze"
	Fund       Action = "fund"
	Withdraw   Action = "withdraw"
	Reveal     Action = "reveal"
	CopyNext   Action = "copy-next"
	CopyCode   Action = "copy-code"
	Dismiss    Action = "dismiss"

	CopyThisCode Action = "copy-this-code"
	Confirm      Action = "confirm"
	Cancel       Action = "cancel"
	Switch       Action = "switch"
)

// Headings of the help screen.
const (
	groupCard   = "Card"
	groupMove   = "Move"
	groupLook   = "Look"
	groupDialog = "Dialogs"
	groupApp    = "Program"
)

// Defaults is the table as shipped.
func Defaults() []Binding {
	return []Binding{
		{Inspect, Cards, []string{"enter"}, "inspect", "Open the card: summary and transactions", groupCard, 1},
		{Inspect, Feed, []string{"enter"}, "card", "Open the card of this transaction", groupCard, 1},
		{Inspect, Codes, []string{"enter"}, "card", "Open the card of this code", groupCard, 1},
		{Reveal, Card, []string{"r"}, "reveal", "Show number and expiry, then the CVV, then hide", groupCard, 2},
		{CopyNext, Card, []string{"y"}, "copy", "Copy the next of number, expiry, CVV, name, address", groupCard, 3},
		{CopyCode, Global, []string{"o"}, "copy code", "Copy the newest 3DS code, from anywhere", groupCard, 4},
		{CopyThisCode, Codes, []string{"y"}, "copy this", "Copy the code under the cursor", groupCard, 2},
		{Freeze, Card, []string{"f"}, "freeze", "Freeze the card, or unfreeze it", groupCard, 5},
		{Fund, Card, []string{"+", "="}, "fund", "Move money from the wallet to the card", groupCard, 6},
		{Withdraw, Card, []string{"-"}, "withdraw", "Move money from the card to the wallet", groupCard, 7},
		{Dismiss, Card, []string{"x"}, "", "Dismiss a write of this card nobody could confirm", groupCard, 0},

		{NextPane, Global, []string{"tab"}, "panes", "Go to the next pane", groupMove, 10},
		{PrevPane, Global, []string{"shift+tab"}, "", "Go to the previous pane", groupMove, 0},
		{PaneOne, Global, []string{"1"}, "", "Go to the cards", groupMove, 0},
		{PaneTwo, Global, []string{"2"}, "", "Go to the codes", groupMove, 0},
		{PaneThree, Global, []string{"3"}, "", "Go to the transactions", groupMove, 0},
		{PaneFour, Global, []string{"4"}, "", "Go to the wallet", groupMove, 0},
		{Back, Global, []string{"esc"}, "", "Close, clear the filter, or go back", groupMove, 0},
		{Back, Inspector, []string{"esc", "backspace"}, "back", "Back from the card to the list", groupMove, 1},
		{Up, Lists, []string{"up", "k"}, "", "One row up", groupMove, 0},
		{Down, Lists, []string{"down", "j"}, "", "One row down", groupMove, 0},
		{PageUp, Lists, []string{"pgup", "ctrl+b"}, "", "One page up", groupMove, 0},
		{PageDown, Lists, []string{"pgdown", "ctrl+f"}, "", "One page down", groupMove, 0},
		{First, Lists, []string{"g", "home"}, "", "To the first row", groupMove, 0},
		{Last, Lists, []string{"G", "end"}, "", "To the last row", groupMove, 0},

		{OpenFilter, Cards, []string{"/"}, "filter", "Filter the cards by label, digits or status", groupLook, 8},
		{Sort, Cards, []string{"s"}, "sort", "Sort the cards by the next column", groupLook, 9},
		{OpenFilter, Feed, []string{"/"}, "filter", "Filter the transactions", groupLook, 8},
		{Pause, Feed, []string{"p"}, "pause", "Hold the feed still; new rows wait", groupLook, 9},

		{Confirm, Dialog, []string{"enter"}, "choose", "Press the chosen button", groupDialog, 1},
		{Switch, Dialog, []string{"tab", "left", "right", "shift+tab"}, "buttons", "Go to the other button", groupDialog, 2},
		{Cancel, Dialog, []string{"esc"}, "cancel", "Close the dialog and change nothing", groupDialog, 3},
		{Confirm, Filter, []string{"enter"}, "keep", "Keep the filter being typed", groupDialog, 1},
		{Cancel, Filter, []string{"esc"}, "clear", "Clear the filter being typed", groupDialog, 2},

		{Help, Global, []string{"?"}, "help", "Show every key", groupApp, 11},
		{Redraw, Global, []string{"ctrl+l"}, "", "Draw the screen anew", groupApp, 0},
		{Quit, Global, []string{"q", "ctrl+c"}, "quit", "Quit", groupApp, 12},
	}
}
