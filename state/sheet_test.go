package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

func TestAllThatIsWrongWithASheetIsToldAtOnce(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.Guard.MaxOperation = 40 * dollar })
	long := strings.Repeat("x", 65)
	sheet := cardcsv.Read(nil, []byte("bin_id,amount,label,spending_limit\n"+
		"bin_1,5,right,\n"+
		"bin_1,five,"+long+",\n"+
		"bin_1,0.5,small,-1\n"+
		"bin_1,41,much,\n"+
		"bin_1,5\n"+
		",5,"+long+",x\n"))
	var got []string
	load := one[state.FetchIssueFile](t, do(t, s, state.LoadIssueFile{Path: "cards.csv"}))
	apply(s, state.IssueFileLoaded{FetchIssueFile: load, Meta: meta(time.Second), File: sheet})
	for _, p := range s.Bulk.IssueFile().Problems {
		got = append(got, fmt.Sprintf("%d %s: %s", p.Line, p.Column, p.Text))
	}
	want := []string{
		`3 amount: "five" is no amount: write it such as 1250.00`,
		"3 label: the label has 65 characters, at most 64 are allowed",
		"4 amount: at least $1.00",
		"4 spending_limit: the limit is below 0",
		"5 amount: guardrail: at most $40.00 in one operation",
		"6 : has 2 fields, the header 4",
		"7 bin_id: is missing",
		`7 spending_limit: "x" is no amount: write it such as 1250.00`,
		"7 label: the label has 65 characters, at most 64 are allowed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if len(sheet.Rows) != 3 {
		t.Errorf("%d rows", len(sheet.Rows))
	}
}

// TestAWrongHeaderHidesNothingOfTheFile has a column that means nothing and one
// that is missing, which is not told of every row again.
func TestAWrongHeaderHidesNothingOfTheFile(t *testing.T) {
	s := known(t)
	sheet := cardcsv.Read(nil, []byte("bin_id,label,team,spending_limit\nbin_1,right,a,\nbin_9,wrong,b,-1\nbin_1,short\n"))
	var got []string
	load := one[state.FetchIssueFile](t, do(t, s, state.LoadIssueFile{Path: "cards.csv"}))
	apply(s, state.IssueFileLoaded{FetchIssueFile: load, Meta: meta(time.Second), File: sheet})
	for _, p := range s.Bulk.IssueFile().Problems {
		text, _, _ := strings.Cut(p.Text, ": bin_id")
		got = append(got, fmt.Sprintf("%d %s: %s", p.Line, p.Column, text))
	}
	want := []string{
		`1 : the column "team" is not known`,
		"1 amount: the column is missing",
		`3 bin_id: no such BIN "bin_9": b lists them`,
		"3 spending_limit: the limit is below 0",
		"4 : has 2 fields, the header 4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestASheetIsJudgedAgainByWhatIsKnownLater(t *testing.T) {
	s := settled(t)
	load := one[state.FetchIssueFile](t, do(t, s, state.LoadIssueFile{Path: "cards.csv"}))
	sheet := cardcsv.Read(nil, []byte("bin_id,amount,label\nbin_1,50,right\nbin_2,60,other\n"))
	apply(s, state.IssueFileLoaded{FetchIssueFile: load, Meta: meta(time.Second), File: sheet})
	told := func(want ...string) {
		t.Helper()
		var got []string
		for _, p := range s.Bulk.IssueFile().Problems {
			got = append(got, fmt.Sprintf("%d %s: %s", p.Line, p.Column, p.Text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	told()
	gone := `3 bin_id: no such BIN "bin_2": b lists them`
	apply(s, bins.Loaded{Meta: meta(2 * time.Second), Items: []api.BIN{{ID: "bin_1"}}})
	told(gone)
	s.Reload(settings.Reloadable{Guard: guard.Guard{MaxOperation: 55 * dollar}})
	told(gone, "3 amount: guardrail: at most $55.00 in one operation")
	if n := testing.AllocsPerRun(10, func() { s.Bulk.IssueFile() }); n != 0 {
		t.Errorf("looking at it takes %v allocations", n)
	}
}
