package pane

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// Hint says which key does something in a place, such as "r asks again". What
// has no key is found in the list of commands.
func Hint(keys *keymap.Map, c keymap.Context, a keymap.Action, does string) string {
	key := keys.Key(keymap.Palette)
	if bound := keys.Keys(c, a); len(bound) > 0 {
		key = bound[0]
	}
	return key + " " + does
}

// NoCards says of an account without cards how it gets its first.
func NoCards(keys *keymap.Map, s *state.Store) string {
	const none = "no cards yet"
	wallet, known := s.Wallet.Balance()
	if !known || s.Privacy.Display().Private() {
		return none
	}
	deposit, issue := Hint(keys, keymap.Global, keymap.OpenDeposits, "shows where to deposit"), Hint(keys, keymap.Global, keymap.Issue, "issues a card")
	empty := wallet.Balance <= 0
	switch {
	case empty && s.ReadOnly():
		return none + ": " + deposit
	case empty:
		return none + ": " + deposit + ", then " + issue
	case s.ReadOnly():
		return none
	}
	return none + ": " + issue
}

// NoDeposits says of an account without deposits where to send one.
func NoDeposits(keys *keymap.Map) string {
	return "no deposits yet: " + Hint(keys, keymap.Global, keymap.OpenDeposits, "shows the addresses")
}
