package keymap

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
