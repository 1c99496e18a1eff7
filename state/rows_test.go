package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/secrets"
)

func TestTheClipboardsShareIsToldBeforeItIsTaken(t *testing.T) {
	list := func(n, width int) rows.Rows {
		return rows.Rows{What: "cards", Columns: []string{"label"}, N: n, Row: func(int) []rows.Cell {
			return []rows.Cell{rows.Text(strings.Repeat("x", width))}
		}}
	}
	for _, c := range []struct {
		n, width int
		f        rows.Format
		want     string
		fits     bool
	}{
		{10, 50, rows.CSV, "about 1 KiB", true},
		{10, 50, rows.JSON, "about 1 KiB", true},
		{40, 50, rows.CSV, "about 2 KiB", true},
		{40, 50, rows.JSONLines, "about 3 KiB", true},
		{650, 50, rows.CSV, "over its 32 KiB", false},
		{640, 50, rows.TSV, "about 32 KiB", true},
		{550, 50, rows.JSON, "over its 32 KiB", false},
		{1 << 40, 50, rows.JSON, "over its 32 KiB", false}, // counted no further than needed
	} {
		if got, fits := list(c.n, c.width).CopySize(nil, c.f); got != c.want || fits != c.fits {
			t.Errorf("%d rows of %d as %s: %s, %v", c.n, c.width, c.f, got, fits)
		}
	}
}

func TestWhatAnExportLacksIsSaid(t *testing.T) {
	s := settled(t)
	saved := state.RowsSaved{Meta: meta(2 * time.Second), Path: "/r/x.csv", Text: "a"}
	saved.Rows = rows.Rows{What: "transactions", N: 637, Lacks: rows.Partial{Text: "nothing older than 2026-02-28 12:00"}}
	apply(s, saved)
	wantNotice(t, s, kernel.Warn, "/r/x.csv", "637 transactions, partial: nothing older than 2026-02-28 12:00")
	saved.Copy = true
	if c := one[secrets.CopyPlain](t, apply(s, saved)); c.Text != "a" {
		t.Errorf("%+v", c)
	}
	apply(s, secrets.ClipChanged{Seq: one[secrets.CopyPlain](t, apply(s, saved)).Seq, At: at(3 * time.Second), State: secrets.ClipCopied, Until: at(time.Minute)})
	if what := s.Secrets.Clip().What; !strings.Contains(what, "partial: nothing older") {
		t.Error(what)
	}
}
