package memo

import (
	"fmt"
	"testing"
)

// even appends the even rows up to a last one, and counts how often it is called.
type even struct{ last, calls int64 }

func (e *even) find(rows []int32, after int64) []int32 {
	e.calls++
	for n := after + 1; n <= e.last; n++ {
		if n%2 == 0 {
			rows = append(rows, int32(n))
		}
	}
	return rows
}

func TestRowsAreFoundOnce(t *testing.T) {
	var m Rows[string]
	e := &even{last: 5}
	for _, want := range []struct {
		last, calls int64
		rows        string
	}{{5, 1, "[2 4]"}, {5, 1, "[2 4]"}, {8, 2, "[2 4 6 8]"}, {8, 2, "[2 4 6 8]"}} {
		e.last = want.last
		if got := fmt.Sprint(m.Of("even", want.last, e.find)); got != want.rows || e.calls != want.calls {
			t.Errorf("up to %d: %s after %d calls, want %s after %d", want.last, got, e.calls, want.rows, want.calls)
		}
	}
	m.Forget()
	if m.Of("even", 8, e.find); e.calls != 3 {
		t.Error("rows are known after they were forgotten")
	}
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	var m Rows[int]
	e := &even{last: 2}
	for key := range 2 * maxFilters {
		m.Of(key, 2, e.find)
	}
	if len(m.known) > maxFilters || m.held != len(m.known) {
		t.Errorf("%d filters with %d rows are remembered", len(m.known), m.held)
	}
	e.last = maxRows
	for key := range 6 {
		m.Of(-1-key, maxRows, e.find)
	}
	if m.held > maxRows+maxRows/2 {
		t.Errorf("%d rows are remembered", m.held)
	}
}
