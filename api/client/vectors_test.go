package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/client"
)

// TestVectors answers every request of the contract's examples with the
// example, and checks what the client sends and returns.
func TestVectors(t *testing.T) {
	vectors, err := apitest.Vectors()
	must(t, err)
	played := map[string]bool{}
	for _, v := range vectors {
		if v.ServerOnly() {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			route := playVector(t, v)
			played[route] = true
		})
	}
	for route := range calls() {
		if !played[route] {
			t.Errorf("no vector plays %s", route)
		}
	}
}

// playVector returns the route that was played.
func playVector(t *testing.T, v apitest.Vector) string {
	t.Helper()
	want := v.Request.Fill(v.Vars)
	body := apitest.Fill(string(v.Response.Body), v.Vars)
	served := 0
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		served++
		checkRequest(t, want, r)
		answer(v.Response.Status, "application/json", body)(w, r)
	}, func(cfg *client.Config) {
		if key, ok := strings.CutPrefix(want.Headers["Authorization"], "Bearer "); ok {
			cfg.Key = api.NewAPIKey(key)
		}
	})
	u, err := url.Parse(want.Path)
	must(t, err)
	route, id := routeOf(want.Method, u.Path)
	call, ok := calls()[route]
	if !ok {
		t.Fatalf("the client has no call for %s", route)
	}
	key := api.IdempotencyKey(want.Headers["X-Idempotency-Key"])
	if key == "" {
		key = idemKey
	}
	result, err := call(t.Context(), c, params{id, u.Query(), want.Body, key})
	if served != 1 {
		t.Fatalf("%d requests, %v", served, err)
	}
	if v.Response.Status >= 400 {
		checkError(t, v.Response.Status, body, err)
		return route
	}
	must(t, err)
	checkResult(t, v.Response, body, result)
	return route
}

func checkRequest(t *testing.T, want apitest.Request, r *http.Request) {
	t.Helper()
	u, err := url.Parse(want.Path)
	if err != nil {
		t.Error(err)
		return
	}
	if r.Method != want.Method || r.URL.Path != "/prefix/v1"+u.Path || !reflect.DeepEqual(r.URL.Query(), u.Query()) {
		t.Errorf("sent %s %s", r.Method, r.URL)
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer sk_test_") {
		t.Errorf("authorization is missing")
	}
	for name, value := range want.Headers {
		if r.Header.Get(name) != value {
			t.Errorf("%s is %q", name, r.Header.Get(name))
		}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(value(body), value(want.Body)) {
		t.Errorf("sent %s, not %s", body, want.Body)
	}
	if hasType := r.Header.Get("Content-Type") == "application/json"; hasType != (len(want.Body) > 0) {
		t.Errorf("content type %q", r.Header.Get("Content-Type"))
	}
}

func value(b []byte) any {
	var v any
	if len(b) > 0 && json.Unmarshal(b, &v) != nil {
		return "not json"
	}
	return v
}

func checkError(t *testing.T, status int, body string, err error) {
	t.Helper()
	var want struct{ Error, Message, RequestID string }
	fields, _ := value([]byte(body)).(map[string]any)
	want.Error, _ = fields["error"].(string)
	want.Message, _ = fields["message"].(string)
	want.RequestID, _ = fields["request_id"].(string)
	var got *api.Error
	if !errors.As(err, &got) || got.Status != status || got.ID != want.Error || string(got.Message) != want.Message || string(got.RequestID) != want.RequestID {
		t.Errorf("got %v", err)
	}
	if api.Outcome(err) != api.Refused {
		t.Errorf("outcome is %s", api.Outcome(err))
	}
}

// checkResult compares the exact values of a vector with what the client
// returned, where its types carry the names of the wire.
func checkResult(t *testing.T, r apitest.Response, body string, result any) {
	t.Helper()
	out, err := json.Marshal(result)
	must(t, err)
	want, got := value([]byte(body)), value(out)
	compared := 0
	for _, path := range r.Exact {
		a, b := find(want, path), find(got, path)
		if a == nil || b == nil || b == "[redacted]" {
			continue
		}
		compared++
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s is %v, not %v", path, b, a)
		}
	}
	if len(r.Exact) > 0 && compared == 0 {
		t.Errorf("nothing of %v is in %s", r.Exact, out)
	}
}

// find returns the value of a dotted path, with or without an envelope around a list.
func find(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		if list, ok := v.([]any); ok {
			if part == "data" {
				continue
			}
			if part == "*" {
				part = "0"
			}
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(list) {
				return nil
			}
			v = list[i]
			continue
		}
		fields, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = fields[part]
	}
	return v
}

// routeOf names the method and route of a path, and returns the id in it.
func routeOf(method, path string) (route, id string) {
	parts := strings.Split(path, "/")
	if len(parts) > 2 && parts[1] != "wallet" {
		id, parts[2] = parts[2], "{id}"
	}
	return method + " " + strings.Join(parts, "/"), id
}

// params is what a call is made of.
type params struct {
	id    string
	query url.Values
	body  []byte
	key   api.IdempotencyKey
}

func (p params) card() api.CardID { return api.CardID(p.id) }

func (p params) amount() api.USD {
	var body struct{ Amount api.USD }
	if json.Unmarshal(p.body, &body) != nil {
		return 0
	}
	return body.Amount
}

func (p params) into(v any) error { return json.Unmarshal(p.body, v) }

func (p params) number(name string) int {
	n, err := strconv.Atoi(p.query.Get(name))
	if err != nil {
		return 0
	}
	return n
}

