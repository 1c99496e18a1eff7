package keymap

// The actions of copying and hiding.
const (
	CopyField Action = "copy-field"
	CopyWhole Action = "copy-card"
	Privacy   Action = "privacy"
	Lock      Action = "lock"
	Unlock    Action = "unlock"
)

// hiding are the rows of what is copied without being seen, and of what is
// not seen.
func hiding() []Binding {
	return []Binding{
		{Action: CopyCode, Context: Always, Keys: []string{"ctrl+o"}, Short: "copy code", Help: "Copy the newest 3DS code, also out of a form", Footer: 3},
		{Action: CopyField, Context: Card, Keys: []string{"Y"}, Help: "Choose which field of the card is copied"},
		{Action: CopyWhole, Context: Card, Keys: []string{"ctrl+y"}, Help: "Copy the whole card by the template"},
		{Action: Privacy, Context: Global, Keys: []string{"P"}, Help: "Hide names, numbers, amounts, codes; again: show them"},
		{Action: Lock, Context: Global, Keys: []string{"L"}, Help: "Lock the screen and let every secret go"},
		{Action: Unlock, Context: Locked, Keys: []string{"enter"}, Help: "Unlock; there is no password"},
	}
}
