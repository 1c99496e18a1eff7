package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	sums "github.com/cardtop/cardtop/state/ledger"
)

// yen is a transaction of ¥15,000.
func yen(n int, ago time.Duration, kind api.TransactionType) api.Transaction {
	row := txn(n, ago, kind, 0)
	row.Foreign, row.Currency, row.Merchant.Name = api.Units(-15_000*dollar), "JPY", "Konbini"
	return row
}

func TestOtherCurrenciesAreInNoSum(t *testing.T) {
	s := settled(t)
	rows := []api.Transaction{txn(9, time.Minute, api.TransactionSettlement, -10*dollar), yen(1, 2*time.Minute, api.TransactionSettlement), yen(2, 3*time.Minute, api.TransactionSettlement), yen(3, 4*time.Minute, api.TransactionAuthorization)}
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, rows...)
	if spent, complete := s.Insight.Spent24h(); spent != 10*dollar || complete {
		t.Errorf("24h: %s, complete %t", spent, complete)
	}
	if sum := s.Insight.Ledger().Total(sums.Account(), sums.Last24h); sum.Settled != 10*dollar || sum.Open.USD != 0 || sum.Foreign != 3 || sum.Authorized != 1 {
		t.Errorf("the ledger: %+v", sum.Totals)
	}
	if got := s.Privacy.Display().Transaction(&rows[1]); got != "-15,000.00\u00a0JPY" {
		t.Errorf("%q", got)
	}
	if got := s.Privacy.Display().Transaction(&rows[3]); got != "15,000.00\u00a0JPY" {
		t.Errorf("a hold: %q", got)
	}
}

// TestADeclineInAnotherCurrencyIsNotComparedWithTheBalance: 600 pesos are not 600 dollars.
func TestADeclineInAnotherCurrencyIsNotComparedWithTheBalance(t *testing.T) {
	s := settled(t)
	row := yen(1, time.Minute, api.TransactionDecline)
	row.BalanceAfter = new(500 * dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row)
	if got := told(s, row.ID); !strings.HasPrefix(got, "cause not known") || !strings.Contains(got, "amount in USD") {
		t.Errorf("told %q", got)
	}
	if a, _ := s.Insight.Decline(row.ID); a.Shortfall > 0 || a.Cause != decline.Unknown {
		t.Errorf("%+v", a)
	}
}