func (p params) time(name string) time.Time {
	at, err := time.Parse(time.RFC3339, p.query.Get(name))
	if err != nil {
		return time.Time{}
	}
	return at
}

func (p params) usd(name string) *api.USD {
	v, err := api.ParseUSD(p.query.Get(name))
	if err != nil {
		return nil
	}
	return &v
}

func result[T any](v T, err error) (any, error) { return v, err }

type call func(context.Context, *client.Client, params) (any, error)

// calls are the client's methods by method and route.
func calls() map[string]call {
	type c = context.Context
	type k = *client.Client
	return map[string]call{
		"POST /cards": func(x c, a k, p params) (any, error) {
			var r api.CreateCardRequest
			if err := p.into(&r); err != nil {
				return nil, err
			}
			return result(sends[api.Card](x, a, p.key)(api.CreateCardWrite(r)))
		},
		"GET /cards": func(x c, a k, p params) (any, error) {
			return result(a.ListCards(x, api.ListCardsOptions{
				Status: api.CardStatus(p.query.Get("status")), BIN: api.BINID(p.query.Get("bin_id")), Label: p.query.Get("label"),
				Sort: api.CardSort(p.query.Get("sort")), Order: api.Order(p.query.Get("order")), Page: p.number("page"), PerPage: p.number("per_page"),
			}))
		},
		"GET /cards/{id}":         func(x c, a k, p params) (any, error) { return result(a.GetCard(x, p.card())) },
		"GET /cards/{id}/details": func(x c, a k, p params) (any, error) { return result(a.CardDetails(x, p.card())) },
		"PATCH /cards/{id}": func(x c, a k, p params) (any, error) {
			var r api.UpdateCardRequest
			if err := p.into(&r); err != nil {
				return nil, err
			}
			return result(sends[api.Card](x, a, p.key)(api.UpdateCardWrite(p.card(), r)))
		},
		"POST /cards/{id}/freeze": func(x c, a k, p params) (any, error) {
			return result(sends[api.FreezeResult](x, a, p.key)(api.FreezeWrite(p.card())))
		},
		"POST /cards/{id}/unfreeze": func(x c, a k, p params) (any, error) {
			return result(sends[api.Card](x, a, p.key)(api.UnfreezeWrite(p.card())))
		},
		"DELETE /cards/{id}": func(x c, a k, p params) (any, error) {
			return result(sends[api.TerminateResult](x, a, p.key)(api.TerminateWrite(p.card())))
		},
		"POST /cards/{id}/fund": func(x c, a k, p params) (any, error) {
			return result(sends[api.FundResult](x, a, p.key)(api.FundWrite(p.card(), p.amount())))
		},
		"POST /cards/{id}/withdraw": func(x c, a k, p params) (any, error) {
			return result(sends[api.WithdrawResult](x, a, p.key)(api.WithdrawWrite(p.card(), p.amount())))
		},
		"GET /transactions": func(x c, a k, p params) (any, error) {
			return result(a.ListTransactions(x, api.ListTransactionsOptions{
				CardID: api.CardID(p.query.Get("card_id")), Type: api.TransactionType(p.query.Get("type")), Merchant: p.query.Get("merchant"),
				From: p.time("from"), To: p.time("to"), MinAmount: p.usd("min_amount"), MaxAmount: p.usd("max_amount"),
				Page: p.number("page"), PerPage: p.number("per_page"),
			}))
		},
		"GET /transactions/{id}": func(x c, a k, p params) (any, error) { return result(a.GetTransaction(x, api.TransactionID(p.id))) },
		"GET /wallet/balance":    func(x c, a k, _ params) (any, error) { return result(a.WalletBalance(x)) },
		"GET /wallet/deposit-address": func(x c, a k, p params) (any, error) {
			d, err := a.DepositAddresses(x, api.Currency(p.query.Get("currency")))
			return map[string]any{"addresses": d.Addresses, "networks": d.Networks, "min_deposit": d.MinDeposit}, err
		},
		"GET /wallet/deposits": func(x c, a k, p params) (any, error) {
			return result(a.ListDeposits(x, api.ListDepositsOptions{
				Status: api.DepositStatus(p.query.Get("status")), Currency: api.Currency(p.query.Get("currency")),
			}))
		},
		"GET /bins": func(x c, a k, _ params) (any, error) { return result(a.ListBINs(x)) },
		"GET /3ds": func(x c, a k, p params) (any, error) {
			return result(a.ListChallenges(x, api.ListChallengesOptions{
				CardID: api.CardID(p.query.Get("card_id")), Status: api.ChallengeStatus(p.query.Get("status")),
			}))
		},
		"GET /3ds/{id}": func(x c, a k, p params) (any, error) { return result(a.GetChallenge(x, api.ChallengeID(p.id))) },
		"POST /webhooks": func(x c, a k, p params) (any, error) {
			var r struct {
				URL    string
				Events []string
				Secret api.SigningSecret
			}
			if err := p.into(&r); err != nil {
				return nil, err
			}
			return result(sends[api.Webhook](x, a, p.key)(api.CreateWebhookWrite(api.CreateWebhookRequest{URL: r.URL, Events: r.Events, Secret: r.Secret})))
		},
		"GET /webhooks": func(x c, a k, _ params) (any, error) { l, err := a.ListWebhooks(x); return l.Data, err },
		"DELETE /webhooks/{id}": func(x c, a k, p params) (any, error) {
			return result(sends[api.DeleteResult](x, a, p.key)(api.DeleteWebhookWrite(api.WebhookID(p.id))))
		},
	}
}
