package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/api"
)

// ListBINs returns the ranges that cards can be issued from.
func (c *Client) ListBINs(ctx context.Context) (api.Page[api.BIN], error) {
	return list[api.BIN](ctx, c, request{route: "/bins", path: "/bins"})
}

// ListCards returns one page of cards.
func (c *Client) ListCards(ctx context.Context, o api.ListCardsOptions) (api.Page[api.CardItem], error) {
	q, err := o.Query()
	if err != nil {
		return api.Page[api.CardItem]{}, err
	}
	return c.cards.get(ctx, c, request{route: "/cards", path: "/cards", query: q})
}

// GetCard returns one card, without its secrets. An unknown card is ErrNotFound.
func (c *Client) GetCard(ctx context.Context, id api.CardID) (api.CardSummary, error) {
	s, err := api.Segment("card", id)
	if err != nil {
		return api.CardSummary{}, err
	}
	card, err := getItem[api.CardSummary](ctx, c, request{route: "/cards/{card_id}", path: "/cards/" + s})
	return api.CheckID[api.CardSummary](s, card, err)
}

// detailsRoute is the route with a card number and a CVV in its answer.
const detailsRoute = "/cards/{card_id}/details"

// CardDetails returns the secrets of a card. The service allows 30 such requests a
// minute, all cards together (contract, Limits). The caller wipes the result.
func (c *Client) CardDetails(ctx context.Context, id api.CardID) (api.CardDetails, error) {
	s, err := api.Segment("card", id)
	if err != nil {
		return api.CardDetails{}, err
	}
	d, err := get[api.CardDetails](ctx, c, request{
		route: detailsRoute, path: "/cards/" + s + "/details", sensitive: true,
	})
	return api.CheckID[api.CardDetails](s, d, err)
}

// ListChallenges returns the challenges, most likely with their codes. The caller
// wipes them.
func (c *Client) ListChallenges(ctx context.Context, o api.ListChallengesOptions) (api.Page[api.Challenge], error) {
	q, err := o.Query()
	if err != nil {
		return api.Page[api.Challenge]{}, err
	}
	return list[api.Challenge](ctx, c, request{route: "/3ds", path: "/3ds", query: q, sensitive: true})
}

// GetChallenge returns one challenge with its code. The caller wipes it.
func (c *Client) GetChallenge(ctx context.Context, id api.ChallengeID) (api.Challenge, error) {
	s, err := api.Segment("challenge", id)
	if err != nil {
		return api.Challenge{}, err
	}
	challenge, err := getItem[api.Challenge](ctx, c, request{route: "/3ds/{challenge_id}", path: "/3ds/" + s, sensitive: true})
	return api.CheckID[api.Challenge](s, challenge, err)
}

// ListTransactions returns one page of transactions. The contract promises no order.
func (c *Client) ListTransactions(ctx context.Context, o api.ListTransactionsOptions) (api.Page[api.Transaction], error) {
	q, err := o.Query()
	if err != nil {
		return api.Page[api.Transaction]{}, err
	}
	return c.transactions.get(ctx, c, request{route: "/transactions", path: "/transactions", query: q})
}

// GetTransaction returns one transaction in full. An unknown one is ErrNotFound.
func (c *Client) GetTransaction(ctx context.Context, id api.TransactionID) (api.TransactionDetail, error) {
	s, err := api.Segment("transaction", id)
	if err != nil {
		return api.TransactionDetail{}, err
	}
	t, err := getItem[api.TransactionDetail](ctx, c, request{route: "/transactions/{txn_id}", path: "/transactions/" + s})
	return api.CheckID[api.TransactionDetail](s, t, err)
}

// WalletBalance returns the wallet.
func (c *Client) WalletBalance(ctx context.Context) (api.Wallet, error) {
	return getItem[api.Wallet](ctx, c, request{route: "/wallet/balance", path: "/wallet/balance"})
}

const addressRoute = "/wallet/deposit-address"

// DepositAddresses returns where to send deposits, in one currency or, with "", in
// all.
func (c *Client) DepositAddresses(ctx context.Context, currency api.Currency) (api.DepositAddresses, error) {
	q, err := currency.Query()
	if err != nil {
		return api.DepositAddresses{}, err
	}
	var d api.DepositAddresses
	r := request{method: http.MethodGet, route: addressRoute, path: addressRoute, query: q, unread: &d.Unread}
	err = c.do(ctx, r, func(b []byte) error {
		err := json.Unmarshal(b, &d)
		setRoute(d.Unread, r.route)
		return err
	})
	if err != nil {
		return api.DepositAddresses{}, err
	}
	return d, nil
}

