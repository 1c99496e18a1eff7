package state

import (
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
)

// ViewsTable holds how the lists are shown.
type ViewsTable struct {
	*kernel.Core
	notices    *kernel.Notices
	views      settings.Views
	saveFailed bool
}

func (vi *ViewsTable) saveTab(in SaveTab) []kernel.Effect {
	v := vi.Get(in.List)
	v.Tabs = slices.Clone(v.Tabs)
	in.Tab.Name = strings.TrimSpace(in.Tab.Name)
	if i := tabNamed(v.Tabs, in.Tab.Name); i >= 0 {
		v.Tabs[i] = in.Tab
	} else {
		v.Tabs = append(v.Tabs, in.Tab)
	}
	vi.notices.Say(kernel.Good, vi.Lang.Tf("tab %s saved", in.Tab.Name))
	return vi.setView(SetView{List: in.List, View: v})
}

func (vi *ViewsTable) deleteTab(in DeleteTab) []kernel.Effect {
	v := vi.Get(in.List)
	i := tabNamed(v.Tabs, in.Name)
	vi.notices.Say(kernel.Info, vi.Lang.Tf("tab %s deleted; its filter stays until cleared", v.Tabs[i].Name))
	v.Tabs = slices.Delete(slices.Clone(v.Tabs), i, i+1)
	return vi.setView(SetView{List: in.List, View: v})
}

// SetView asks to see a list in another way, from now on and at the next
// start.
type SetView struct {
	List settings.ListName
	View settings.View
}

func (in SetView) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, s.Views.setView(in)
}

// SaveViews puts the views on the disk. One with a lower Seq than the last is
// passed over.
type SaveViews struct {
	Seq   poll.Seq
	Views settings.Views
}

func (SaveViews) Effect() {}

// ViewsSaved is the result of SaveViews; Err is why the views are not on disk.
type ViewsSaved struct {
	kernel.Meta
	Err error
}

func (ev ViewsSaved) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Views.viewsSaved(ev), nil
}

// Get returns how a list is to be seen.
func (vi *ViewsTable) Get(list settings.ListName) settings.View {
	v := vi.views[list]
	if len(v.Columns) == 0 {
		v.Columns = vi.Cfg.Columns[list]
	}
	return v
}

func (vi *ViewsTable) setView(in SetView) []kernel.Effect {
	v := in.View
	if slices.Equal(v.Columns, vi.Cfg.Columns[in.List]) {
		v.Columns = nil // The configuration says so, also after it was changed.
	}
	vi.views = maps.Clone(vi.views)
	if vi.views == nil {
		vi.views = make(settings.Views)
	}
	vi.views[in.List] = v
	return []kernel.Effect{SaveViews{Seq: vi.NextSeq(), Views: vi.views}}
}

// viewsSaved says once that what is set will not be there at the next start.
func (vi *ViewsTable) viewsSaved(ev ViewsSaved) kernel.Topic {
	if ev.Err == nil || vi.saveFailed {
		return 0
	}
	vi.saveFailed = true
	vi.notices.Say(kernel.Warn, vi.Lang.Tf("the next start will not have these columns, tabs and order: %s", ev.Err.Error()))
	return kernel.TopicNotice
}

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

func (in ShowList) Check(*Store) kernel.Verdict { return kernel.Verdict{Reason: in.Lacks} }

// ShowCard asks for the list of cards with the cursor on a card.
type ShowCard struct{ Card api.CardID }

func (in ShowCard) Check(s *Store) kernel.Verdict {
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
	Rest   *Rest
	Again  func() rows.Rows
	Wanted bool
	// Sums are the rows' groups, which can be written instead; N is 0 where they
	// are in none.
	Sums rows.Rows
}

func (in ExportRows) Check(s *Store) kernel.Verdict { return checkRows(s.Lang, in.Rows) }

// WriteRows requests rows in a new file, or on the clipboard.
type WriteRows struct {
	Rows   rows.Rows
	Format rows.Format
	Copy   bool
}

func (in WriteRows) Check(s *Store) kernel.Verdict { return checkRows(s.Lang, in.Rows) }

func (in WriteRows) Start(*Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, []kernel.Effect{SaveRows(in)}
}

