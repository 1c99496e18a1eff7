package keymap

import "slices"

// The contexts of the screens over the list of cards.
const (
	Inspector Context = "inspector"
	History   Context = "history"
	Charge    Context = "transaction"
	Deposits  Context = "deposits"
	BINs      Context = "bins"
	Webhooks  Context = "webhooks"
	Calls     Context = "requests"
	Alerts    Context = "alerts"
	CodeTimes Context = "code-times"
	Declines  Context = "declines"
	Spending  Context = "spending"
	Settings  Context = "settings"
	// Summary is the spending beside the list, on a wide screen.
	Summary Context = "spending-summary"
)

func screenPlaces() map[Context]place {
	return map[Context]place{
		Inspector:   {title: "Card", closed: "no card is open: enter opens one"},
		History:     {title: "History"},
		Charge:      {title: "Transaction", closed: "no transaction is open: enter opens one"},
		Deposits:    {title: "Deposits"},
		BINs:        {title: "BINs"},
		Webhooks:    {title: "Webhooks"},
		Calls:       {title: "Requests"},
		Alerts:      {title: "Alerts"},
		CodeTimes:   {title: "Code times"},
		Declines:    {title: "Declines"},
		Spending:    {title: "Spending"},
		Settings:    {title: "Settings"},
		Summary:     {title: "Spending, beside the cards", closed: "shown from 200 columns on"},
		Rules:       {title: "Rules"},
		Team:        {title: "Team"},
		AllAccounts: {title: "Accounts"},
	}
}

// The actions of the screens over the list of cards.
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
	OpenDeclines    Action = "declines"
	CopyRequestID   Action = "copy-request-id"
	CopyCurl        Action = "copy-curl"
	IssueFrom       Action = "issue-from"
	OpenSpending    Action = "spending"
	OpenSettings    Action = "settings"
	EditSetting     Action = "edit-setting"
	EditCampaigns   Action = "edit-campaigns"
	LongerRange     Action = "longer-range"
	ShorterRange    Action = "shorter-range"
)

// screens are the keys that open a screen, and those of the screen.
func screens() []Binding {
	return slices.Concat(opening(), bins(), others(), declines(), spending())
}

// opening are the keys that open a screen, and those of a card, a transaction and the deposits.
func opening() []Binding {
	return []Binding{
		{Action: OpenDeposits, Context: Global, Keys: []string{"d"}, Help: "Show deposits and addresses", Words: "money top up wallet crypto"},
		{Action: OpenDeposits, Context: Wallet, Keys: []string{"enter"}, Short: "deposits", Help: "Show deposits and addresses", Footer: 1},
		{Action: OpenBINs, Context: Global, Keys: []string{"b"}, Help: "Show BINs, limits and decline rates", Words: "bank declined"},
		{Action: OpenWebhooks, Context: Global, Keys: []string{"w"}, Help: "Show webhooks"},
		{Action: OpenRequests, Context: Global, Keys: []string{"ctrl+r"}, Help: "Show the last 500 API requests"},
		{Action: OpenDeclines, Context: Global, Keys: []string{"X"}, Short: "declines", Help: "Show why payments were declined in the last 24 hours", Words: "declined refused failed", Footer: 10},
		{Action: OpenCodeTimes, Context: Global, Keys: []string{"O"}, Help: "Show code delays: service, network, you"},
		{Action: OpenSpending, Context: Global, Keys: []string{"$"}, Short: "spending", Help: "Show spending by campaign, BIN, merchant and card", Words: "money spend cost lasts declined", Footer: 9},
		{Action: Accounts, Context: Global, Keys: []string{"W"}, Help: "Switch, add or edit accounts"},
		{Action: OpenSettings, Context: Global, Keys: []string{"ctrl+e"}, Help: "Show and change settings"},
		{Action: Configuration, Context: Global, Keys: []string{"C"}, Help: "Show configuration errors"},
		{Action: Theme, Context: Global, Keys: []string{"ctrl+t"}, Help: "Next theme, for this run"},

		{Action: PrevCard, Context: Inspector, Keys: []string{"[", "left"}, Short: "previous", Help: "Previous card of the filtered list", Footer: 9},
		{Action: NextCard, Context: Inspector, Keys: []string{"]", "right"}, Short: "next", Help: "Next card of the filtered list", Footer: 9},
		{Action: Export, Context: Inspector, Keys: []string{"E"}, Short: "export", Help: "Export the timeline: CSV, TSV, JSON", Footer: 9, AtOnce: true, Asks: true},

		{Action: Inspect, Context: Charge, Keys: []string{"enter"}, Short: "card", Help: "Open the transaction's card", Footer: 1, Needs: NeedCard, Asks: true},
		{Action: PrevTransaction, Context: Charge, Keys: []string{"[", "left"}, Short: "newer", Help: "Newer transaction", Footer: 3},
		{Action: NextTransaction, Context: Charge, Keys: []string{"]", "right"}, Short: "older", Help: "Older transaction", Footer: 3},
		{Action: FollowLink, Context: Charge, Keys: []string{"l"}, Short: "linked", Help: "Go to its hold, settlement or refund", Footer: 6},
		{Action: CopyID, Context: Charge, Keys: []string{"c"}, Short: "copy id", Help: "Copy the transaction id", Footer: 5, Asks: true},
		{Action: Back, Context: Charge, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 2},

		{Action: ShowAddress, Context: Deposits, Keys: []string{"enter", "a"}, Short: "address", Help: "Show the deposit address and QR code", Footer: 1},
		{Action: CopyHash, Context: Deposits, Keys: []string{"y"}, Short: "copy hash", Help: "Copy the transaction hash", Footer: 3, Needs: NeedRow, Asks: true},
		{Action: Export, Context: Deposits, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Deposits, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 2},
	}
}

