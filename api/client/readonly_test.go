package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// TestAReadOnlyClientSendsNoWrite tries every write there is.
func TestAReadOnlyClientSendsNoWrite(t *testing.T) {
	sent := 0
	c, err := client.New(client.Config{
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
			return second(sends[api.Card](x, c, "k")(api.CreateCardWrite(api.CreateCardRequest{BIN: "bin_1", Amount: api.Dollar})))
		},
		"update": func(x context.Context) error {
			return second(sends[api.Card](x, c, "k")(api.UpdateCardWrite("card_1", api.UpdateCardRequest{Label: &label})))
		},
		"freeze": func(x context.Context) error {
			return second(sends[api.FreezeResult](x, c, "k")(api.FreezeWrite("card_1")))
		},
		"unfreeze": func(x context.Context) error { return second(sends[api.Card](x, c, "k")(api.UnfreezeWrite("card_1"))) },
		"terminate": func(x context.Context) error {
			return second(sends[api.TerminateResult](x, c, "k")(api.TerminateWrite("card_1")))
		},
		"fund": func(x context.Context) error {
			return second(sends[api.FundResult](x, c, "k")(api.FundWrite("card_1", api.Dollar)))
		},
		"withdraw": func(x context.Context) error {
			return second(sends[api.WithdrawResult](x, c, "k")(api.WithdrawWrite("card_1", api.Dollar)))
		},
		"webhook": func(x context.Context) error {
			return second(sends[api.Webhook](x, c, "k")(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: "https://a.example/", Events: []string{"*"}})))
		},
		"delete webhook": func(x context.Context) error {
			return second(sends[api.DeleteResult](x, c, "k")(api.DeleteWebhookWrite("wh_1")))
		},
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
	c, err := client.New(client.Config{
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
	if err := second(sends[api.FreezeResult](t.Context(), c, "k")(api.FreezeWrite("card_1"))); errors.Is(err, api.ErrNoDetails) || sent != 1 {
		t.Errorf("a write: %v", err)
	}
}
