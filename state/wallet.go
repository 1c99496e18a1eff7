package state

import (
	"slices"

	"github.com/cardtop/cardtop/api"
)

// walletBook is the account's money that is not on a card.
type walletBook struct {
	api.Wallet
	known    bool
	fence    Seq
	deposits []api.Deposit
}

// Wallet is the wallet as last told; false before the first answer.
func (s *Store) Wallet() (api.Wallet, bool) { return s.wallet.Wallet, s.wallet.known }

// Deposits lists the deposits, newest first. The slice is the store's own.
func (s *Store) Deposits() []api.Deposit { return s.wallet.deposits }

func (s *Store) walletLoaded(ev WalletLoaded) Topic {
	s.succeed(LaneWallet, ev.Meta)
	if ev.Seq <= s.wallet.fence {
		return 0
	}
	s.wallet.Wallet, s.wallet.known = ev.Wallet, true
	return TopicWallet
}

func (s *Store) depositsLoaded(ev DepositsLoaded) Topic {
	s.succeed(LaneDeposits, ev.Meta)
	s.wallet.deposits = ev.Items
	slices.SortStableFunc(s.wallet.deposits, func(a, b api.Deposit) int {
		return b.CreatedAt.Compare(a.CreatedAt)
	})
	return TopicWallet
}
