package history

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

func TestWhatIsWanted(t *testing.T) {
	r := funded("key-1", state.OpStatusDone)
	r.At = noon()
	for _, tt := range []struct {
		filter Filter
		want   bool
	}{
		{Filter{}, true},
		{Filter{Text: "FB/01 25.00 done"}, true},
		{Filter{Text: "fb/01 refused"}, false},
		{Filter{Text: "req_1 2026-03-01"}, true},
		{Filter{Action: "fund", Outcome: "done"}, true},
		{Filter{Action: "withdraw"}, false},
		{Filter{Outcome: "refused"}, false},
		{Filter{Card: "card_1"}, true},
		{Filter{Card: "4242"}, true},
		{Filter{Card: "FB/"}, true},
		{Filter{Card: "card_"}, false},
		{Filter{Since: noon()}, true},
		{Filter{Since: noon().Add(time.Second)}, false},
	} {
		if got := tt.filter.Matches(r); got != tt.want {
			t.Errorf("%+v: %v", tt.filter, got)
		}
	}
}

func TestTheCSVHoldsNoFormula(t *testing.T) {
	var records []state.Record
	for _, name := range []string{"=1+1", "+1", "-1", "@x", "\t=x", "\r=x", "plain, \"quoted\""} {
		r := funded("0123456789", state.OpStatusDone)
		r.Name, r.CardBefore, r.Amount = name, nil, -api.Dollar
		records = append(records, r)
	}
	var out bytes.Buffer
	must(t, export.Write(&out, state.RecordRows(records), rows.CSV))
	lines, err := csv.NewReader(&out).ReadAll()
	must(t, err)
	if len(lines) != 8 || len(lines[0]) != 30 {
		t.Fatalf("%d rows of %d", len(lines), len(lines[0]))
	}
	for i, row := range lines[1:] {
		for _, cell := range row {
			// A program may drop what stands before it.
			if text := strings.TrimLeft(cell, "\t\r "); text != "" && text != "-1.00" && strings.ContainsAny(text[:1], "=+-@") {
				t.Errorf("row %d: %q", i, cell)
			}
		}
		if row[7] != "-1.00" || row[8] != "" || row[9] != "35.00" || row[18] != "0123456789" {
			t.Errorf("row %d: %q", i, row)
		}
	}
	if lines[1][6] != "'=1+1" || lines[7][6] != `plain, "quoted"` {
		t.Errorf("names %q, %q", lines[1][6], lines[7][6])
	}
}
