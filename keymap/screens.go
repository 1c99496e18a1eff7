package keymap

// The actions of the screens over the list of cards, by purpose.
const (
	OpenDeposits Action = "deposits"
	ShowAddress  Action = "address"
	CopyHash     Action = "copy-hash"
)

// screens are the keys that open a screen, and those that hold in it.
func screens() []Binding {
	return []Binding{
		{Action: OpenDeposits, Context: Global, Keys: []string{"d"}, Help: "Show the deposits, and the addresses they go to"},
		{Action: ShowAddress, Context: Deposits, Keys: []string{"enter", "a"}, Short: "address", Help: "Show the address to deposit to, as text and as a QR code", Footer: 1},
		{Action: CopyHash, Context: Deposits, Keys: []string{"y"}, Short: "copy hash", Help: "Copy the transaction hash of the deposit", Footer: 3},
		{Action: Back, Context: Deposits, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back to the list", Footer: 2},
	}
}
