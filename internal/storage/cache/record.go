package cache

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
)

// coder passes values in one direction: into a file, or out of one, where
// what it is given counts for nothing. So the fields below are written down
// once, and both directions agree.
type coder interface {
	number(int64) int64
	// name identifies something.
	name(string) string
	// text is shown on screen; a word is text that repeats.
	text(string) string
	word(string) string
	// count is how many records follow, each of so many bytes or more.
	count(n, size int) int
}

// snapshot codes all but the cards, which come last.
func snapshot(c coder, s *state.Snapshot) {
	moment(c, &s.At)
	moment(c, &s.CardsAt)
	moment(c, &s.WalletAt)
	wallet(c, &s.Wallet)
	moment(c, &s.DepositsAt)
	list(c, &s.Deposits, leastRecord, deposit)
	moment(c, &s.FeedAt)
	moment(c, &s.SeenTo)
	list(c, &s.Transactions, leastRecord, transaction)
	word(c, &s.CampaignRule)
	list(c, &s.Campaigns, leastNamed, func(c coder, r *campaign.Name) {
		name(c, &r.Card)
		word(c, &r.Name)
	})
}

// leastNamed is fewer bytes than any campaign of a card takes.
const leastNamed = 2

// card codes what a list of cards holds and when the card was last used.
// Its spending and limit are read again.
func card(c coder, r *cardlist.Card) {
	name(c, &r.ID)
	word(c, &r.BIN)
	word(c, &r.Network)
	text(c, &r.Last4)
	text(c, &r.Label)
	word(c, &r.Status)
	number(c, &r.Balance)
	moment(c, &r.CreatedAt)
	moment(c, &r.LastUsed)
	moment(c, &r.ExpiresAt)
}

func wallet(c coder, r *api.Wallet) {
	number(c, &r.Balance)
	text(c, &r.Currency)
	optional(c, &r.PendingDeposits)
	optional(c, &r.TotalDeposited)
	optional(c, &r.TotalSpent)
	optional(c, &r.CardsActive)
	optional(c, &r.CardsTotalBalance)
	truth(c, &r.Scoped)
}

func deposit(c coder, r *api.Deposit) {
	name(c, &r.ID)
	word(c, &r.Currency)
	text(c, &r.AmountCrypto)
	optional(c, &r.AmountUSD)
	optional(c, &r.FeeUSD)
	optional(c, &r.CreditedUSD)
	word(c, &r.Status)
	text(c, &r.TxHash)
	optional(c, &r.Confirmations)
	moment(c, &r.CreatedAt)
	moment(c, &r.ConfirmedAt)
}

func transaction(c coder, r *api.Transaction) {
	name(c, &r.ID)
	word(c, &r.CardID)
	word(c, &r.Type)
	number(c, &r.Amount)
	number(c, &r.Foreign)
	word(c, &r.Currency)
	word(c, &r.Merchant.Name)
	word(c, &r.Merchant.Category)
	word(c, &r.Merchant.MCC)
	word(c, &r.Merchant.Country)
	optional(c, &r.BalanceAfter)
	moment(c, &r.CreatedAt)
}

func name[T ~string](c coder, v *T) { *v = T(c.name(string(*v))) }
func text[T ~string](c coder, v *T) { *v = T(c.text(string(*v))) }
func word[T ~string](c coder, v *T) { *v = T(c.word(string(*v))) }

func number[T ~int | ~int64 | ~int32 | ~uint8](c coder, v *T) { *v = T(c.number(int64(*v))) }

func truth(c coder, v *bool) {
	n := 0
	if *v {
		n = 1
	}
	*v = c.count(n, 1) == 1
}

// moment passes a time to the nanosecond, in UTC.
func moment(c coder, v *time.Time) {
	sec := c.number(v.Unix())
	*v = time.Unix(sec, c.number(int64(v.Nanosecond()))).UTC()
}

// optional distinguishes an unknown amount from zero.
func optional[T ~int | ~int64](c coder, v **T) {
	n, there := T(0), 0
	if *v != nil {
		n, there = **v, 1
	}
	if c.count(there, 1) == 0 {
		*v = nil
		return
	}
	number(c, &n)
	*v = &n
}

// leastRecord is fewer bytes than any record of a snapshot takes.
const leastRecord = 10

// list passes records that take some bytes or more each.
func list[T any](c coder, v *[]T, least int, each func(coder, *T)) {
	n := c.count(len(*v), least)
	if *v == nil && n > 0 {
		*v = make([]T, n)
	}
	for i := range *v {
		each(c, &(*v)[i])
	}
}
