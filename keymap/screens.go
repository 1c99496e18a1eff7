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

		{Action: NewWebhook, Context: Webhooks, Keys: []string{"n", "+"}, Short: "register", Help: "Register a webhook", Footer: 1, Needs: NeedWrite | NeedAdmin, Asks: true},
		{Action: DeleteWebhook, Context: Webhooks, Keys: []string{"ctrl+x", "delete"}, Short: "delete", Help: "Delete the webhook", Footer: 3, Needs: NeedWrite | NeedAdmin | NeedRow, Asks: true},
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
		{Action: IssueFrom, Context: BINs, Keys: []string{"enter"}, Short: "issue", Help: "Issue a card from this BIN", Footer: 1, Needs: NeedWrite | NeedLead | NeedRow, Asks: true},
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

// AllAccounts is the context of the screen of all accounts.
const AllAccounts Context = "accounts"

// The actions on all accounts.
const (
	OpenAccounts  Action = "accounts"
	SwitchAccount Action = "switch-account"
	CopyAnyCode   Action = "copy-any-code"
)

// accounts are the keys of the screen of all accounts.
func accounts() []Binding {
	return []Binding{
		{Action: OpenAccounts, Context: Global, Keys: []string{"@"}, Help: "Show all accounts: wallet, alerts, codes"},
		{Action: SwitchAccount, Context: AllAccounts, Keys: []string{"enter"}, Short: "switch", Help: "Switch to the account", Footer: 1, Needs: NeedRow, AtOnce: true, Asks: true},
		{Action: CopyAnyCode, Context: AllAccounts, Keys: []string{"o"}, Short: "copy code", Help: "Copy the newest 3DS code of any account", Footer: 2, Asks: true},
		{Action: CopyThisCode, Context: AllAccounts, Keys: []string{"y"}, Short: "copy this", Help: "Copy the account's newest 3DS code", Footer: 3, Needs: NeedRow, Asks: true},
		{Action: Reload, Context: AllAccounts, Keys: []string{"r"}, Short: "try again", Help: "Try accounts again that could not be opened", Footer: 4, Asks: true},
		{Action: Back, Context: AllAccounts, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 5},
	}
}

// The actions on alerts.
const (
	OpenAlerts  Action = "alerts"
	Acknowledge Action = "acknowledge"
	Snooze      Action = "snooze"
	AlertLines  Action = "alert-lines"
)

// alerting are the keys of the alerts.
func alerting() []Binding {
	return []Binding{
		{Action: Inspect, Context: Alerts, Keys: []string{"enter"}, Short: "open", Help: "Open the card, the campaign's cards, or the plan it proposes", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: Acknowledge, Context: Alerts, Keys: []string{"space"}, Short: "ack", Help: "Acknowledge; again: undo", Footer: 2, Needs: NeedRow},
		{Action: Snooze, Context: Alerts, Keys: []string{"z"}, Short: "snooze", Help: "Snooze for an hour; again: undo", Footer: 3, Needs: NeedRow},
		{Action: AlertLines, Context: Alerts, Keys: []string{"e"}, Short: "lines", Help: "Set the alert lines of the card, the campaign or all", Footer: 5, Asks: true},
		{Action: AlertLines, Context: Card, Keys: []string{"i"}, Help: "Set the alert lines of the card, its campaign or all", Asks: true},
		{Action: Export, Context: Alerts, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Alerts, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 4},
		{
			Action: OpenAlerts, Context: Global, Keys: []string{"A"}, Short: "alerts", Help: "Show alerts: balances, runways, declines, spikes, limits, deposits", Footer: 9,
			Words: "idle empty lasts runs out low declined warnings problems",
		},
	}
}

// The actions on several cards.
const (
	Choose       Action = "choose"
	Range        Action = "range"
	ChooseAll    Action = "choose-all"
	Unfreeze     Action = "unfreeze"
	FillTo       Action = "fill-to"
	IssueSeveral Action = "issue-several"
	CopyNextCard Action = "copy-next-card"
	Bulk         Action = "bulk"
	ResumeBulk   Action = "resume-bulk"
)

