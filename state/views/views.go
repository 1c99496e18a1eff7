// Package views holds how the lists are shown: their columns, order, groups and tabs.
package views

import (
	"maps"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// Table holds how the lists are shown.
type Table struct {
	*kernel.Core
	notices    *kernel.Notices
	views      settings.Views
	saveFailed bool
}

// New returns what was saved before.
func New(c *kernel.Core, notices *kernel.Notices, saved settings.Views) *Table {
	return &Table{Core: c, notices: notices, views: saved}
}

func (vi *Table) saveTab(in SaveTab) []kernel.Effect {
	v := vi.Get(in.List)
	v.Tabs = slices.Clone(v.Tabs)
	in.Tab.Name = strings.TrimSpace(in.Tab.Name)
	if i := tabNamed(v.Tabs, in.Tab.Name); i >= 0 {
		v.Tabs[i] = in.Tab
	} else {
		v.Tabs = append(v.Tabs, in.Tab)
	}
	vi.notices.Say(kernel.Good, vi.Lang.Tf("tab %s saved", in.Tab.Name))
	return vi.setView(Set{List: in.List, View: v})
}

func (vi *Table) deleteTab(in DeleteTab) []kernel.Effect {
	v := vi.Get(in.List)
	i := tabNamed(v.Tabs, in.Name)
	vi.notices.Say(kernel.Info, vi.Lang.Tf("tab %s deleted; its filter stays until cleared", v.Tabs[i].Name))
	v.Tabs = slices.Delete(slices.Clone(v.Tabs), i, i+1)
	return vi.setView(Set{List: in.List, View: v})
}

// Set asks to see a list in another way, from now on and at the next
// start.
type Set struct {
	List settings.ListName
	View settings.View
}

func (in Set) Start(vi *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, vi.setView(in)
}

// Save puts the views on the disk. One with a lower Seq than the last is
// passed over.
type Save struct {
	Seq   poll.Seq
	Views settings.Views
}

func (Save) Effect() {}

// Saved is the result of Save; Err is why the views are not on disk.
type Saved struct {
	kernel.Meta
	Err error
}

func (ev Saved) Apply(vi *Table) (kernel.Topic, []kernel.Effect) {
	return vi.viewsSaved(ev), nil
}

// Get returns how a list is to be seen.
func (vi *Table) Get(list settings.ListName) settings.View {
	v := vi.views[list]
	if len(v.Columns) == 0 {
		v.Columns = vi.Cfg.Columns[list]
	}
	return v
}

func (vi *Table) setView(in Set) []kernel.Effect {
	v := in.View
	if slices.Equal(v.Columns, vi.Cfg.Columns[in.List]) {
		v.Columns = nil // The configuration says so, also after it was changed.
	}
	vi.views = maps.Clone(vi.views)
	if vi.views == nil {
		vi.views = make(settings.Views)
	}
	vi.views[in.List] = v
	return []kernel.Effect{Save{Seq: vi.NextSeq(), Views: vi.views}}
}

// viewsSaved says once that what is set will not be there at the next start.
func (vi *Table) viewsSaved(ev Saved) kernel.Topic {
	if ev.Err == nil || vi.saveFailed {
		return 0
	}
	vi.saveFailed = true
	vi.notices.Say(kernel.Warn, vi.Lang.Tf("the next start will not have these columns, tabs and order: %s", ev.Err.Error()))
	return kernel.TopicNotice
}

// SaveTab saves a filter under a name; one of the same name is
// replaced.
type SaveTab struct {
	List settings.ListName
	Tab  settings.Tab
}

func (in SaveTab) Check(vi *Table) kernel.Verdict {
	tabs := vi.Get(in.List).Tabs
	switch {
	case strings.TrimSpace(in.Tab.Name) == "":
		return kernel.Verdict{Reason: vi.Lang.T("a tab needs a name")}
	case len([]rune(in.Tab.Name)) > settings.MaxTabName:
		return kernel.Verdict{Reason: vi.Lang.Tf("at most %d characters", settings.MaxTabName)}
	case tabNamed(tabs, in.Tab.Name) < 0 && len(tabs) >= settings.MaxTabs:
		return kernel.Verdict{Reason: vi.Lang.Tf("%d tabs are the most: delete one first", settings.MaxTabs)}
	}
	return kernel.Verdict{}
}

func (in SaveTab) Start(vi *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, vi.saveTab(in)
}

// DeleteTab deletes a filter's tab.
type DeleteTab struct {
	List settings.ListName
	Name string
}

func (in DeleteTab) Check(vi *Table) kernel.Verdict {
	if tabNamed(vi.Get(in.List).Tabs, in.Name) < 0 {
		return kernel.Verdict{Reason: vi.Lang.T("no tab is chosen here")}
	}
	return kernel.Verdict{}
}

func (in DeleteTab) Start(vi *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicViews | kernel.TopicNotice, vi.deleteTab(in)
}

func tabNamed(tabs []settings.Tab, name string) int {
	return slices.IndexFunc(tabs, func(t settings.Tab) bool { return strings.EqualFold(t.Name, name) })
}
