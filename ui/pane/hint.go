package pane

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/team"
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
	w := s.Words()
	wallet, known := s.Wallets.Balance()
	if !known || s.Privacy.Display().Private() {
		return w.T("no cards yet")
	}
	deposit := Hint(keys, keymap.Global, keymap.OpenDeposits, w.T("shows where to deposit"))
	issue := Hint(keys, keymap.Global, keymap.Issue, w.T("issues a card"))
	// On a hub these are for some roles only.
	empty, issues, deposits := wallet.Balance <= 0, !s.ReadOnly() && s.Team.May(team.Lead), s.Team.May(team.Admin)
	switch {
	case empty && deposits && issues:
		return w.Tf("no cards yet: %s, then %s", deposit, issue)
	case empty && deposits:
		return w.Tf("no cards yet: %s", deposit)
	case !empty && issues:
		return w.Tf("no cards yet: %s", issue)
	}
	return w.T("no cards yet")
}

// UnreadDeposits says that the user's role on a hub reads no deposits: none that are listed
// does not mean that there are none. Empty for who may.
func UnreadDeposits(s *state.Store) string {
	if s.Team.May(team.Admin) {
		return ""
	}
	you, _ := s.Team.You()
	return s.Words().Tf("your role, %s, may not read deposits", you.Role.String())
}

// NoDeposits says of an account without deposits where to send one.
func NoDeposits(w *lang.Words, keys *keymap.Map) string {
	return w.Tf("no deposits yet: %s", Hint(keys, keymap.Global, keymap.OpenDeposits, w.T("shows the addresses")))
}
