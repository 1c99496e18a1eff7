package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
)

func TestPagesEnd(t *testing.T) {
	bad := errors.New("bad")
	refused := &api.Error{Status: 400}
	for name, tt := range map[string]struct {
		read  func(page int) (api.Page[string], bool, error)
		pages int
		err   error
	}{
		"at a short page":  {func(page int) (api.Page[string], bool, error) { return pageOf(fmt.Sprint(page)), page < 3, nil }, 3, nil},
		"at an empty page": {func(int) (api.Page[string], bool, error) { return pageOf(), true, nil }, 1, nil},
		"not at a page of which nothing can be read": {func(page int) (api.Page[string], bool, error) {
			return api.Page[string]{Rows: 100, Pagination: api.Pagination{Total: 9000}}, page < 3, nil
		}, 3, nil},
		"at a failure": {func(page int) (api.Page[string], bool, error) {
			return pageOf(fmt.Sprint(page)), true, map[int]error{2: bad}[page]
		}, 1, bad},
		"past the last": {func(page int) (api.Page[string], bool, error) {
			return pageOf(fmt.Sprint(page)), true, asError(page == 2, refused)
		}, 1, nil},
		"at a refusal of the first": {func(int) (api.Page[string], bool, error) { return pageOf(), true, refused }, 0, refused},
	} {
		n, last := 0, error(nil)
		for _, err := range listOf(tt.read).pages() {
			if last = err; err == nil {
				n++
			}
		}
		if n != tt.pages || !errors.Is(last, tt.err) {
			t.Errorf("%s: %d pages, %v", name, n, last)
		}
	}
}

// TestARowThatLeavesTheListLosesNoOther: those after it come a page earlier.
func TestARowThatLeavesTheListLosesNoOther(t *testing.T) {
	all := numbers(250)
	read := func(page int) (api.Page[string], bool, error) {
		if page == 2 && len(all) == 250 {
			all = all[1:]
		}
		return counted(all, page)
	}
	l := listOf(read)
	l.missed = func() { t.Error("some are missed") }
	l.hasAll(t, 250)
}

// hasAll reads a list whose items move, and expects each of them once.
func (l list[T]) hasAll(t *testing.T, n int) {
	t.Helper()
	got := make(map[string]int)
	for items, err := range l.pages() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range items {
			got[l.id(&items[i])]++
		}
	}
	if len(got) != n || got["100"] != 1 || got["101"] != 1 {
		t.Errorf("%d rows, the one that moved came %d times", len(got), got["100"])
	}
}

// TestARowThatLeavesAnUncountedListLosesNoOther: a page that says no number cannot say that there are fewer.
func TestARowThatLeavesAnUncountedListLosesNoOther(t *testing.T) {
	all := numbers(250)
	l := listOf(func(page int) (api.Page[string], bool, error) {
		if page == 2 && len(all) == 250 {
			all = all[1:]
		}
		p, more, err := counted(all, page)
		if page == 1 {
			p.Pagination = api.Pagination{}
		}
		return p, more, err
	})
	l.hasAll(t, 250)
}

// TestAListThatIsCutOffIsSaid: the service refuses its later pages.
func TestAListThatIsCutOffIsSaid(t *testing.T) {
	all, missed := numbers(500), false
	l := listOf(func(page int) (api.Page[string], bool, error) {
		p, more, err := counted(all, page)
		if page > 3 {
			err = &api.Error{Status: 400}
		}
		return p, more, err
	})
	l.missed = func() { missed = true }
	for _, err := range l.pages() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !missed {
		t.Error("nothing is said")
	}
}

// TestAListThatNeverRestsIsSaid: rows go to the front whenever it is read.
func TestAListThatNeverRestsIsSaid(t *testing.T) {
	all, missed, n := numbers(900), false, 0
	l := listOf(func(page int) (api.Page[string], bool, error) {
		if page > 1 {
			all = slices.Concat(all[len(all)-90:], all[:len(all)-90])
		}
		return counted(all, page)
	})
	l.reorders = true
	l.missed = func() { missed = true }
	for items, err := range l.pages() {
		if err != nil {
			t.Fatal(err)
		}
		n += len(items)
	}
	if !missed {
		t.Errorf("%d of %d are read, and nothing is said", n, len(all))
	}
}

// TestAWrongCountReadsNothingTwice: it is the same on each page.
func TestAWrongCountReadsNothingTwice(t *testing.T) {
	all, reads := numbers(250), 0
	l := listOf(func(page int) (api.Page[string], bool, error) {
		reads++
		p, more, err := counted(all, page)
		p.Pagination.Total = 9000
		return p, more, err
	})
	l.missed = func() { t.Error("some are missed") }
	for _, err := range l.pages() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if reads != 3 {
		t.Errorf("%d pages are read", reads)
	}
}

func listOf(read func(page int) (api.Page[string], bool, error)) list[string] {
	return list[string]{read: read, id: func(s *string) string { return *s }, missed: func() {}}
}

func numbers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return all
}

// counted is a page of a list with the number of all.
func counted(all []string, page int) (api.Page[string], bool, error) {
	from, to := min(len(all), (page-1)*api.MaxPerPage), min(len(all), page*api.MaxPerPage)
	p := pageOf(all[from:to]...)
	p.Pagination.Total = len(all)
	return p, to < len(all), nil
}

func pageOf(items ...string) api.Page[string] {
	return api.Page[string]{Data: slices.Clone(items), Rows: len(items), Pagination: api.Pagination{Total: 9000}}
}

func asError(is bool, err error) error {
	if is {
		return err
	}
	return nil
}
