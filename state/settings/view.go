package settings

// ListName names a list that has views.
type ListName string

// The lists.
const (
	CardList ListName = "cards"
	FeedList ListName = "transactions"
)

// View is how the user wants to see a list. Its slices are shared and not
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
	// Tabs are filters saved under a name.
	Tabs []Tab
}

// ShownColumn is a column of a list, Width cells wide; 0 is its own width.
type ShownColumn struct {
	Name  string
	Width int
}

// Tab is a filter saved under a name.
type Tab struct{ Name, Filter string }

// MaxTabs bounds the tabs of a list.
const MaxTabs = 12

// Views are the views of all lists that the user changed.
type Views map[ListName]View

// MaxTabName bounds a tab's name, in code points.
const MaxTabName = 16
