package campaign

import "github.com/cardtop/cardtop/api"

// Suggest returns the pattern that labels show: at least half of those that say something are, by it, of a
// campaign with others, of which there are two or more. Default comes before the others. Empty where they show none.
func Suggest(labels []api.Text) string {
	for _, pattern := range []string{Default, "*/", "*|", "*_", "*-", "* "} {
		r, err := Parse(pattern)
		if err == nil && r.fits(labels) {
			return pattern
		}
	}
	return ""
}

func (r Rule) fits(labels []api.Text) bool {
	said, shared, campaigns := 0, 0, 0
	cards := make(map[string]int)
	for _, label := range labels {
		if label == "" {
			continue
		}
		said++
		name := r.Of(label, nil)
		if name == "" || name == string(label) { // Nothing is after it: it may be a card's own.
			continue
		}
		switch cards[name]++; cards[name] {
		case 1:
		case 2:
			campaigns++
			shared += 2
		default:
			shared++
		}
	}
	return campaigns >= 2 && 2*shared >= said
}
