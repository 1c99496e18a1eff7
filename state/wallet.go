package state

import (
	"slices"

	"github.com/cardtop/cardtop/api"
)

// walletBook is the account's money that is not on a card.
type walletBook struct {
	api.Wallet
	known    bool
	cached   bool // known from an earlier run only
	fence    Seq
	deposits []api.Deposit
}

// live tells whether an answer to this run told of the wallet.
func (b *walletBook) live() bool { return b.known && !b.cached }

// Wallet is the wallet as last told; false before the first answer. While the
// lane's source is cached it is from an earlier run.
func (s *Store) Wallet() (api.Wallet, bool) { return s.wallet.Wallet, s.wallet.known }

// Deposits lists the deposits, newest first. The slice is the store's own.
func (s *Store) Deposits() []api.Deposit { return s.wallet.deposits }

func (s *Store) walletLoaded(ev WalletLoaded) Topic {
	s.succeed(LaneWallet, ev.Meta)
	if ev.Seq <= s.wallet.fence {
		s.lanes[LaneWallet].cached = s.wallet.cached
		return 0
	}
	s.wallet.Wallet, s.wallet.known, s.wallet.cached = ev.Wallet, true, false
	return TopicWallet
}

// credited tells of deposits that are confirmed since they were last read.
func (s *Store) credited(items []api.Deposit) {
	for _, d := range items {
		same := func(old api.Deposit) bool { return old.ID == d.ID && old.Status == d.Status }
		if d.Status == api.DepositConfirmed && !slices.ContainsFunc(s.wallet.deposits, same) {
			s.report(News{Kind: NewsDeposit, ID: string(d.ID), Amount: d.CreditedUSD})
		}
	}
}

func (s *Store) depositsLoaded(ev DepositsLoaded) Topic {
	known, before := !s.lanes[LaneDeposits].okAt.IsZero(), s.wallet.deposits
	first := s.lanes[LaneDeposits].okAt.IsZero() || s.lanes[LaneDeposits].cached
	s.succeed(LaneDeposits, ev.Meta)
	if !first {
		s.credited(ev.Items)
	}
	s.wallet.deposits = ev.Items
	slices.SortStableFunc(s.wallet.deposits, func(a, b api.Deposit) int {
		return b.CreatedAt.Compare(a.CreatedAt)
	})
	if !known {
		return TopicWallet
	}
	return TopicWallet | s.tellDeposits(before)
}
