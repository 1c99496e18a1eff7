package ledger

import (
	"github.com/cardtop/cardtop/api"
)

// shareHolds is how many holds of a merchant have to be old enough before the
// share of them that settles is known.
const shareHolds = 5

// share is what the holds of a merchant came to, of those that are old enough:
// what was held and what of it settled, USD.
type share struct {
	held, settled api.USD
	holds         int32
}

func (s *share) add(held, settled api.USD, sign int) {
	s.held += api.USD(sign) * held
	s.settled += api.USD(sign) * settled
	s.holds += int32(sign)
}

// Share returns which part of what a merchant holds settles; false and 1 before
// that is known. It is measured over the holds that are older than a settlement
// may come late.
func (l *Ledger) Share(merchant api.Text) (part float64, known bool) {
	return l.shareOf(l.merchants.fold(merchant), l.Coverage(Last30d).Complete)
}

func (l *Ledger) shareOf(merchant uint16, complete bool) (part float64, known bool) {
	s := &l.merchants.shares[merchant]
	if !complete || merchant < firstMerchant || s.holds < shareHolds || s.held <= 0 {
		return 1, false
	}
	return float64(s.settled) / float64(s.held), true
}