// ListDeposits returns the deposits.
func (c *Client) ListDeposits(ctx context.Context, o api.ListDepositsOptions) (api.Page[api.Deposit], error) {
	q, err := o.Query()
	if err != nil {
		return api.Page[api.Deposit]{}, err
	}
	return list[api.Deposit](ctx, c, request{route: "/wallet/deposits", path: "/wallet/deposits", query: q})
}

// ListWebhooks returns the registered endpoints, most likely without their secrets.
func (c *Client) ListWebhooks(ctx context.Context) (api.Page[api.Webhook], error) {
	return getPage(ctx, c, request{route: "/webhooks", path: "/webhooks", sensitive: true}, api.DecodeWebhooks)
}

func setRoute(unread []api.Unread, route string) {
	for i := range unread {
		unread[i].Route = route
	}
}

// list requests a list.
func list[T any](ctx context.Context, c *Client, r request) (api.Page[T], error) {
	return getPage(ctx, c, r, api.DecodePage[T])
}

// getPage requests a list and tells the observer what of it could not be read.
func getPage[T any](ctx context.Context, c *Client, r request, decode func([]byte) (api.Page[T], error)) (api.Page[T], error) {
	var page api.Page[T]
	r.method, r.unread = http.MethodGet, &page.Unread
	err := c.do(ctx, r, func(b []byte) (err error) {
		page, err = decode(b)
		page.Unread = slices.Clone(page.Unread) // Of a repeated page it is shared.
		setRoute(page.Unread, r.route)
		return err
	})
	switch {
	case err != nil:
		return api.Page[T]{}, err
	case page.Withheld != "":
		return api.Page[T]{}, &api.Error{Method: r.method, Route: r.route, Status: http.StatusForbidden, Message: page.Withheld, Kind: api.ErrWithheld}
	}
	return page, nil
}

// ReadRaw sends a read and returns the body of its answer, which may hold secrets: the
// caller wipes it. Card details are not read this way.
func (c *Client) ReadRaw(ctx context.Context, r api.Read) (api.Secret, error) {
	at := r.Route
	if before, after, found := strings.Cut(r.Route, "{"); found {
		s, err := api.Segment("resource", r.Segment)
		if err != nil {
			return api.Secret{}, err
		}
		_, rest, _ := strings.Cut(after, "}")
		at = before + s + rest
	}
	var body api.Secret
	err := c.do(ctx, request{method: http.MethodGet, route: r.Route, path: at, query: r.Query, sensitive: true}, func(b []byte) error {
		if !json.Valid(b) {
			return api.MissingField("answer", "json")
		}
		body = api.NewSecret(b)
		return nil
	})
	return body, err
}

// repeats decodes the pages of a list that is polled. Where nothing happens, each answer
// is the one before: it is told by its checksum and not decoded again.
type repeats[T any] struct {
	mu   sync.Mutex
	sum  [sha256.Size]byte
	page api.Page[T] // of that checksum
	held bool
}

// get requests a page. What it returns is the caller's, but for what rows point to, which
// is not changed.
func (l *repeats[T]) get(ctx context.Context, c *Client, r request) (api.Page[T], error) {
	return getPage(ctx, c, r, l.decode)
}

func (l *repeats[T]) decode(body []byte) (api.Page[T], error) {
	sum := sha256.Sum256(body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held || l.sum != sum {
		var page api.Page[T]
		if err := json.Unmarshal(body, &page); err != nil {
			return api.Page[T]{}, err
		}
		l.page, l.sum, l.held = page, sum, true
	}
	page := l.page
	page.Data = slices.Clone(page.Data)
	return page, nil
}

// get requests one object.
func get[T any](ctx context.Context, c *Client, r request) (T, error) {
	var zero, out T
	r.method = http.MethodGet
	if err := c.do(ctx, r, func(b []byte) error { return json.Unmarshal(b, &out) }); err != nil {
		return zero, err
	}
	return out, nil
}

// getItem reads an object of which lists have a part. A field that cannot be read and is not
// needed is left out.
func getItem[T any](ctx context.Context, c *Client, r request) (T, error) {
	var zero, out T
	r.method = http.MethodGet
	if err := c.do(ctx, r, func(b []byte) (err error) { out, err = api.DecodeItem[T](b); return err }); err != nil {
		return zero, err
	}
	return out, nil
}
