package state

import (
	"math/big"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// Needed tells after how many confirmations deposits of a currency counted:
// the fewest of those that did. False when none is known. The contract does
// not tell the number, so nothing is said before it was seen.
func (w *WalletTable) Needed(c api.Currency) (confirmations int, ok bool) {
	for i := range w.wallet.deposits {
		d := &w.wallet.deposits[i]
		if d.Currency != c || d.Status != api.DepositConfirmed || d.Confirmations == nil || *d.Confirmations <= 0 {
			continue
		}
		if !ok || *d.Confirmations < confirmations {
			confirmations, ok = *d.Confirmations, true
		}
	}
	return confirmations, ok
}

// Minimum is the smallest deposit of a currency that counts, in its unit; false
// while the addresses, which tell it, were not read, or when they do not.
func (w *WalletTable) Minimum(c api.Currency) (api.Crypto, bool) {
	for i := range w.addresses.list {
		if a := &w.addresses.list[i]; a.Currency == c && a.Min != "" {
			return a.Min, true
		}
	}
	return "", false
}

// TooSmall tells whether less was sent than counts; false when it is not known.
func (w *WalletTable) TooSmall(d *api.Deposit) bool {
	enough, known := w.Enough(d.Currency, d.AmountCrypto)
	return known && !enough
}

// Enough tells whether an amount of a currency, in its unit, counts as a
// deposit; known is false where the smallest that does is not told, or is no
// number, or the amount is none.
func (w *WalletTable) Enough(c api.Currency, amount api.Crypto) (enough, known bool) {
	least, ok := w.Minimum(c)
	if !ok {
		return false, false
	}
	sent, told := decimal(amount)
	minimum, known := decimal(least)
	return told && known && sent.Cmp(minimum) >= 0, told && known
}

// decimal reads an amount exactly. An exponent, which could make a number of
// any length, is none.
func decimal(c api.Crypto) (*big.Rat, bool) {
	if strings.Trim(string(c), "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(string(c))
}

// tellDeposits says what became of deposits since they were read last.
func (w *WalletTable) tellDeposits() Topic {
	topics := Topic(0)
	for i := range w.wallet.deposits {
		d := &w.wallet.deposits[i]
		status, known := w.wallet.told[d.ID]
		what := "deposit of " + string(d.AmountCrypto) + " " + strings.ToUpper(string(d.Currency))
		switch {
		case known && status == d.Status:
			continue
		case d.Status == api.DepositConfirmed:
			text := what + " is confirmed"
			if d.CreditedUSD != nil {
				text += ", $" + d.CreditedUSD.Grouped() + " credited"
			}
			w.notices.mention(Good, text)
		case d.Status == api.DepositExpired:
			w.notices.tell(Warn, what+" has expired: nothing is credited for it")
		case !known && d.Status == api.DepositPending:
			w.notices.mention(Info, what+" is on its way")
		default:
			continue
		}
		topics = TopicNotice
	}
	return topics
}
