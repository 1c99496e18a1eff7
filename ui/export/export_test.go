package export

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
)

// TestAKeyTurnsToTheOtherKindOfRows and the one that is likely meant comes
// first.
func TestAKeyTurnsToTheOtherKindOfRows(t *testing.T) {
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	items := func(what string, n int) rows.Rows {
		return rows.Rows{What: what, N: n, Row: func(int) []rows.Cell { return nil }}
	}
	read := func(r dialog.Result) (what string) {
		for _, in := range r.Intents {
			switch in := in.(type) {
			case state.WriteRows:
				what += in.Rows.What
			case txns.ReadRest:
				what += "read first"
			default:
			}
		}
		return what
	}
	for name, c := range map[string]struct {
		in   pane.ExportRows
		want []string
	}{
		"whole":       {pane.ExportRows{Rows: items("cards", 3), Wanted: true}, []string{"cards", "cards"}},
		"a filter":    {pane.ExportRows{Rows: items("rows", 3), Rest: &txns.Rest{}, Wanted: true}, []string{"read first", "rows"}},
		"no filter":   {pane.ExportRows{Rows: items("rows", 3), Rest: &txns.Rest{}}, []string{"rows", "read first"}},
		"groups":      {pane.ExportRows{Rows: items("cards", 3), Sums: items("groups", 2)}, []string{"cards", "groups"}},
		"folded ones": {pane.ExportRows{Rows: items("cards", 3), Sums: items("groups", 2), Wanted: true}, []string{"groups", "cards"}},
	} {
		var got []string
		for _, keys := range [][]string{{"1"}, {"space", "1"}} {
			e := NewExport(&th, c.in, "")
			var r dialog.Result
			for _, key := range keys {
				r = e.Type(key, "")
			}
			got = append(got, read(r))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
