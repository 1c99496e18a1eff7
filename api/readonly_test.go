package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestAReadOnlyClientSendsNoWrite tries every write there is.
func TestAReadOnlyClientSendsNoWrite(t *testing.T) {
	sent := 0
	c, err := api.New(api.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_1"), ReadOnly: true,
		Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			sent++
			return nil, errors.New("nobody is there")
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	label := "x"
	for name, write := range map[string]func(context.Context) error{
		"create": func(x context.Context) error {
			return second(c.CreateCard(x, api.CreateCardRequest{BIN: "bin_1", Amount: api.Dollar}, "k"))
		},
		"update": func(x context.Context) error {
			return second(c.UpdateCard(x, "card_1", api.UpdateCardRequest{Label: &label}, "k"))
		},
		"freeze":    func(x context.Context) error { return second(c.Freeze(x, "card_1", "k")) },
		"unfreeze":  func(x context.Context) error { return second(c.Unfreeze(x, "card_1", "k")) },
		"terminate": func(x context.Context) error { return second(c.Terminate(x, "card_1", "k")) },
		"fund":      func(x context.Context) error { return second(c.Fund(x, "card_1", api.Dollar, "k")) },
		"withdraw":  func(x context.Context) error { return second(c.Withdraw(x, "card_1", api.Dollar, "k")) },
		"webhook": func(x context.Context) error {
			return second(c.CreateWebhook(x, api.CreateWebhookRequest{URL: "https://a.example/", Events: []string{"*"}}, "k"))
		},
		"delete webhook": func(x context.Context) error { return second(c.DeleteWebhook(x, "wh_1", "k")) },
	} {
		if err := write(t.Context()); !errors.Is(err, api.ErrReadOnly) || api.Outcome(err) != api.Refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sent != 0 {
		t.Errorf("%d requests were sent", sent)
	}
	if _, err := c.WalletBalance(t.Context()); errors.Is(err, api.ErrReadOnly) || sent != 1 {
		t.Errorf("a read: %v", err)
	}
	if _, err := c.CardDetails(t.Context(), "card_1"); errors.Is(err, api.ErrNoDetails) || sent != 2 {
		t.Errorf("details are another switch: %v", err)
	}
}

// TestAClientWithoutDetailsAsksForNone writes all the same.
func TestAClientWithoutDetailsAsksForNone(t *testing.T) {
	sent := 0
	c, err := api.New(api.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_1"), NoDetails: true,
		Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			sent++
			return nil, errors.New("nobody is there")
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CardDetails(t.Context(), "card_1"); !errors.Is(err, api.ErrNoDetails) || sent != 0 {
		t.Errorf("%v, %d requests", err, sent)
	}
	if err := second(c.Freeze(t.Context(), "card_1", "k")); errors.Is(err, api.ErrNoDetails) || sent != 1 {
		t.Errorf("a write: %v", err)
	}
}
