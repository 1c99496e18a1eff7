package state_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
)

func viewStore() *state.Store {
	return state.New(settings.Config{Columns: map[settings.ListName][]settings.ShownColumn{settings.CardList: {{Name: "label"}, {Name: "balance", Width: 9}}}})
}

// put dispatches an intent and gives what is put on the disk.
func put(t *testing.T, s *state.Store, in kernel.Intent) views.Save {
	t.Helper()
	topics, effects, err := s.Dispatch(in)
	if err != nil || len(effects) != 1 || topics&kernel.TopicViews == 0 {
		t.Fatalf("%v, %v, %v", topics, effects, err)
	}
	keep, ok := effects[0].(views.Save)
	if !ok {
		t.Fatalf("%T", effects[0])
	}
	return keep
}

func TestAViewIsSetAndKept(t *testing.T) {
	s := viewStore()
	if got := s.Views.Get(settings.CardList).Columns; len(got) != 2 {
		t.Fatalf("the configured columns are %v", got)
	}
	v := s.Views.Get(settings.CardList)
	v.Sort, v.Desc = "balance", true
	first := put(t, s, views.Set{List: settings.CardList, View: v})
	if got := first.Views[settings.CardList]; got.Sort != "balance" || got.Columns != nil {
		t.Errorf("columns nobody chose are kept: %+v", got)
	}
	v.Columns = []settings.ShownColumn{{Name: "card"}}
	second := put(t, s, views.Set{List: settings.CardList, View: v})
	if second.Seq <= first.Seq || !reflect.DeepEqual(second.Views[settings.CardList].Columns, v.Columns) {
		t.Errorf("%+v after %+v", second, first)
	}
	if first.Views[settings.CardList].Columns != nil {
		t.Error("what is on its way to the disk was changed")
	}
}

func TestTabsAreKeptUnderTheirNames(t *testing.T) {
	s := viewStore()
	if v := s.Ask(pane.NameTab{List: settings.CardList, Filter: " "}); v.Reason == "" {
		t.Error("nothing can be kept")
	}
	put(t, s, views.SaveTab{List: settings.CardList, Tab: settings.Tab{Name: "low", Filter: "bal<20"}})
	put(t, s, views.SaveTab{List: settings.CardList, Tab: settings.Tab{Name: " Low ", Filter: "bal<10"}})
	if got := s.Views.Get(settings.CardList).Tabs; len(got) != 1 || got[0] != (settings.Tab{Name: "Low", Filter: "bal<10"}) {
		t.Errorf("%+v", got)
	}
	for i := range settings.MaxTabs - 1 {
		put(t, s, views.SaveTab{List: settings.CardList, Tab: settings.Tab{Name: fmt.Sprint(i), Filter: "x"}})
	}
	for _, name := range []string{"more", "", strings.Repeat("x", settings.MaxTabName+1)} {
		if _, _, err := s.Dispatch(views.SaveTab{List: settings.CardList, Tab: settings.Tab{Name: name, Filter: "x"}}); err == nil {
			t.Errorf("%q is kept", name)
		}
	}
	put(t, s, views.DeleteTab{List: settings.CardList, Name: "low"})
	if _, _, err := s.Dispatch(views.DeleteTab{List: settings.CardList, Name: "low"}); err == nil {
		t.Error("a tab is dropped twice")
	}
	if got := s.Views.Get(settings.FeedList).Tabs; len(got) > 0 {
		t.Errorf("another list has %v", got)
	}
}

func TestAFullDiskIsToldOnce(t *testing.T) {
	s := viewStore()
	if topics, _ := s.Apply(views.Saved{Err: errors.New("disk full")}); topics&kernel.TopicNotice == 0 || !strings.Contains(s.Notice().Text, "disk full") {
		t.Errorf("told %q", s.Notice().Text)
	}
	if topics, _ := s.Apply(views.Saved{Err: errors.New("disk full")}); topics != 0 {
		t.Error("told twice")
	}
}
