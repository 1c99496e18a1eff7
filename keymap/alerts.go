package keymap

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
