package keymap

// The actions on alerts.
const (
	OpenAlerts  Action = "alerts"
	Acknowledge Action = "acknowledge"
	Snooze      Action = "snooze"
)

// alerting are the keys of the alerts.
func alerting() []Binding {
	return []Binding{
		{Action: Inspect, Context: Alerts, Keys: []string{"enter"}, Short: "card", Help: "Open the alert's card", Footer: 1, Needs: NeedCard, Asks: true},
		{Action: Acknowledge, Context: Alerts, Keys: []string{"space"}, Short: "ack", Help: "Acknowledge; again: undo", Footer: 2, Needs: NeedRow},
		{Action: Snooze, Context: Alerts, Keys: []string{"z"}, Short: "snooze", Help: "Snooze for an hour; again: undo", Footer: 3, Needs: NeedRow},
		{Action: Export, Context: Alerts, Keys: []string{"E"}, Short: "export", Help: "Export: CSV, TSV, JSON; file or clipboard", Footer: 9, AtOnce: true, Asks: true},
		{Action: Back, Context: Alerts, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 4},
		{Action: OpenAlerts, Context: Global, Keys: []string{"A"}, Help: "Show alerts: low balances, declines, limits, late deposits"},
	}
}
