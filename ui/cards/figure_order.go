package cards

import (
	"slices"

	"github.com/cardtop/cardtop/internal/query"
)

// needFigures reads the figures of all cards that are sorted, filtered or added up by,
// unless they were.
func (x *index) needFigures() {
	want := x.wantsFigures()
	has := x.figures.has
	if want.spend && !has.spend || want.counts && !has.counts {
		x.figures.readAll(x.store, want)
	}
}

// wantsFigures says what of all cards is sorted, filtered or added up by.
func (x *index) wantsFigures() wanted {
	want := wanted{spend: x.by.figure != nil && x.by.Name != declinesColumn, counts: x.by.Name == declinesColumn}
	asks := func(q *query.Query[*subject]) {
		want.spend = want.spend || q.Asked(query.LeftField, query.BurnField)
		want.counts = want.counts || q.Asked(query.DeclinesField)
	}
	asks(&x.query)
	for i := range x.watches {
		asks(&x.watches[i].query)
	}
	if x.group.of != nil && (x.figured || x.by.figure != nil) {
		want.spend, want.counts = true, true
	}
	return want
}

// figure returns what is wanted of all cards of one of them.
func (x *index) figure(row int32) *figure {
	if int(row) >= len(x.figures.all) {
		return &figure{left: unknown}
	}
	return &x.figures.all[row]
}

// rank ranks all cards by the column.
func (x *index) rank() {
	x.needFigures()
	x.ranks.reset(x.by, x.store.Cards.All(), x.figure)
}

// refigure reads the figures anew, if the ledger has others, and moves the cards that
// are sorted by them. It reports whether it did.
func (x *index) refigure() bool {
	if x.store == nil || !x.figures.stale(x.store) {
		return false
	}
	x.figures.anew(x.store)
	if x.wantsFigures() == (wanted{}) {
		x.figures.all, x.figures.before = nil, nil
		return false
	}
	x.needFigures()
	if x.by.figure != nil {
		x.rerank()
	}
	if x.query.Timed() {
		x.test()
	} else {
		x.list()
	}
	return true
}

// rerank puts the cards whose ranks changed into their places.
func (x *index) rerank() {
	before := x.ranks.numbers
	x.rank()
	var fresh []int32
	moved := make([]bool, len(before))
	for row, n := range before {
		if x.ranks.numbers[row] != n {
			moved[row], fresh = true, append(fresh, int32(row))
		}
	}
	if len(fresh) == 0 {
		return
	}
	slices.SortFunc(fresh, x.compare)
	x.place(slices.DeleteFunc(x.sorted, func(row int32) bool { return moved[row] }), fresh)
}