// many are the keys that select cards and show bulk operations.
func many() []Binding {
	return []Binding{
		{Action: Choose, Context: Cards, Keys: []string{"space"}, Short: "select", Help: "Select the card, and row down", Footer: 10, Needs: NeedCard | NeedRow, Many: true},
		{Action: Range, Context: Cards, Keys: []string{"v"}, Help: "Start a range selection; again: end it", Needs: NeedCard | NeedRow},
		{Action: ChooseAll, Context: Cards, Keys: []string{"*"}, Help: "Select all cards the filter shows", Needs: NeedRow},
		{Action: Unfreeze, Context: Cards, Keys: []string{"F"}, Help: "Unfreeze the card or selection", Needs: NeedWrite | NeedCard, AtOnce: true, Asks: true},
		{Action: CopyNextCard, Context: Cards, Keys: []string{"ctrl+n"}, Help: "Copy the next selected card, by template", Needs: NeedDetails | NeedCard, Many: true, Asks: true},
		{Action: IssueSeveral, Context: Cards, Keys: []string{"N"}, Help: "Issue several cards, from a template or CSV", Needs: NeedWrite | NeedLead, Asks: true},
		{Action: Bulk, Context: Global, Keys: []string{"J"}, Help: "Show bulk progress: pause, stop, retry"},
		{Action: ResumeBulk, Context: Global, Keys: []string{"R"}, Help: "Resume an interrupted bulk operation", Needs: NeedWrite},
	}
}

// writing are the keys that open forms and confirmations, and those of forms.
func writing() []Binding {
	return []Binding{
		{Action: FillTo, Context: Card, Keys: []string{"="}, Help: "Top up the card or selection to a balance", Needs: NeedWrite, Many: true},
		{Action: Edit, Context: Card, Keys: []string{"e"}, Short: "edit", Help: "Edit label, limit, categories, auto-freeze, metadata", Footer: 8, Needs: NeedWrite | NeedLead, Many: true},
		{Action: Duplicate, Context: Card, Keys: []string{"I"}, Help: "Issue a card like this one", Needs: NeedWrite | NeedLead, Asks: true},
		{Action: Terminate, Context: Card, Keys: []string{"ctrl+x"}, Help: "Terminate the card; asks for its last digits", Danger: true, Needs: NeedWrite | NeedLead},
		{Action: ResolveOp, Context: Card, Keys: []string{"x"}, Help: "Resolve an unconfirmed operation", Asks: true},
		{Action: Issue, Context: Global, Keys: []string{"n"}, Short: "new", Help: "Issue a card", Footer: 9, Needs: NeedWrite | NeedLead},
		{Action: Undo, Context: Global, Keys: []string{"u"}, Short: "undo", Help: "Undo last change; again: redo", Footer: 10, Needs: NeedWrite, AtOnce: true},
		{Action: DryRun, Context: Global, Keys: []string{"D"}, Help: "Dry run: show requests, send none; again: end"},
		{Action: Confirm, Context: Form, Keys: []string{"enter"}, Help: "Review; in a list: choose"},
		{Action: NextField, Context: Form, Keys: []string{"tab", "down"}, Help: "Next field or row"},
		{Action: PrevField, Context: Form, Keys: []string{"shift+tab", "up"}, Help: "Previous field or row"},
		{Action: Cancel, Context: Form, Keys: []string{"esc"}, Help: "Back; while sending: leave it running"},
	}
}

// The actions of copying and hiding.
const (
	CopyField Action = "copy-field"
	CopyWhole Action = "copy-card"
	Privacy   Action = "privacy"
	Lock      Action = "lock"
	Unlock    Action = "unlock"
)

