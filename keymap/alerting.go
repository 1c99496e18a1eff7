package keymap

// The actions on alerts.
const (
	OpenAlerts  Action = "alerts"
	Acknowledge Action = "acknowledge"
	Snooze      Action = "snooze"
)

// alerting are the keys of what wants a person's attention.
func alerting() []Binding {
	return []Binding{
		{Action: Inspect, Context: Alerts, Keys: []string{"enter"}, Short: "card", Help: "Open the card of the alert", Footer: 1},
		{Action: Acknowledge, Context: Alerts, Keys: []string{"space"}, Short: "seen", Help: "Say that you know; again: no longer", Footer: 2},
		{Action: Snooze, Context: Alerts, Keys: []string{"z"}, Short: "snooze", Help: "Be reminded in an hour; again: now", Footer: 3},
		{Action: Export, Context: Alerts, Keys: []string{"E"}, Short: "export", Help: "Export the list: CSV, JSON; file, clipboard", Footer: 9},
		{Action: Back, Context: Alerts, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 4},
		{Action: OpenAlerts, Context: Global, Keys: []string{"A"}, Help: "Show what wants attention: low balances, declines, used limits, late deposits"},
	}
}
