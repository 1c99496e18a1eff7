package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// TestAnAnswerAboutAnotherObjectIsRefused: what is done next would be done to that one.
func TestAnAnswerAboutAnotherObjectIsRefused(t *testing.T) {
	bodies := map[string]string{
		"/v1/cards/card_1":         `{"id":"card_2","status":"active","balance":5}`,
		"/v1/cards/card_1/details": `{"id":"card_2","pan":"4242424242424242","cvv":"123","exp_month":1,"exp_year":2030}`,
		"/v1/transactions/txn_1":   `{"id":"txn_2","card_id":"card_1","type":"decline","amount":-5}`,
		"/v1/3ds/3ds_1":            `{"id":"3ds_2","card_id":"card_1","otp":"482913","status":"pending"}`,
	}
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(bodies[r.URL.Path])), Request: r}, nil
	})})
	must(t, err)
	for name, ask := range map[string]func() error{
		"card":        func() error { _, err := c.GetCard(t.Context(), "card_1"); return err },
		"details":     func() error { _, err := c.CardDetails(t.Context(), "card_1"); return err },
		"transaction": func() error { _, err := c.GetTransaction(t.Context(), "txn_1"); return err },
		"challenge":   func() error { _, err := c.GetChallenge(t.Context(), "3ds_1"); return err },
	} {
		if err := ask(); !errors.Is(err, api.ErrOther) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "4242") || strings.Contains(err.Error(), "482913") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