// SaveRows writes rows to a new file, or only puts them into words for the
// clipboard.
type SaveRows struct {
	Rows   rows.Rows
	Format rows.Format
	Copy   bool
}

// Label is what the user waits for.
func (SaveRows) Label(bool) string { return lang.N("writing the rows") }

func (SaveRows) Effect() {}

// RowsSaved says where rows were written, or their text, or why there is
// neither.
type RowsSaved struct {
	kernel.Meta
	SaveRows
	Path, Text string
	Err        error
}

func (ev RowsSaved) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	n, level := ev.Rows.Counted(), kernel.Good
	if lacks := ev.Rows.Lacks; !lacks.IsWhole() {
		n, level = s.Lang.Tf("%s, partial: %s", n, lacks.Text), kernel.Warn
	}
	switch {
	case ev.Err != nil:
		s.Notices.Say(kernel.Bad, s.Lang.Tf("the %s were not exported: %s", ev.Rows.What, ev.Err.Error()))
	case !ev.Copy:
		s.Notices.Say(level, s.Lang.Tf("written to %s: %s", ev.Path, n))
	case len(ev.Text) > rows.MaxCopied:
		s.Notices.Say(kernel.Warn, s.Lang.Tf("%s are %d KiB, the clipboard takes %d: filter, or write a file", n, (len(ev.Text)+1023)>>10, rows.MaxCopied>>10))
	default:
		return kernel.TopicSecrets, s.Clip.copyText(CopyText{What: n + " as " + string(ev.Format), Text: ev.Text})
	}
	return kernel.TopicNotice, nil
}

// checkRows returns why rows cannot be exported.
func checkRows(w *lang.Words, r rows.Rows) kernel.Verdict {
	if r.N == 0 {
		return kernel.Verdict{Reason: w.T("nothing to export: the list is empty")}
	}
	return kernel.Verdict{}
}

// NameTab requests the name that a filter is saved under.
type NameTab struct {
	List   settings.ListName
	Filter string
}

func (in NameTab) Check(s *Store) kernel.Verdict {
	if strings.TrimSpace(in.Filter) == "" {
		return kernel.Verdict{Reason: s.Lang.T("no filter to save: / types one")}
	}
	return kernel.Verdict{}
}

// SaveTab saves a filter under a name; one of the same name is
// replaced.
type SaveTab struct {
	List settings.ListName
	Tab  settings.Tab
}

func (in SaveTab) Check(s *Store) kernel.Verdict {
	tabs := s.Views.Get(in.List).Tabs
	switch {
	case strings.TrimSpace(in.Tab.Name) == "":
		return kernel.Verdict{Reason: s.Lang.T("a tab needs a name")}
	case len([]rune(in.Tab.Name)) > settings.MaxTabName:
		return kernel.Verdict{Reason: s.Lang.Tf("at most %d characters", settings.MaxTabName)}
	case tabNamed(tabs, in.Tab.Name) < 0 && len(tabs) >= settings.MaxTabs:
		return kernel.Verdict{Reason: s.Lang.Tf("%d tabs are the most: delete one first", settings.MaxTabs)}
	}
	return kernel.Verdict{}
}

func (in SaveTab) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, s.Views.saveTab(in)
}

// DeleteTab deletes a filter's tab.
type DeleteTab struct {
	List settings.ListName
	Name string
}

func (in DeleteTab) Check(s *Store) kernel.Verdict {
	if tabNamed(s.Views.Get(in.List).Tabs, in.Name) < 0 {
		return kernel.Verdict{Reason: s.Lang.T("no tab is chosen here")}
	}
	return kernel.Verdict{}
}

func (in DeleteTab) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, s.Views.deleteTab(in)
}

// ChooseTab requests another tab where there may be none.
type ChooseTab struct{ List settings.ListName }

func (in ChooseTab) Check(s *Store) kernel.Verdict {
	if len(s.Views.Get(in.List).Tabs) == 0 {
		return kernel.Verdict{Reason: s.Lang.T("no tabs yet: t saves a filter as one")}
	}
	return kernel.Verdict{}
}

func tabNamed(tabs []settings.Tab, name string) int {
	return slices.IndexFunc(tabs, func(t settings.Tab) bool { return strings.EqualFold(t.Name, name) })
}
