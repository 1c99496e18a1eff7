package cards

import (
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
)

// labelled is a pane with a few cards, by label and balance.
func labelled(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, 1)
	var items []api.CardItem
	for i, c := range []struct {
		label   api.Text
		balance api.USD
	}{{"fb/a/1", 10}, {"fb/a", 40}, {"gg/b/1", 90}, {"gg/b/2", 1}, {"li/c", 60}} {
		items = append(items, api.CardItem{ID: api.CardID("card_g" + string(rune('0'+i))), Last4: "1234", Label: c.label, Status: api.CardActive, Balance: c.balance * api.Dollar, CreatedAt: start()})
	}
	w.pane.Sync(w.store, w.read(items)|kernel.TopicAll)
	w.typed("last4=1234")
	return w
}

func (w *world) heads() (names []string) {
	for line := range w.pane.index.lines {
		if g, ok := w.pane.index.head(line); ok {
			names = append(names, g.name)
		}
	}
	return names
}

// TestGroupsAreInTheOrderOfTheColumn sorts groups as their cards are.
func TestGroupsAreInTheOrderOfTheColumn(t *testing.T) {
	w := labelled(t)
	w.pane.groupBy("label")
	for _, c := range []struct {
		by   string
		desc bool
		want []string
	}{
		{"label", false, []string{"fb", "gg", "li"}},
		{"label", true, []string{"li", "gg", "fb"}},
		{"balance", true, []string{"gg", "li", "fb"}},
		{"balance", false, []string{"fb", "li", "gg"}},
		{"status", false, []string{"fb", "gg", "li"}},
	} {
		w.pane.order(c.by, c.desc)
		if got := w.heads(); !slices.Equal(got, c.want) {
			t.Errorf("by %s, %t: %q, want %q", c.by, c.desc, got, c.want)
		}
	}
}

// TestCampaignsAreGroupsAndAFilter of the list, by the rule that holds. A kept
// view that names what campaigns took the place of shows them.
func TestCampaignsAreGroupsAndAFilter(t *testing.T) {
	w := labelled(t)
	if _, _, err := w.store.Dispatch(views.Set{List: settings.CardList, View: settings.View{Group: label2, Sort: "balance", Desc: true}}); err != nil {
		t.Fatal(err)
	}
	w.pane.Sync(w.store, kernel.TopicViews)
	groups := func(want ...string) {
		t.Helper()
		if got := w.heads(); !slices.Equal(got, want) {
			t.Errorf("groups %q, want %q", got, want)
		}
	}
	if groups("gg/b", "li/c", "fb/a"); w.pane.view.Group != campaignColumn {
		t.Errorf("kept as %q", w.pane.view.Group)
	}
	w.pane.order(campaignColumn, false)
	groups("fb/a", "gg/b", "li/c")
	labels := func(filter string, want ...string) {
		t.Helper()
		w.typed(filter)
		w.pane.Work(func() bool { return false })
		var got []string
		for _, row := range w.pane.index.order {
			c := w.store.Cards.All().At(int(row))
			got = append(got, string(c.Label))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", filter, got, want)
		}
	}
	labels("last4=1234 campaign=FB/a", "fb/a", "fb/a/1")
	labels("last4=1234 campaign~g/,li", "gg/b/1", "gg/b/2", "li/c")
	labels("last4=1234 !campaign~/^(fb|gg)/", "li/c")
	labels("last4=1234 campaign=fb")
	if w.typed("campaign~fb/campaign"); len(w.pane.index.order) != 1 {
		t.Errorf("%d cards of a label with capitals", len(w.pane.index.order))
	}
	r := w.store.Reloadable()
	r.Campaign = "*/*/*"
	w.pane.Sync(w.store, w.store.Reload(r))
	labels("last4=1234 campaign~gg/b", "gg/b/1", "gg/b/2")
	groups("gg/b/1", "gg/b/2")
}

// TestAKeyOnAHeadActsOnTheCardsOfItsGroup that match the filter, also when they
// are folded.
func TestAKeyOnAHeadActsOnTheCardsOfItsGroup(t *testing.T) {
	w := labelled(t)
	w.pane.groupBy(campaignColumn)
	w.pane.index.foldAll()
	w.pane.relist()
	for _, c := range []struct {
		filter string
		want   []api.CardID
	}{{"last4=1234", []api.CardID{"card_g2", "card_g3"}}, {"last4=1234 bal>50", []api.CardID{"card_g2"}}} {
		w.typed(c.filter)
		line, ok := w.pane.index.lineOf("gg/b")
		if !ok {
			t.Fatalf("%s: no such group", c.filter)
		}
		w.pane.table.SetCursor(line)
		w.pane.bindCursor()
		in, ok := w.pane.Act(keymap.Freeze)[0].(state.Writes)
		if slices.Sort(in.Cards); !ok || in.Kind != state.BulkFreeze || !slices.Equal(in.Cards, c.want) {
			t.Errorf("%s: %v", c.filter, in)
		}
	}
}

