package client_test

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

const (
	testKey = "sk_test_canary0123456789"
	leakPAN = "4111222233334444"
	idemKey = api.IdempotencyKey("key-1")
)

// newClient returns a client of a TLS server whose base path has a prefix, so
// that an address that is built from the root does not go unseen.
func newClient(t *testing.T, h http.HandlerFunc, change ...func(*client.Config)) *client.Client {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	cfg := client.Config{BaseURL: srv.URL + "/prefix/v1", Key: api.NewAPIKey(testKey), RootCAs: roots}
	for _, f := range change {
		f(&cfg)
	}
	c, err := client.New(cfg)
	must(t, err)
	t.Cleanup(c.ResetConnections)
	return c
}

// answer is a handler that always says the same.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// fakeClient returns a client without a network.
func fakeClient(t *testing.T, f roundTrip, change ...func(*client.Config)) *client.Client {
	t.Helper()
	cfg := client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(testKey), Transport: f}
	for _, c := range change {
		c(&cfg)
	}
	c, err := client.New(cfg)
	must(t, err)
	return c
}

// jsonResponse is an answer made by hand.
func jsonResponse(status int, body string) *http.Response {
	return &http.Response{
		StatusCode:    status,
		Header:        http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)),
	}
}

func noLeak(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, secret := range []string{testKey, "canary", leakPAN, "482913", "https://", "secret-label"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error holds %q: %v", secret, err)
		}
	}
}

// endpoint is one method of the client.
type endpoint struct {
	name   string
	write  bool
	secret bool // answers hold secrets
	body   string
	call   func(context.Context, *client.Client) error
	bad    func(context.Context, *client.Client) error // nil: it has no options
}

const (
	cardBody    = `{"id":"card_1","bin_id":"bin_1","network":"visa","last4":"4242","status":"active","balance":50.00,"spending_limit":500,"label":"a","allowed_categories":[],"auto_freeze_at":null,"metadata":{},"created_at":"2026-03-01T12:00:00Z","expires_at":"2029-03-01T12:00:00Z"}`
	fundBody    = `{"id":"card_1","previous_balance":10,"funded_amount":5,"new_balance":15,"wallet_balance":85}`
	detailsBody = `{"id":"card_1","pan":"4242424242424242","cvv":"123","exp_month":3,"exp_year":2029,"holder_name":"A B","billing_address":{"line1":"1 St","city":"X","state":"DE","zip":"1","country":"US"}}`
	txnBody     = `{"id":"txn_1","card_id":"card_1","type":"settlement","amount":-3.10,"currency":"USD","merchant":{"name":"M","category":"ads","mcc":"7311","country":"US"},"balance_after":46.90,"created_at":"2026-03-01T12:00:00Z"}`
	otpBody     = `{"id":"3ds_1","card_id":"card_1","merchant":"M","amount":9.99,"otp":"482913","status":"pending","expires_at":"2026-03-01T12:05:00Z","created_at":"2026-03-01T12:00:00Z"}`
	hookBody    = `{"id":"wh_1","url":"https://example.com/h","events":["*"],"secret":"whsec","active":true,"created_at":"2026-03-01T12:00:00Z"}`
)

func second[T any](_ T, err error) error { return err }

