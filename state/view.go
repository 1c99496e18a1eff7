package state

import (
	"maps"
	"slices"
)

// ViewsTable holds how the lists are shown.
type ViewsTable struct {
	*core
	notices   *NoticesTable
	views     Views
	viewsLost bool
}

// ListName names a list that can be looked at in more than one way.
type ListName string

// The lists.
const (
	CardList ListName = "cards"
	FeedList ListName = "transactions"
)

// View is how a person wants to see a list. Its slices are shared and not
// changed.
type View struct {
	// Sort is the column that it is sorted by, Desc with the largest on top;
	// empty is the list's own.
	Sort string
	Desc bool
	// Columns are those shown, in their order; none are the list's own.
	Columns []ShownColumn
	// Group is what rows are put together by; empty is nothing.
	Group string
	// Tabs are filters kept under a name.
	Tabs []Tab
}

// ShownColumn is a column of a list, Width cells wide; 0 is its own width.
type ShownColumn struct {
	Name  string
	Width int
}

// Tab is a filter kept under a name.
type Tab struct{ Name, Filter string }

// MaxTabs bounds the tabs of a list.
const MaxTabs = 12

// Views are the views of all lists that a person changed.
type Views map[ListName]View

// SetView asks to see a list in another way, from now on and at the next
// start.
type SetView struct {
	List ListName
	View View
}

// KeepViews puts the views on the disk. One with a lower Seq than the last is
// passed over.
type KeepViews struct {
	Seq   Seq
	Views Views
}

func (KeepViews) effect() {}

// ViewsKept says that views are on the disk, or why they are not.
type ViewsKept struct {
	Meta
	Err error
}

// View gives how a list is to be seen.
func (vi *ViewsTable) Get(list ListName) View {
	v := vi.views[list]
	if len(v.Columns) == 0 {
		v.Columns = vi.cfg.Columns[list]
	}
	return v
}

func (vi *ViewsTable) setView(in SetView) []Effect {
	v := in.View
	if slices.Equal(v.Columns, vi.cfg.Columns[in.List]) {
		v.Columns = nil // The configuration says so, also after it was changed.
	}
	vi.views = maps.Clone(vi.views)
	if vi.views == nil {
		vi.views = make(Views)
	}
	vi.views[in.List] = v
	return []Effect{KeepViews{Seq: vi.nextSeq(), Views: vi.views}}
}

// viewsKept tells once that what is set will not be there at the next start.
func (vi *ViewsTable) viewsKept(ev ViewsKept) Topic {
	if ev.Err == nil || vi.viewsLost {
		return 0
	}
	vi.viewsLost = true
	vi.notices.tell(Warn, "the next start will not have these columns, tabs and order: "+ev.Err.Error())
	return TopicNotice
}

// ColumnChoice is a column that a list can show, Width cells wide or wider.
// Spare says that it is shown only when it is chosen.
type ColumnChoice struct {
	Name, About string
	Width       int
	Spare       bool
}

// ChooseColumns asks which columns of a list are to be shown, and how.
type ChooseColumns struct {
	List ListName
	All  []ColumnChoice
}