// TestAnExportOfGroupsHasThemAndTheirSums exports as it is grouped, whatever is
// folded.
func TestAnExportOfGroupsHasThemAndTheirSums(t *testing.T) {
	w := labelled(t)
	w.pane.groupBy(campaignColumn)
	w.pane.order("balance", true)
	w.pane.index.foldAll()
	w.pane.relist()
	in, ok := w.pane.export()[0].(pane.ExportRows)
	if !ok {
		t.Fatal("nothing is exported")
	}
	if in.Rows.Columns[0] != "group" || in.Rows.N != 5 || in.Sums.N != 3 || !slices.Equal(in.Sums.Columns, []string{"group", "cards", "balance", "spent"}) {
		t.Fatalf("%+v, %+v", in.Rows, in.Sums)
	}
	for i, want := range [][]string{{"gg/b", "2", "91.00", "0.00"}, {"li/c", "1", "60.00", "0.00"}, {"fb/a", "2", "50.00", "0.00"}} {
		var got []string
		for _, c := range in.Sums.Row(i) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var groups []string
	for i := range in.Rows.N {
		groups = append(groups, in.Rows.Row(i)[0].Text)
	}
	if want := []string{"gg/b", "gg/b", "li/c", "fb/a", "fb/a"}; !slices.Equal(groups, want) {
		t.Errorf("%q", groups)
	}
}

// TestAnExportHasTheColumnsOfTheScreen exports what a wide screen shows more.
func TestAnExportHasTheColumnsOfTheScreen(t *testing.T) {
	w := labelled(t)
	w.pane.SetSize(60, 20)
	narrow, _ := w.pane.export()[0].(pane.ExportRows)
	w.pane.SetSize(300, 20)
	wide, _ := w.pane.export()[0].(pane.ExportRows)
	for _, list := range []pane.ExportRows{narrow, wide} {
		ids := 0
		for _, name := range list.Rows.Columns {
			if name == "id" {
				ids++
			}
		}
		if got := len(list.Rows.Row(0)); ids != 1 || got != len(list.Rows.Columns) {
			t.Errorf("%d ids and %d cells in %q", ids, got, list.Rows.Columns)
		}
	}
	for _, name := range []string{"label", "last", "spent"} {
		if !slices.Contains(narrow.Rows.Columns, name) {
			t.Errorf("%s is not in %q", name, narrow.Rows.Columns)
		}
	}
	for _, name := range []string{"state", "network", "id"} {
		if !slices.Contains(wide.Rows.Columns, name) {
			t.Errorf("%s is not in %q", name, wide.Rows.Columns)
		}
	}
}

// TestLimitsAreWatchedWhereTheyAreShown or sorted by, and only there: they cost
// requests.
func TestLimitsAreWatchedWhereTheyAreShown(t *testing.T) {
	w := labelled(t)
	w.pane.SetSize(76, 20)
	if w.pane.Watches().Shown {
		t.Error("watched without room for the column")
	}
	w.pane.SetSize(140, 20)
	if !w.pane.Watches().Shown {
		t.Error("not watched where there is room")
	}
	w.pane.SetSize(76, 20)
	w.pane.order(limitColumn, true)
	if !w.pane.Watches().Shown {
		t.Error("sorted by what is not watched")
	}
	w.pane.order(labelColumn, false)
	w.pane.applyView(settings.View{Columns: []settings.ShownColumn{{Name: "label"}, {Name: "limit"}}})
	if line := strings.Join(w.pane.View(true), "\n"); !w.pane.Watches().Shown || !strings.Contains(line, "?") {
		t.Errorf("what is not known is shown as\n%s", line)
	}
}

// TestTheLinesOfACampaignAreSetOnItsHead: of other groups there are none.
func TestTheLinesOfACampaignAreSetOnItsHead(t *testing.T) {
	w := labelled(t)
	for by, want := range map[string]kernel.Intent{campaignColumn: pane.EditAlerts{Campaign: "gg/b"}, "label": nil} {
		w.pane.groupBy(by)
		line, ok := w.pane.index.lineOf(map[string]string{campaignColumn: "gg/b", "label": "gg"}[by])
		if !ok {
			t.Fatalf("%s: no such group", by)
		}
		w.pane.table.SetCursor(line)
		w.pane.bindCursor()
		in := w.pane.Act(keymap.AlertLines)[0]
		if _, hint := in.(kernel.Say); want == nil && !hint || want != nil && in != want {
			t.Errorf("%s: %#v", by, in)
		}
	}
}

// TestAHeadShowsWhatItIsSortedBy: of what does not add up that of the first of its cards.
func TestAHeadShowsWhatItIsSortedBy(t *testing.T) {
	w := labelled(t)
	w.pane.SetSize(200, 20)
	w.pane.groupBy("label")
	head := func() string {
		for _, line := range w.pane.View(true) {
			if strings.Contains(line, "gg  2") {
				return strings.Trim(line, "│┃ ")
			}
		}
		t.Fatal("no head of the group")
		return ""
	}
	w.pane.order("age", true)
	if got := head(); !strings.HasSuffix(got, " now") {
		t.Errorf("no age in %q", got)
	}
	w.pane.order("balance", true)
	if got := head(); !strings.HasSuffix(got, "91.00       ≥0.00") {
		t.Errorf("more than the sums in %q", got)
	}
}
