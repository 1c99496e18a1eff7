package client

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestARepeatedPageIsAsDecodedAnew changes what was returned, and what comes in.
func TestARepeatedPageIsAsDecodedAnew(t *testing.T) {
	t.Parallel()
	body := func(amounts ...int) []byte {
		b := `{"data":[`
		for i, n := range amounts {
			if i > 0 {
				b += ","
			}
			b += fmt.Sprintf(`{"id":"txn_%d","card_id":"card_1","type":"settlement","amount":%d,"created_at":"2026-03-01T12:00:00Z"}`, i, n)
		}
		return []byte(b + fmt.Sprintf(`],"pagination":{"page":1,"total":%d}}`, len(amounts)))
	}
	var l repeats[api.Transaction]
	for _, amounts := range [][]int{{-1, -2}, {-1, -2}, {}, {}, {-1, -3}, {-1, -2}, {-1, -2}} {
		b := body(amounts...)
		got, err := l.decode(b)
		if err != nil || got.Data == nil {
			t.Fatalf("%s: %v, %v", b, got.Data, err)
		}
		clear(b) // As the client does.
		var sums []int
		for i := range got.Data {
			sums = append(sums, int(got.Data[i].Amount/api.Dollar))
		}
		if !slices.Equal(sums, amounts) && len(amounts) > 0 || len(sums) != len(amounts) || got.Pagination.Total != len(amounts) {
			t.Errorf("%v is decoded as %v, %+v", amounts, sums, got.Pagination)
		}
		clear(got.Data) // It is the caller's.
	}
	for range 2 {
		if _, err := l.decode([]byte(`{"pagination":{}}`)); err == nil {
			t.Error("a list without rows is one")
		}
	}
	if got, err := l.decode(body(-1, -2)); err != nil || len(got.Data) != 2 || got.Data[1].Amount != -2*api.Dollar {
		t.Errorf("after a broken one: %+v, %v", got, err)
	}
}

// TestAPageSaysWhetherItCounts: without a number that can be true nobody knows whether anything left the list meanwhile.
func TestAPageSaysWhetherItCounts(t *testing.T) {
	t.Parallel()
	row := `{"id":"txn_%d","card_id":"card_1","type":"settlement","amount":-1,"created_at":"2026-03-01T12:00:00Z"}`
	one, bad := fmt.Sprintf(row, 1), `{"id":"txn_9","amount":"many"}`
	many := one
	for i := range api.MaxPerPage {
		many += "," + fmt.Sprintf(row, i+1) // The first comes twice.
	}
	for body, want := range map[string][2]bool{ // Uncounted, full
		`{"data":[` + one + `],"pagination":{"page":1,"total":1,"total_pages":1}}`: {false, false},
		`{"data":[` + one + `],"pagination":{"page":1,"total":0,"total_pages":0}}`: {true, false},
		`{"data":[` + one + `],"pagination":null}`:                                 {true, false},
		`{"data":[` + one + `]}`:             {true, false},
		`{"data":[` + one + "," + bad + `]}`: {true, false},
		`{"data":[` + one + "," + bad + `],"pagination":{"page":1,"total":2,"total_pages":1}}`: {false, false},
		`{"data":[]}`:                         {true, false},
		`{"data":[],"pagination":{"page":1}}`: {false, false},
		`{"data":[` + many + `],"pagination":{"page":1,"total":400,"total_pages":4}}`: {false, true},
	} {
		var p api.Page[api.Transaction]
		if err := p.UnmarshalJSON([]byte(body)); err != nil {
			t.Fatalf("%.90s: %v", body, err)
		}
		if got := [2]bool{p.Uncounted(), p.Full()}; got != want {
			t.Errorf("%.90s…: uncounted and full %v, want %v", body, got, want)
		}
	}
}
