package views_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

func TestWhatIsKeptIsThereAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	want := settings.Views{
		settings.CardList: {
			Sort: "balance", Desc: true, Columns: []settings.ShownColumn{{Name: "label", Width: 30}, {Name: "card"}},
			Group: "label", Tabs: []settings.Tab{{Name: "low", Filter: "bal<20 status=active"}},
		},
		settings.FeedList: {Tabs: []settings.Tab{{Name: "no", Filter: "type=declined"}}},
	}
	f := views.Open(dir)
	if got, err := f.Load(); err != nil || len(got) > 0 {
		t.Fatalf("nothing was kept: %v, %v", got, err)
	}
	if err := f.Keep(2, want); err != nil {
		t.Fatal(err)
	}
	if err := f.Keep(1, settings.Views{}); err != nil { // Overtaken.
		t.Fatal(err)
	}
	got, err := views.Open(dir).Load()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	info, err := os.Stat(filepath.Join(dir, "views.json"))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestADamagedFileIsToldAndReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "views.json")
	if err := os.WriteFile(path, []byte(`{"version":1,"lists":{"cards":{"tabs":[{"name":"a\u001b[31mb","filter":"x"}],"columns":[{"name":"label","width":-3}]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := views.Open(dir).Load()
	if err != nil || got[settings.CardList].Tabs[0].Name == "a\x1b[31mb" || got[settings.CardList].Columns[0].Width != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(`{"lists":`), 0o600); err != nil {
		t.Fatal(err)
	}
	f := views.Open(dir)
	if _, err := f.Load(); err == nil {
		t.Error("half a file was read")
	}
	if err := f.Keep(1, settings.Views{}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(); err != nil {
		t.Error(err)
	}
	if got, err := views.Open("").Load(); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTwoDashboardsKeepWhatEachChanged: the one that stores last does not put back what it read.
func TestTwoDashboardsKeepWhatEachChanged(t *testing.T) {
	dir := t.TempDir()
	open := func() *views.File {
		f := views.Open(dir)
		if _, err := f.Load(); err != nil {
			t.Fatal(err)
		}
		return f
	}
	keep := func(f *views.File, seq poll.Seq, v settings.View) {
		t.Helper()
		if err := f.Keep(seq, settings.Views{settings.CardList: v}); err != nil {
			t.Fatal(err)
		}
	}
	low, big, old, own := settings.Tab{Name: "low", Filter: "bal<20"}, settings.Tab{Name: "big", Filter: "bal>900"}, settings.Tab{Name: "old", Filter: "age>30d"}, settings.Tab{Name: "own", Filter: "label~me"}
	keep(open(), 1, settings.View{Sort: "label", Tabs: []settings.Tab{low, old}})
	a, b := open(), open()
	keep(a, 1, settings.View{Sort: "balance", Tabs: []settings.Tab{low, old, big}})
	keep(b, 1, settings.View{Sort: "label", Tabs: []settings.Tab{low, own}, Group: "label"})
	keep(a, 2, settings.View{Sort: "balance", Tabs: []settings.Tab{{Name: "low", Filter: "bal<10"}, old, big}})
	got, err := open().Load()
	want := settings.View{Sort: "balance", Group: "label", Tabs: []settings.Tab{{Name: "low", Filter: "bal<10"}, big, own}}
	if err != nil || !reflect.DeepEqual(got[settings.CardList], want) {
		t.Errorf("%+v, %v; want %+v", got[settings.CardList], err, want)
	}
}
