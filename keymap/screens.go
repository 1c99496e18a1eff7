package keymap

// The actions of the screens over the list of cards, by purpose.
const (
	Accounts        Action = "profiles"
	OpenTransaction Action = "transaction"
	NextTransaction Action = "next-transaction"
	FollowLink      Action = "follow-link"
	PrevTransaction Action = "previous-transaction"
	NextCard        Action = "next-card"
	PrevCard        Action = "previous-card"
	CopyID          Action = "copy-id"
	OpenDeposits    Action = "deposits"
	ShowAddress     Action = "address"
	CopyHash        Action = "copy-hash"
	OpenBINs        Action = "bins"
	Reload          Action = "reload"
	OpenWebhooks    Action = "webhooks"
	NewWebhook      Action = "new-webhook"
	DeleteWebhook   Action = "delete-webhook"
	CopyURL         Action = "copy-url"
	Configuration   Action = "configuration"
	Theme           Action = "theme"
	OpenRequests    Action = "request-log"
	OpenCodeTimes   Action = "code-times"
	CopyRequestID   Action = "copy-request-id"
	CopyCurl        Action = "copy-curl"
	IssueFrom       Action = "issue-from"
)

// screens are the keys that open a screen, and those that hold in it.
func screens() []Binding {
	return []Binding{
		{Action: OpenDeposits, Context: Global, Keys: []string{"d"}, Help: "Show the deposits, and the addresses they go to"},
		{Action: OpenDeposits, Context: Wallet, Keys: []string{"enter"}, Short: "deposits", Help: "Show the deposits, and the addresses they go to", Footer: 1},
		{Action: OpenBINs, Context: Global, Keys: []string{"b"}, Help: "Show the BINs that cards can be issued from, and how often they are refused"},
		{Action: OpenWebhooks, Context: Global, Keys: []string{"w"}, Help: "Show the webhooks, register and delete them"},
		{Action: OpenRequests, Context: Global, Keys: []string{"ctrl+r"}, Help: "Show the last 500 requests to the API"},
		{Action: OpenCodeTimes, Context: Global, Keys: []string{"O"}, Help: "Show how long each code took: the service's part, ours, yours"},
		{Action: Accounts, Context: Global, Keys: []string{"W"}, Help: "Switch account"},
		{Action: Configuration, Context: Global, Keys: []string{"C"}, Help: "Show what is wrong in the changed configuration"},
		{Action: Theme, Context: Global, Keys: []string{"ctrl+t"}, Help: "Theme: the next one, for as long as this runs"},

		{Action: PrevCard, Context: Inspector, Keys: []string{"[", "left"}, Short: "previous", Help: "The card before it in the list, as it is filtered", Footer: 9},
		{Action: NextCard, Context: Inspector, Keys: []string{"]", "right"}, Short: "next", Help: "The next card of the list, as it is filtered", Footer: 9},
		{Action: Export, Context: Inspector, Keys: []string{"E"}, Short: "export", Help: "Export the timeline: CSV, JSON; file, clipboard", Footer: 9},

		{Action: Inspect, Context: Charge, Keys: []string{"enter"}, Short: "card", Help: "Open the card of the transaction", Footer: 1},
		{Action: PrevTransaction, Context: Charge, Keys: []string{"[", "left"}, Short: "newer", Help: "The transaction before, which is newer", Footer: 3},
		{Action: NextTransaction, Context: Charge, Keys: []string{"]", "right"}, Short: "older", Help: "The next transaction, which is older", Footer: 3},
		{Action: FollowLink, Context: Charge, Keys: []string{"l"}, Short: "linked", Help: "Go to its hold, its settlement, its refund", Footer: 6},
		{Action: CopyID, Context: Charge, Keys: []string{"c"}, Short: "copy id", Help: "Copy the id of the transaction", Footer: 5},
		{Action: Back, Context: Charge, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to where it was opened", Footer: 2},

		{Action: ShowAddress, Context: Deposits, Keys: []string{"enter", "a"}, Short: "address", Help: "The address to deposit to, its QR code; digits there check an amount", Footer: 1},
		{Action: CopyHash, Context: Deposits, Keys: []string{"y"}, Short: "copy hash", Help: "Copy the transaction hash of the deposit", Footer: 3},
		{Action: Export, Context: Deposits, Keys: []string{"E"}, Short: "export", Help: "Export the list: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: Deposits, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 2},

		{Action: IssueFrom, Context: BINs, Keys: []string{"enter"}, Short: "issue", Help: "Issue a card from the BIN", Footer: 1, Writes: true},
		{Action: OpenFilter, Context: BINs, Keys: []string{"/"}, Short: "filter", Help: "Filter by BIN, network, type, country, wallet or use", Footer: 3},
		{Action: Sort, Context: BINs, Keys: []string{"s"}, Short: "sort", Help: "Sort by the next column; S turns it round", Footer: 4},
		{Action: SortBack, Context: BINs, Keys: []string{"S"}, Help: "Turn the order round"},
		{Action: Reload, Context: BINs, Keys: []string{"r"}, Short: "reload", Help: "Read the BINs again", Footer: 5},
		{Action: Export, Context: BINs, Keys: []string{"E"}, Short: "export", Help: "Export what is shown: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: BINs, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear the filter, or back to the list", Footer: 2},

		{Action: CopyRequestID, Context: Calls, Keys: []string{"y"}, Short: "copy id", Help: "Copy the request's id, for the service's support", Footer: 1},
		{Action: CopyCurl, Context: Calls, Keys: []string{"c"}, Short: "copy as curl", Help: "Copy the request as a curl command: the key is $CARDTOP_API_KEY, ids are variables", Footer: 4},
		{Action: OpenFilter, Context: Calls, Keys: []string{"/"}, Short: "filter", Help: "Filter by method, route, status or id; failed finds failures", Footer: 3},
		{Action: Export, Context: Calls, Keys: []string{"E"}, Short: "export", Help: "Export what is shown: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: Calls, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear the filter, or back to the list", Footer: 2},

		{Action: Export, Context: CodeTimes, Keys: []string{"E"}, Short: "export", Help: "Export the list: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: CodeTimes, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 2},

		{Action: NewWebhook, Context: Webhooks, Keys: []string{"n", "+"}, Short: "register", Help: "Register a webhook; its signing secret is told once", Footer: 1, Writes: true},
		{Action: DeleteWebhook, Context: Webhooks, Keys: []string{"ctrl+x", "delete"}, Short: "delete", Help: "Delete the webhook for good", Footer: 3, Writes: true},
		{Action: CopyURL, Context: Webhooks, Keys: []string{"y"}, Short: "copy address", Help: "Copy the address of the webhook", Footer: 4},
		{Action: Reload, Context: Webhooks, Keys: []string{"r"}, Short: "reload", Help: "Read the webhooks again", Footer: 5},
		{Action: Evidence, Context: Webhooks, Keys: []string{"x"}, Help: "Resolve an unconfirmed operation"},
		{Action: Export, Context: Webhooks, Keys: []string{"E"}, Short: "export", Help: "Export the list, without secrets: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: Webhooks, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 2},
	}
}
