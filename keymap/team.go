package keymap

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
