package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
)

func TestIterators(t *testing.T) {
	var queries []string
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		page := r.URL.Query().Get("page")
		row := cardBody
		pagination := fmt.Sprintf(`{"page":%s,"per_page":1,"total":3,"total_pages":3}`, page)
		if r.URL.Path == "/prefix/v1/transactions" {
			row, pagination = txnBody, fmt.Sprintf(`{"page":%s,"per_page":1,"total":3}`, page)
		}
		answer(200, "application/json", `{"data":[`+row+`],"pagination":`+pagination+`}`)(w, r)
	})
	n := 0
	for row, err := range c.Cards(t.Context(), api.ListCardsOptions{Sort: api.SortLastUsed}) {
		if err != nil || row.ID != "card_1" {
			t.Fatal(row, err)
		}
		n++
	}
	for row, err := range c.Transactions(t.Context(), api.ListTransactionsOptions{CardID: "card_1", Page: 2, PerPage: 1}) {
		if err != nil || row.ID != "txn_1" {
			t.Fatal(row, err)
		}
		n++
	}
	want := []string{
		"page=1&per_page=25&sort=last_used", "page=2&per_page=25&sort=last_used", "page=3&per_page=25&sort=last_used",
		"card_id=card_1&page=2&per_page=1", "card_id=card_1&page=3&per_page=1",
	}
	if n != 5 || !slices.Equal(queries, want) {
		t.Errorf("%d rows, queries %q", n, queries)
	}
	for _, err := range c.Cards(t.Context(), api.ListCardsOptions{PerPage: 1000}) {
		if !errors.Is(err, api.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	}
}
