package keymap

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