// hiding are the keys of copies that show nothing, and of hiding.
func hiding() []Binding {
	return []Binding{
		{Action: CopyCode, Context: Always, Keys: []string{"ctrl+o"}, Short: "copy code", Help: "Copy the newest 3DS code, also in dialogs", Footer: 3},
		{Action: CopyField, Context: Card, Keys: []string{"Y"}, Help: "Choose a field to copy", Needs: NeedDetails},
		{Action: CopyWhole, Context: Card, Keys: []string{"ctrl+y"}, Help: "Copy the full card, by template", Needs: NeedDetails},
		{Action: Privacy, Context: Global, Keys: []string{"P"}, Help: "Privacy mode: hide names, amounts, codes"},
		{Action: Lock, Context: Global, Keys: []string{"L"}, Help: "Lock the screen and clear secrets"},
		{Action: Unlock, Context: Locked, Keys: []string{"enter"}, Help: "Unlock (no password)"},
	}
}

// Rules is the context of the screen of the rules.
const Rules Context = "rules"

// The actions on rules.
const (
	OpenRules   Action = "rules"
	ReviewRule  Action = "review-rule"
	SuggestRule Action = "suggest-rule"
	ActRule     Action = "act-rule"
	StopRule    Action = "stop-rule"
	RuleCards   Action = "rule-cards"
	NewRule     Action = "new-rule"
)

// ruling are the keys of the rules.
func ruling() []Binding {
	return []Binding{
		{Action: OpenRules, Context: Global, Keys: []string{"U"}, Help: "Show rules: what they match, do and did", Words: "automatic top up empty idle"},
		{Action: ReviewRule, Context: Rules, Keys: []string{"enter"}, Short: "plan", Help: "Show its cards and what it would do; confirm", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: SuggestRule, Context: Rules, Keys: []string{"s"}, Short: "suggest", Help: "Suggest plans; again: off", Footer: 2, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: ActRule, Context: Rules, Keys: []string{"a"}, Short: "act", Help: "Act without asking until cardtop ends, after its name is typed", Footer: 3, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: StopRule, Context: Rules, Keys: []string{"x"}, Short: "off", Help: "Turn the rule off", Footer: 4, Needs: NeedRow, Asks: true},
		{Action: RuleCards, Context: Rules, Keys: []string{"c"}, Short: "cards", Help: "Go to the cards it matches", Footer: 5, Needs: NeedRow, Asks: true},
		{Action: NewRule, Context: Rules, Keys: []string{"n"}, Help: "Say where a rule is added", Asks: true},
		{Action: Back, Context: Rules, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 6},
	}
}

// Team is the context of the screen of the team on a hub.
const Team Context = "team"

// The actions on the team.
const (
	OpenTeam       Action = "team"
	ApproveRequest Action = "approve-request"
	RefuseRequest  Action = "refuse-request"
	// SettleOperation is of what has no outcome.
	SettleOperation Action = "settle-operation"
)

// teaming are the keys of the team.
func teaming() []Binding {
	return []Binding{
		{Action: OpenTeam, Context: Global, Keys: []string{"Q"}, Help: "Show the hub's team: requests, operations, people"},
		{Action: ApproveRequest, Context: Team, Keys: []string{"enter", "a"}, Short: "approve", Help: "Show the request with the balances now; approve", Footer: 1, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: RefuseRequest, Context: Team, Keys: []string{"x"}, Short: "refuse", Help: "Refuse the request, after a question", Footer: 2, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: SettleOperation, Context: Team, Keys: []string{"s"}, Short: "settle", Help: "Settle an operation without an outcome", Footer: 3, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: Inspect, Context: Team, Keys: []string{"c"}, Short: "card", Help: "Open the card", Footer: 4, Needs: NeedCard | NeedRow, Asks: true},
		{Action: Reload, Context: Team, Keys: []string{"r"}, Short: "reload", Help: "Reload requests, operations, people", Footer: 6, Asks: true},
		{Action: Back, Context: Team, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 5},
	}
}
