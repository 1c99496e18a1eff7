package engine

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

const (
	// perPage is the largest page the contract allows.
	perPage = 100
	// ownPage is how many of a card's transactions the inspector shows.
	ownPage = 50
)

// fetch runs a read.
func (e *Engine) fetch(ctx context.Context, effect state.Effect, m *state.Meta) (state.Event, error) {
	switch f := effect.(type) {
	case state.FetchCards:
		return e.cards(ctx, f, m)
	case state.FetchChallenges:
		items, err := e.cfg.Client.ListChallenges(ctx, api.ListChallengesOptions{Status: api.ChallengePending})
		e.finish(m)
		return state.ChallengesLoaded{FetchChallenges: f, Meta: *m, Items: items}, err
	case state.FetchChallenge:
		item, err := e.cfg.Client.GetChallenge(ctx, f.Challenge)
		e.finish(m)
		return state.ChallengeLoaded{Meta: *m, Item: item}, err
	case state.FetchTransactions:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, Page: f.Page, PerPage: perPage})
		e.finish(m)
		return state.TransactionsLoaded{FetchTransactions: f, Meta: *m, Items: page.Data, More: len(page.Data) == perPage}, err
	case state.FetchWallet:
		wallet, err := e.cfg.Client.WalletBalance(ctx)
		e.finish(m)
		return state.WalletLoaded{FetchWallet: f, Meta: *m, Wallet: wallet}, err
	case state.FetchDeposits:
		items, err := e.cfg.Client.ListDeposits(ctx, api.ListDepositsOptions{})
		e.finish(m)
		return state.DepositsLoaded{FetchDeposits: f, Meta: *m, Items: items}, err
	case state.FetchSummary:
		summary, err := e.cfg.Client.GetCard(ctx, f.Card)
		e.finish(m)
		return state.SummaryLoaded{FetchSummary: f, Meta: *m, Summary: summary}, err
	case state.FetchCardTransactions:
		page, err := e.cfg.Client.ListTransactions(ctx, api.ListTransactionsOptions{CardID: f.Card, PerPage: ownPage})
		e.finish(m)
		return state.CardTransactionsLoaded{FetchCardTransactions: f, Meta: *m, Items: page.Data}, err
	case state.FetchDetails:
		return e.details(ctx, f, m)
	default:
		return nil, fmt.Errorf("run effect %T: not a read", effect)
	}
}

func (e *Engine) cards(ctx context.Context, f state.FetchCards, m *state.Meta) (state.Event, error) {
	opt := api.ListCardsOptions{Sort: "created_at", Order: "asc", Page: f.Page, PerPage: perPage}
	if f.Hot {
		opt.Sort, opt.Order = "last_used", "desc"
	}
	page, err := e.cfg.Client.ListCards(ctx, opt)
	e.finish(m)
	return state.CardsLoaded{
		FetchCards: f, Meta: *m, Items: page.Data,
		Total: page.Pagination.Total, TotalPages: page.Pagination.TotalPages,
	}, err
}

// details puts the answer into the vault: no event carries it.
func (e *Engine) details(ctx context.Context, f state.FetchDetails, m *state.Meta) (state.Event, error) {
	d, err := e.cfg.Client.CardDetails(ctx, f.Card)
	e.finish(m)
	if err != nil {
		return nil, err
	}
	e.cfg.Vault.Hold(&d)
	return state.DetailsHeld{Meta: *m, Card: f.Card}, nil
}
