package state

import "github.com/cardtop/cardtop/api"

// Declines counts how often the cards of a BIN were asked to pay in the last
// 24 hours, and how often that was refused, whatever the reason.
type Declines struct {
	Declined, Asked int
	// Cards is how many cards of the BIN are not terminated.
	Cards int
}

// Rate is the part refused in percent; false when nothing was asked.
func (d Declines) Rate() (percent float64, ok bool) {
	if d.Asked == 0 {
		return 0, false
	}
	return 100 * float64(d.Declined) / float64(d.Asked), true
}

// DeclinesByBIN counts over the feed of the last 24 hours: declines, against
// them and authorizations. It walks that part of the feed, so it is for when
// the feed has changed and not for each frame.
func (tx *TxnsTable) DeclinesByBIN() map[api.BINID]Declines {
	out := make(map[api.BINID]Declines)
	for _, r := range tx.cards.rows() {
		if r.status.text() != api.CardTerminated {
			d := out[r.bin.text()]
			d.Cards++
			out[r.bin.text()] = d
		}
	}
	rows := tx.feed.rows()[tx.feed.window:]
	for i := range rows {
		t := &rows[i]
		if t.Type != api.TransactionDecline && t.Type != api.TransactionAuthorization {
			continue
		}
		r := tx.cards.get(t.CardID)
		if r == nil {
			continue
		}
		d := out[r.bin.text()]
		d.Asked++
		if t.Type == api.TransactionDecline {
			d.Declined++
		}
		out[r.bin.text()] = d
	}
	return out
}
