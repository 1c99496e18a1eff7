package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
)

// ownPage is how many of a card's transactions the inspector asks for.
const ownPage = api.MaxPerPage

// fetch runs a read.
func (e *Engine) fetch(ctx context.Context, effect kernel.Effect, m *kernel.Meta) (kernel.Event, error) {
	switch f := effect.(type) {
	case state.FetchCards:
		return e.cards(ctx, f, m)
	case codes.Fetch:
		page, err := e.cfg.Client.ListChallenges(ctx, api.ListChallengesOptions{Status: api.ChallengePending})
		m.Withheld, err = withheld(err)
		e.finishList(m, page.Unread)
		return codes.Loaded{Fetch: f, Meta: *m, Items: page.Data}, err
	case codes.FetchOne:
		item, err := e.cfg.Client.GetChallenge(ctx, f.Challenge)
		e.finish(m)
		return codes.OneLoaded{Meta: *m, Item: item}, err
	case state.FetchTransactions:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
		e.finishList(m, page.Unread)
		return state.TransactionsLoaded{FetchTransactions: f, Meta: *m, Items: page.Data, More: page.Full()}, err
	case state.FetchWallet:
		wallet, err := e.cfg.Client.WalletBalance(ctx)
		e.finish(m)
		return state.WalletLoaded{FetchWallet: f, Meta: *m, Wallet: wallet}, err
	case state.FetchDeposits:
		page, err := e.cfg.Client.ListDeposits(ctx, api.ListDepositsOptions{})
		m.Withheld, err = withheld(err)
		e.finishList(m, page.Unread)
		return state.DepositsLoaded{FetchDeposits: f, Meta: *m, Items: page.Data}, err
	case state.FetchSummary:
		summary, err := e.cfg.Client.GetCard(ctx, f.Card)
		e.finish(m)
		return state.SummaryLoaded{FetchSummary: f, Meta: *m, Summary: summary}, err
	case state.FetchCardTransactions:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{CardID: f.Card, PerPage: ownPage})
		e.finishList(m, page.Unread)
		return state.CardTransactionsLoaded{FetchCardTransactions: f, Meta: *m, Items: page.Data, More: page.Full()}, err
	case state.FetchOlder:
		page, err := e.cfg.Client.ListTransactions(ctx, older(f))
		e.finishList(m, page.Unread)
		return state.OlderLoaded{FetchOlder: f, Meta: *m, Items: page.Data, More: page.Full()}, err
	case state.FetchMonth:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{Type: f.Type, From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
		e.finishList(m, page.Unread)
		return state.MonthLoaded{FetchMonth: f, Meta: *m, Items: page.Data, More: page.Full()}, err
	case state.FetchSpend:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
		e.finishList(m, page.Unread)
		return state.SpendLoaded{FetchSpend: f, Meta: *m, Items: page.Data, More: page.Full()}, err
	default:
		return e.fetchScreen(ctx, effect, m)
	}
}

// withheld reports whether a hub gives nothing of a list to the user: their screen has an
// empty one.
func withheld(err error) (bool, error) {
	if errors.Is(err, api.ErrWithheld) {
		return true, nil
	}
	return false, err
}

// fetchScreen runs a read of a screen over the list of cards.
func (e *Engine) fetchScreen(ctx context.Context, effect kernel.Effect, m *kernel.Meta) (kernel.Event, error) {
	switch f := effect.(type) {
	case codes.Claim:
		err := e.cfg.Client.ClaimCode(ctx, f.Challenge)
		e.finish(m)
		return codes.Claimed{Meta: *m}, err
	case state.FetchDetails:
		d, err := e.cfg.Client.CardDetails(ctx, f.Card)
		e.finish(m)
		return state.DetailsLoaded{FetchDetails: f, Meta: *m, Details: &d}, err
	case state.FetchTransaction:
		detail, err := e.cfg.Client.GetTransaction(ctx, f.Transaction)
		e.finish(m)
		return state.TransactionLoaded{FetchTransaction: f, Meta: *m, Detail: detail}, err
	case state.FetchBINs:
		page, err := e.cfg.Client.ListBINs(ctx)
		e.finishList(m, page.Unread)
		return state.BINsLoaded{Meta: *m, Items: page.Data}, err
	case state.FetchWebhooks:
		page, err := e.cfg.Client.ListWebhooks(ctx)
		e.finishList(m, page.Unread)
		return state.WebhooksLoaded{FetchWebhooks: f, Meta: *m, Items: page.Data}, err
	case state.FetchAddresses:
		addresses, err := e.cfg.Client.DepositAddresses(ctx, "")
		e.finishList(m, addresses.Unread)
		return state.AddressesLoaded{FetchAddresses: f, Meta: *m, Addresses: addresses}, err
	default:
		return e.fetchTeam(ctx, effect, m)
	}
}

// older is the query for a page of the past.
func older(f state.FetchOlder) api.ListTransactionsOptions {
	opt := api.ListTransactionsOptions{
		CardID: cmp.Or(f.Search.Card, f.Card), Type: f.Search.Type, Merchant: f.Search.Merchant, From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage,
	}
	if f.Search.Min != 0 {
		opt.MinAmount = &f.Search.Min
	}
	if f.Search.Max != 0 {
		opt.MaxAmount = &f.Search.Max
	}
	return opt
}

func (e *Engine) cards(ctx context.Context, f state.FetchCards, m *kernel.Meta) (kernel.Event, error) {
	opt := api.ListCardsOptions{Sort: "created_at", Order: "asc", Page: f.Page, PerPage: api.MaxPerPage}
	if f.Hot {
		opt.Sort, opt.Order = "last_used", "desc"
	}
	page, err := e.cfg.Client.ListCards(ctx, opt)
	e.finishList(m, page.Unread)
	ev := state.CardsLoaded{
		FetchCards: f, Meta: *m, Items: page.Data,
		Total: page.Pagination.Total, TotalPages: page.Pagination.TotalPages, Uncounted: page.Uncounted(),
	}
	if page.Uncounted() && page.Full() {
		ev.TotalPages = max(ev.TotalPages, f.Page+1)
	}
	return ev, err
}
