package cards

import (
	"github.com/cardtop/cardtop/api"
)

// names are the labels in lower case by the cards' places, of those that are not so
// as they are; nil where there is none. Labels are mostly typed in lower case, and
// the store has them.
type names []string

// set holds the label of one of n cards.
func (ns *names) set(row int, label api.Text, n int) {
	low := folded(label)
	if low == string(label) {
		if row < len(*ns) {
			(*ns)[row] = ""
		}
		return
	}
	if len(*ns) < n {
		*ns = append(*ns, make(names, n-len(*ns))...)
	}
	(*ns)[row] = low
}

// name returns a card's label in lower case.
func (x *index) name(row int32) string {
	if int(row) < len(x.names) && x.names[row] != "" {
		return x.names[row]
	}
	return string(x.store.Cards.All().Label(int(row)))
}
