package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestRowsThatShiftComeOnce: some come in at the front while the pages are read.
func TestRowsThatShiftComeOnce(t *testing.T) {
	var all []string
	for i := range 350 {
		all = append(all, fmt.Sprint(i))
	}
	var got []string
	read := func(page int) (api.Page[string], bool, error) {
		if page > 1 {
			all = append([]string{fmt.Sprint("new ", page), fmt.Sprint("newer ", page)}, all...)
		}
		from, to := min(len(all), (page-1)*api.MaxPerPage), min(len(all), page*api.MaxPerPage)
		return pageOf(all[from:to]...), to < len(all), nil
	}
	for items, err := range pages(read, func(s *string) string { return *s }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, items...)
	}
	if len(got) != 350 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 350 {
		t.Errorf("%d rows", len(got))
	}
}

// TestARowThatALaterPageRepeatsComesOnce, however far from the first.
func TestARowThatALaterPageRepeatsComesOnce(t *testing.T) {
	var got []string
	read := func(page int) (api.Page[string], bool, error) { return pageOf("same", fmt.Sprint(page)), page < 6, nil }
	for items, err := range pages(read, func(s *string) string { return *s }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, items...)
	}
	if want := []string{"same", "1", "2", "3", "4", "5", "6"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

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
		"not at a page of which nothing can be read": {func(page int) (api.Page[string], bool, error) { return api.Page[string]{Rows: 100}, page < 3, nil }, 3, nil},
		"at a failure": {func(page int) (api.Page[string], bool, error) {
			return pageOf(fmt.Sprint(page)), true, map[int]error{2: bad}[page]
		}, 1, bad},
		"past the last": {func(page int) (api.Page[string], bool, error) {
			return pageOf(fmt.Sprint(page)), true, asError(page == 2, refused)
		}, 1, nil},
		"at a refusal of the first": {func(int) (api.Page[string], bool, error) { return pageOf(), true, refused }, 0, refused},
	} {
		n, last := 0, error(nil)
		for _, err := range pages(tt.read, func(s *string) string { return *s }) {
			if last = err; err == nil {
				n++
			}
		}
		if n != tt.pages || !errors.Is(last, tt.err) {
			t.Errorf("%s: %d pages, %v", name, n, last)
		}
	}
}

func pageOf(items ...string) api.Page[string] {
	return api.Page[string]{Data: slices.Clone(items), Rows: len(items)}
}

func asError(is bool, err error) error {
	if is {
		return err
	}
	return nil
}