// others are the keys of requests, delays, webhooks and settings.
func others() []Binding {
	return []Binding{
		{Action: CopyRequestID, Context: Calls, Keys: []string{"y"}, Short: "copy id", Help: "Copy the request id, for support", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: CopyCurl, Context: Calls, Keys: []string{"c"}, Short: "copy as curl", Help: "Copy as curl, with the key and ids as variables", Footer: 4, Needs: NeedRow, Asks: true},
		{Action: OpenFilter, Context: Calls, Keys: []string{"/"}, Short: "filter", Help: "Filter: method, route, status, id, failed", Footer: 3},
		{Action: Export, Context: Calls, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Calls, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear filter, or back", Footer: 2},

		{Action: Export, Context: CodeTimes, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: CodeTimes, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 2},

		{Action: NewWebhook, Context: Webhooks, Keys: []string{"n", "+"}, Short: "register", Help: "Register a webhook", Footer: 1, Needs: NeedWrite, Asks: true},
		{Action: DeleteWebhook, Context: Webhooks, Keys: []string{"ctrl+x", "delete"}, Short: "delete", Help: "Delete the webhook", Footer: 3, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: CopyURL, Context: Webhooks, Keys: []string{"y"}, Short: "copy URL", Help: "Copy the webhook URL", Footer: 4, Needs: NeedRow, Asks: true},
		{Action: Reload, Context: Webhooks, Keys: []string{"r"}, Short: "reload", Help: "Reload webhooks", Footer: 5},
		{Action: ResolveOp, Context: Webhooks, Keys: []string{"x"}, Help: "Resolve an unconfirmed operation", Asks: true},
		{Action: Export, Context: Webhooks, Keys: []string{"E"}, Short: "export", Help: "Export without secrets: CSV, TSV, JSON", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Webhooks, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 2},

		{Action: EditSetting, Context: Settings, Keys: []string{"enter", "e"}, Short: "change", Help: "Change the setting in the configuration", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: OpenFilter, Context: Settings, Keys: []string{"/"}, Short: "filter", Help: "Filter: name, value, text, default, line", Footer: 3},
		{Action: Back, Context: Settings, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear filter, or back", Footer: 2},
	}
}

// bins are the keys of the BINs.
func bins() []Binding {
	return []Binding{
		{Action: IssueFrom, Context: BINs, Keys: []string{"enter"}, Short: "issue", Help: "Issue a card from this BIN", Footer: 1, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: OpenFilter, Context: BINs, Keys: []string{"/"}, Short: "filter", Help: "Filter: BIN, network, type, country, wallet, use", Footer: 3},
		{Action: Sort, Context: BINs, Keys: []string{"s"}, Short: "sort", Help: "Sort by next column", Footer: 4},
		{Action: SortBack, Context: BINs, Keys: []string{"S"}, Help: "Reverse sort"},
		{Action: LongerRange, Context: BINs, Keys: []string{"right", "]"}, Short: "range", Help: "Longer range: 24 h, 7 d, 14 d, 30 d", Footer: 6},
		{Action: ShorterRange, Context: BINs, Keys: []string{"left", "["}, Help: "Shorter range"},
		{Action: Reload, Context: BINs, Keys: []string{"r"}, Short: "reload", Help: "Reload BINs", Footer: 5},
		{Action: Export, Context: BINs, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: BINs, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear filter, or back", Footer: 2},
	}
}

// declines are the keys of the declines by cause.
func declines() []Binding {
	return []Binding{
		{Action: OpenTransaction, Context: Declines, Keys: []string{"enter"}, Short: "open", Help: "Open the declines of a cause, the newest first", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: Export, Context: Declines, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Declines, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 2},
	}
}

// spending are the keys of the spending screen.
func spending() []Binding {
	return []Binding{
		{Action: Inspect, Context: Spending, Keys: []string{"enter"}, Short: "cards", Help: "Go to its cards, or the merchant's transactions", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: LongerRange, Context: Spending, Keys: []string{"right", "]"}, Short: "range", Help: "Longer range: today, 24 h, 7 d, 14 d, 30 d", Footer: 3},
		{Action: ShorterRange, Context: Spending, Keys: []string{"left", "["}, Help: "Shorter range"},
		{Action: GroupBy, Context: Spending, Keys: []string{"z"}, Short: "by", Help: "By campaign, BIN, merchant, card, in turn", Footer: 4},
		{Action: EditCampaigns, Context: Spending, Keys: []string{"e"}, Help: "Set what the campaign of a card is", Asks: true},
		{Action: OpenFilter, Context: Spending, Keys: []string{"/"}, Short: "filter", Help: "Filter by name", Footer: 6},
		{Action: Sort, Context: Spending, Keys: []string{"s"}, Short: "sort", Help: "Sort by next column", Footer: 5},
		{Action: SortBack, Context: Spending, Keys: []string{"S"}, Help: "Reverse sort"},
		{Action: Export, Context: Spending, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Spending, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Clear filter, or back", Footer: 2},

		{Action: OpenSpending, Context: Summary, Keys: []string{"enter"}, Short: "spending", Help: "Show the campaign in spending", Footer: 1},
		{Action: LongerRange, Context: Summary, Keys: []string{"right"}, Short: "range", Help: "Longer range: today, 24 h, 7 d, 14 d, 30 d", Footer: 2},
		{Action: ShorterRange, Context: Summary, Keys: []string{"left"}, Help: "Shorter range"},
	}
}
