package keymap

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
		{Action: IssueSeveral, Context: Cards, Keys: []string{"N"}, Help: "Issue several cards, from a template or CSV", Needs: NeedWrite, Asks: true},
		{Action: Bulk, Context: Global, Keys: []string{"J"}, Help: "Show bulk progress: pause, stop, retry"},
		{Action: ResumeBulk, Context: Global, Keys: []string{"R"}, Help: "Resume an interrupted bulk operation", Needs: NeedWrite},
	}
}