// endpoints are all methods, each with good and bad options.
func endpoints() []endpoint {
	type c = context.Context
	type k = *client.Client
	return []endpoint{
		{
			"CreateCard", true, false, cardBody,
			func(x c, a k) error {
				return second(sends[api.Card](x, a, idemKey)(api.CreateCardWrite(api.CreateCardRequest{BIN: "bin_1", Amount: 50 * api.Dollar})))
			},
			func(x c, a k) error {
				return second(sends[api.Card](x, a, idemKey)(api.CreateCardWrite(api.CreateCardRequest{BIN: "bin_1", Amount: api.Cent})))
			},
		},
		{
			"ListCards", false, false, `{"data":[` + cardBody + `],"pagination":{"page":1,"per_page":25,"total":1,"total_pages":1}}`,
			func(x c, a k) error {
				return second(a.ListCards(x, api.ListCardsOptions{Label: "secret-label"}))
			},
			func(x c, a k) error { return second(a.ListCards(x, api.ListCardsOptions{PerPage: 101})) },
		},
		{
			"GetCard", false, false, cardBody,
			func(x c, a k) error { return second(a.GetCard(x, "card_1")) },
			func(x c, a k) error { return second(a.GetCard(x, "")) },
		},
		{
			"CardDetails", false, true, detailsBody,
			func(x c, a k) error { return second(a.CardDetails(x, "card_1")) },
			func(x c, a k) error { return second(a.CardDetails(x, "..")) },
		},
		{
			"UpdateCard", true, false, cardBody,
			func(x c, a k) error {
				return second(sends[api.Card](x, a, idemKey)(api.UpdateCardWrite("card_1", api.UpdateCardRequest{Label: new("b")})))
			},
			func(x c, a k) error {
				return second(sends[api.Card](x, a, idemKey)(api.UpdateCardWrite("card_1", api.UpdateCardRequest{})))
			},
		},
		{
			"Freeze", true, false, `{"id":"card_1","status":"frozen","frozen_at":"2026-03-01T12:00:00Z"}`,
			func(x c, a k) error { return second(sends[api.FreezeResult](x, a, idemKey)(api.FreezeWrite("card_1"))) },
			func(x c, a k) error { return second(sends[api.FreezeResult](x, a, idemKey)(api.FreezeWrite(""))) },
		},
		{
			"Unfreeze", true, false, cardBody,
			func(x c, a k) error { return second(sends[api.Card](x, a, idemKey)(api.UnfreezeWrite("card_1"))) },
			func(x c, a k) error { return second(sends[api.Card](x, a, "")(api.UnfreezeWrite("card_1"))) },
		},
		{
			"Terminate", true, false, `{"id":"card_1","status":"terminated","refunded_amount":12.5,"terminated_at":"2026-03-01T12:00:00Z"}`,
			func(x c, a k) error {
				return second(sends[api.TerminateResult](x, a, idemKey)(api.TerminateWrite("card_1")))
			},
			func(x c, a k) error {
				return second(sends[api.TerminateResult](x, a, idemKey)(api.TerminateWrite(".")))
			},
		},
		{
			"Fund", true, false, fundBody,
			func(x c, a k) error {
				return second(sends[api.FundResult](x, a, idemKey)(api.FundWrite("card_1", 5*api.Dollar)))
			},
			func(x c, a k) error {
				return second(sends[api.FundResult](x, a, idemKey)(api.FundWrite("card_1", 5001*api.Dollar)))
			},
		},
		{
			"Withdraw", true, false, `{"id":"card_1","new_balance":5}`,
			func(x c, a k) error {
				return second(sends[api.WithdrawResult](x, a, idemKey)(api.WithdrawWrite("card_1", 5*api.Dollar)))
			},
			func(x c, a k) error {
				return second(sends[api.WithdrawResult](x, a, idemKey)(api.WithdrawWrite("card_1", 0)))
			},
		},
		{
			"ListTransactions", false, false, `{"data":[` + txnBody + `],"pagination":{"page":1,"per_page":50,"total":1}}`,
			func(x c, a k) error {
				return second(a.ListTransactions(x, api.ListTransactionsOptions{Merchant: "secret-label"}))
			},
			func(x c, a k) error {
				return second(a.ListTransactions(x, api.ListTransactionsOptions{Type: "odd"}))
			},
		},
		{
			"GetTransaction", false, false, txnBody,
			func(x c, a k) error { return second(a.GetTransaction(x, "txn_1")) },
			func(x c, a k) error { return second(a.GetTransaction(x, "")) },
		},
		{
			"WalletBalance", false, false, `{"balance":100,"currency":"USD"}`,
			func(x c, a k) error { return second(a.WalletBalance(x)) }, nil,
		},
		{
			"DepositAddresses", false, false, `{"addresses":{"btc":"b"},"networks":{"btc":"bitcoin"},"min_deposit":{"btc":"0.0001"}}`,
			func(x c, a k) error { return second(a.DepositAddresses(x, api.BTC)) },
			func(x c, a k) error { return second(a.DepositAddresses(x, "doge")) },
		},
		{
			"ListDeposits", false, false, `{"data":[]}`,
			func(x c, a k) error { return second(a.ListDeposits(x, api.ListDepositsOptions{})) },
			func(x c, a k) error { return second(a.ListDeposits(x, api.ListDepositsOptions{Status: "odd"})) },
		},
		{
			"ListBINs", false, false, `{"data":[{"id":"bin_1","apple_pay":true}]}`,
			func(x c, a k) error { return second(a.ListBINs(x)) }, nil,
		},
		{
			"ListChallenges", false, true, `{"data":[` + otpBody + `]}`,
			func(x c, a k) error { return second(a.ListChallenges(x, api.ListChallengesOptions{})) },
			func(x c, a k) error {
				return second(a.ListChallenges(x, api.ListChallengesOptions{Status: "odd"}))
			},
		},
		{
			"GetChallenge", false, true, otpBody,
			func(x c, a k) error { return second(a.GetChallenge(x, "3ds_1")) },
			func(x c, a k) error { return second(a.GetChallenge(x, "")) },
		},
		{
			"CreateWebhook", true, true, hookBody,
			func(x c, a k) error {
				return second(sends[api.Webhook](x, a, idemKey)(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: "https://example.com/h", Events: []string{"*"}})))
			},
			func(x c, a k) error {
				return second(sends[api.Webhook](x, a, idemKey)(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: "http://example.com/h", Events: []string{"*"}})))
			},
		},
		{
			"ListWebhooks", false, true, `[` + hookBody + `]`,
			func(x c, a k) error { return second(a.ListWebhooks(x)) }, nil,
		},
		{
			"DeleteWebhook", true, false, `{"id":"wh_1","deleted":true}`,
			func(x c, a k) error {
				return second(sends[api.DeleteResult](x, a, idemKey)(api.DeleteWebhookWrite("wh_1")))
			},
			func(x c, a k) error {
				return second(sends[api.DeleteResult](x, a, idemKey)(api.DeleteWebhookWrite("")))
			},
		},
	}
}

// sends returns a function that sends a write as it is built, under a key.
func sends[T any](ctx context.Context, c *client.Client, key api.IdempotencyKey) func(api.Write, error) (T, error) {
	return func(w api.Write, err error) (T, error) {
		if err != nil {
			var zero T
			return zero, err
		}
		out, call := client.Send[T](ctx, c, w, key)
		return out, call.Err
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
