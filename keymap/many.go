package keymap

// The actions on many cards, by purpose.
const (
	Choose       Action = "choose"
	Range        Action = "range"
	ChooseAll    Action = "choose-all"
	Unfreeze     Action = "unfreeze"
	FillTo       Action = "fill-to"
	IssueSeveral Action = "issue-several"
	Bulk         Action = "bulk"
	ResumeBulk   Action = "resume-bulk"
)

// many are the keys that choose cards and tell what is done to several.
func many() []Binding {
	return []Binding{
		{Action: Choose, Context: Cards, Keys: []string{"space"}, Short: "select", Help: "Select the card, or no longer, and go down", Footer: 10},
		{Action: Range, Context: Cards, Keys: []string{"v"}, Help: "Begin a range that follows the cursor; again: keep it"},
		{Action: ChooseAll, Context: Cards, Keys: []string{"*"}, Help: "Select every card of the list, as it is filtered"},
		{Action: Unfreeze, Context: Cards, Keys: []string{"F"}, Help: "Unfreeze the selected cards, or the card", Writes: true},
		{Action: IssueSeveral, Context: Cards, Keys: []string{"N"}, Help: "Issue several cards, by a template or from a CSV file", Writes: true},
		{Action: Bulk, Context: Global, Keys: []string{"J"}, Help: "Show what is done to many cards: progress, pause, stop, retry"},
		{Action: ResumeBulk, Context: Global, Keys: []string{"R"}, Help: "Look at an interrupted bulk plan and resume it", Writes: true},
	}
}
