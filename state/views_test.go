package state_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state"
)

func viewStore() *state.Store {
	return state.New(state.Config{Columns: map[state.ListName][]state.ShownColumn{state.CardList: {{Name: "label"}, {Name: "balance", Width: 9}}}})
}

// put dispatches an intent and gives what is put on the disk.
func put(t *testing.T, s *state.Store, in state.Intent) state.SaveViews {
	t.Helper()
	topics, effects, err := s.Dispatch(in)
	if err != nil || len(effects) != 1 || topics&state.TopicViews == 0 {
		t.Fatalf("%v, %v, %v", topics, effects, err)
	}
	keep, ok := effects[0].(state.SaveViews)
	if !ok {
		t.Fatalf("%T", effects[0])
	}
	return keep
}

func TestAViewIsSetAndKept(t *testing.T) {
	s := viewStore()
	if got := s.Views.Get(state.CardList).Columns; len(got) != 2 {
		t.Fatalf("the configured columns are %v", got)
	}
	v := s.Views.Get(state.CardList)
	v.Sort, v.Desc = "balance", true
	first := put(t, s, state.SetView{List: state.CardList, View: v})
	if got := first.Views[state.CardList]; got.Sort != "balance" || got.Columns != nil {
		t.Errorf("columns nobody chose are kept: %+v", got)
	}
	v.Columns = []state.ShownColumn{{Name: "card"}}
	second := put(t, s, state.SetView{List: state.CardList, View: v})
	if second.Seq <= first.Seq || !reflect.DeepEqual(second.Views[state.CardList].Columns, v.Columns) {
		t.Errorf("%+v after %+v", second, first)
	}
	if first.Views[state.CardList].Columns != nil {
		t.Error("what is on its way to the disk was changed")
	}
}

func TestTabsAreKeptUnderTheirNames(t *testing.T) {
	s := viewStore()
	if v := s.Ask(state.NameTab{List: state.CardList, Filter: " "}); v.Reason == "" {
		t.Error("nothing can be kept")
	}
	put(t, s, state.SaveTab{List: state.CardList, Tab: state.Tab{Name: "low", Filter: "bal<20"}})
	put(t, s, state.SaveTab{List: state.CardList, Tab: state.Tab{Name: " Low ", Filter: "bal<10"}})
	if got := s.Views.Get(state.CardList).Tabs; len(got) != 1 || got[0] != (state.Tab{Name: "Low", Filter: "bal<10"}) {
		t.Errorf("%+v", got)
	}
	for i := range state.MaxTabs - 1 {
		put(t, s, state.SaveTab{List: state.CardList, Tab: state.Tab{Name: fmt.Sprint(i), Filter: "x"}})
	}
	for _, name := range []string{"more", "", strings.Repeat("x", state.MaxTabName+1)} {
		if _, _, err := s.Dispatch(state.SaveTab{List: state.CardList, Tab: state.Tab{Name: name, Filter: "x"}}); err == nil {
			t.Errorf("%q is kept", name)
		}
	}
	put(t, s, state.DeleteTab{List: state.CardList, Name: "low"})
	if _, _, err := s.Dispatch(state.DeleteTab{List: state.CardList, Name: "low"}); err == nil {
		t.Error("a tab is dropped twice")
	}
	if got := s.Views.Get(state.FeedList).Tabs; len(got) > 0 {
		t.Errorf("another list has %v", got)
	}
}

func TestAFullDiskIsToldOnce(t *testing.T) {
	s := viewStore()
	if topics, _ := s.Apply(state.ViewsSaved{Err: errors.New("disk full")}); topics&state.TopicNotice == 0 || !strings.Contains(s.Notice().Text, "disk full") {
		t.Errorf("told %q", s.Notice().Text)
	}
	if topics, _ := s.Apply(state.ViewsSaved{Err: errors.New("disk full")}); topics != 0 {
		t.Error("told twice")
	}
}

func TestACardThatIsGoneIsNotShown(t *testing.T) {
	s := state.New(state.Config{})
	if v := s.Ask(state.ShowCard{Card: "card_gone"}); v.Reason == "" {
		t.Error("it is")
	}
	var snap state.Snapshot
	snap.Cards.Add(state.Card{ID: "card_here"})
	s.Recall(snap)
	if v := s.Ask(state.ShowCard{Card: "card_here"}); v.Reason != "" {
		t.Error(v.Reason)
	}
}
