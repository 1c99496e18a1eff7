package state

import (
	"slices"
	"strings"
)

// MaxTabName bounds a tab's name, in code points.
const MaxTabName = 16

// NameTab asks for the name that a filter is kept under.
type NameTab struct {
	List   ListName
	Filter string
}

// KeepTab asks to keep a filter under a name; one of the same name is
// replaced.
type KeepTab struct {
	List ListName
	Tab  Tab
}

// DropTab asks to keep a filter no longer.
type DropTab struct {
	List ListName
	Name string
}

// ChooseTab asks for another tab where there may be none.
type ChooseTab struct{ List ListName }

func tabNamed(tabs []Tab, name string) int {
	return slices.IndexFunc(tabs, func(t Tab) bool { return strings.EqualFold(t.Name, name) })
}

func (vi *ViewsTable) keepTab(in KeepTab) []Effect {
	v := vi.Get(in.List)
	v.Tabs = slices.Clone(v.Tabs)
	in.Tab.Name = strings.TrimSpace(in.Tab.Name)
	if i := tabNamed(v.Tabs, in.Tab.Name); i >= 0 {
		v.Tabs[i] = in.Tab
	} else {
		v.Tabs = append(v.Tabs, in.Tab)
	}
	vi.notices.tell(Good, "tab "+in.Tab.Name+" is kept")
	return vi.setView(SetView{List: in.List, View: v})
}

func (vi *ViewsTable) dropTab(in DropTab) []Effect {
	v := vi.Get(in.List)
	i := tabNamed(v.Tabs, in.Name)
	vi.notices.tell(Info, "tab "+v.Tabs[i].Name+" is gone; its filter stays until it is cleared")
	v.Tabs = slices.Delete(slices.Clone(v.Tabs), i, i+1)
	return vi.setView(SetView{List: in.List, View: v})
}
