package api

import (
	"errors"
	"testing"
)

func TestPages(t *testing.T) {
	full := func(n int) []int { return make([]int, n) }
	tests := []struct {
		name  string
		fetch func(page int) (Page[int], error)
		rows  int
		calls int
	}{
		{"total pages", func(p int) (Page[int], error) {
			return Page[int]{full(10), Pagination{Page: p, PerPage: 10, Total: 30, TotalPages: 3}}, nil
		}, 30, 3},
		{"a short page before the last", func(p int) (Page[int], error) {
			return Page[int]{full(10 - p%2), Pagination{TotalPages: 3}}, nil
		}, 28, 3},
		{"total only", func(p int) (Page[int], error) {
			return Page[int]{full(10), Pagination{Page: p, PerPage: 10, Total: 20}}, nil
		}, 20, 2},
		{"short page", func(p int) (Page[int], error) { return Page[int]{Data: full(min(10, 25-10*(p-1)))}, nil }, 25, 3},
		{"empty page", func(p int) (Page[int], error) {
			return Page[int]{Data: full(10 * (p % 2)), Pagination: Pagination{TotalPages: 99}}, nil
		}, 10, 2},
		{"a server that caps the page", func(p int) (Page[int], error) {
			return Page[int]{full(5), Pagination{Page: p, PerPage: 5, TotalPages: 2}}, nil
		}, 10, 2},
		{"a server that repeats its last page", func(p int) (Page[int], error) {
			return Page[int]{full(10), Pagination{Page: min(p, 2), TotalPages: 9}}, nil
		}, 20, 3},
		{"a list that grows as it is read", func(p int) (Page[int], error) {
			return Page[int]{full(1), Pagination{Page: p, TotalPages: p + 1}}, nil
		}, maxPages, maxPages},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, calls := 0, 0
			for _, err := range pages(0, 10, func(p int) (Page[int], error) { calls++; return tt.fetch(p) }) {
				if err != nil {
					t.Fatal(err)
				}
				rows++
			}
			if rows != tt.rows || calls != tt.calls {
				t.Errorf("%d rows in %d calls", rows, calls)
			}
		})
	}
}

func TestPagesStop(t *testing.T) {
	failure, calls := errors.New("no"), 0
	fetch := func(p int) (Page[int], error) {
		if calls++; p == 4 {
			return Page[int]{}, failure
		}
		return Page[int]{make([]int, 2), Pagination{TotalPages: 9}}, nil
	}
	rows := 0
	var last error
	for _, err := range pages(3, 2, fetch) {
		rows, last = rows+1, err
	}
	if rows != 3 || calls != 2 || !errors.Is(last, failure) {
		t.Errorf("%d rows, %d calls, %v", rows, calls, last)
	}
	calls = 0
	for _, err := range pages(1, 2, fetch) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if calls != 1 {
		t.Errorf("%d calls after a break", calls)
	}
}
