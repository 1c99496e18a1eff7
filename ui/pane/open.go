package pane

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

// ColumnChoice is a column that a list can show, Width cells wide or wider.
// Spare reports whether it is shown only when it is chosen.
type ColumnChoice struct {
	Name, About string
	Width       int
	Spare       bool
}

// ChooseColumns asks which columns of a list are to be shown, and how.
type ChooseColumns struct {
	List settings.ListName
	All  []ColumnChoice
}

// ShowList asks for a list with a filter in place of what is shown. Lacks is why
// there is no such filter; empty where there is one.
type ShowList struct {
	List   settings.ListName
	Filter string
	Lacks  string
}

func (in ShowList) Check(*state.Store) kernel.Verdict { return kernel.Verdict{Reason: in.Lacks} }

// ShowCard asks for the list of cards with the cursor on a card.
type ShowCard struct{ Card api.CardID }

func (in ShowCard) Check(s *state.Store) kernel.Verdict {
	if _, ok := s.Cards.Get(in.Card); !ok {
		return kernel.Verdict{Reason: s.Lang.T("the card is no longer listed")}
	}
	return kernel.Verdict{}
}

// ShowSetting asks for the list of settings with the cursor on one.
type ShowSetting struct{ Name string }

// GroupChoice is a way to put the rows of a list together: Name is what the
// kept view calls it, empty for none.
type GroupChoice struct{ Name, About string }

// ChooseGroup asks by what the rows of a list are to be put together.
type ChooseGroup struct {
	List settings.ListName
	All  []GroupChoice
}

// SwitchAccount asks for another account on the screen.
type SwitchAccount struct{ ID string }

// CopyAccountCode asks to copy the newest code of an account, of all when empty.
type CopyAccountCode struct{ ID string }

// ReopenAccounts asks again for the accounts that could not be opened.
type ReopenAccounts struct{}

// EditSetting asks for a setting of the configuration to be changed, to a value that is
// proposed; empty for none.
type EditSetting struct{ Name, Value string }

// ExportRows requests rows in a format that is still to be chosen.
type ExportRows struct {
	Rows rows.Rows
	// Rest is what can be read first, so that the rows are complete; nil for
	// nothing. Again returns the rows once it was. Wanted says that the user asked
	// for such rows, by a filter.
	Rest   *txns.Rest
	Again  func() rows.Rows
	Wanted bool
	// Sums are the rows' groups, which can be written instead; N is 0 where they
	// are in none.
	Sums rows.Rows
}

func (in ExportRows) Check(s *state.Store) kernel.Verdict {
	return kernel.Verdict{Reason: in.Rows.Refusal(s.Lang)}
}

// NameTab requests the name that a filter is saved under.
type NameTab struct {
	List   settings.ListName
	Filter string
}

func (in NameTab) Check(s *state.Store) kernel.Verdict {
	if strings.TrimSpace(in.Filter) == "" {
		return kernel.Verdict{Reason: s.Lang.T("no filter to save: / types one")}
	}
	return kernel.Verdict{}
}

// ChooseTab requests another tab where there may be none.
type ChooseTab struct{ List settings.ListName }

func (in ChooseTab) Check(s *state.Store) kernel.Verdict {
	if len(s.Views.Get(in.List).Tabs) == 0 {
		return kernel.Verdict{Reason: s.Lang.T("no tabs yet: t saves a filter as one")}
	}
	return kernel.Verdict{}
}

// EditAlerts asks for the alert lines of a card, a campaign, or of everything when both
// are empty.
type EditAlerts struct {
	Card     api.CardID
	Campaign string
}
