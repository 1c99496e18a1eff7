package keymap

// Rules is the context of the screen of the rules.
const Rules Context = "rules"

// The actions on rules.
const (
	OpenRules   Action = "rules"
	ReviewRule  Action = "review-rule"
	SuggestRule Action = "suggest-rule"
	ActRule     Action = "act-rule"
	StopRule    Action = "stop-rule"
	RuleCards   Action = "rule-cards"
	NewRule     Action = "new-rule"
)

// ruling are the keys of the rules.
func ruling() []Binding {
	return []Binding{
		{Action: OpenRules, Context: Global, Keys: []string{"U"}, Help: "Show rules: what they match, do and did", Words: "automatic top up empty idle"},
		{Action: ReviewRule, Context: Rules, Keys: []string{"enter"}, Short: "plan", Help: "Show its cards and what it would do; confirm", Footer: 1, Needs: NeedRow, Asks: true},
		{Action: SuggestRule, Context: Rules, Keys: []string{"s"}, Short: "suggest", Help: "Suggest plans; again: off", Footer: 2, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: ActRule, Context: Rules, Keys: []string{"a"}, Short: "act", Help: "Act without asking until cardtop ends, after its name is typed", Footer: 3, Needs: NeedWrite | NeedRow, Asks: true},
		{Action: StopRule, Context: Rules, Keys: []string{"x"}, Short: "off", Help: "Turn the rule off", Footer: 4, Needs: NeedRow, Asks: true},
		{Action: RuleCards, Context: Rules, Keys: []string{"c"}, Short: "cards", Help: "Go to the cards it matches", Footer: 5, Needs: NeedRow, Asks: true},
		{Action: NewRule, Context: Rules, Keys: []string{"n"}, Help: "Say where a rule is added", Asks: true},
		{Action: Back, Context: Rules, Keys: []string{"esc", "backspace"}, Short: "back", Help: "Back", Footer: 6},
	}
}
