package engine

import (
	"context"
	mrand "math/rand/v2"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
)

// FollowHub sends what a hub tells as events, until the context ends. While the stream
// is down it tries again, and lanes are polled as ever; while it is up they rest.
func (e *Engine) FollowHub(ctx context.Context, send func(state.Event)) {
	for failures := 1; ctx.Err() == nil; failures++ {
		me, err := e.cfg.Client.AboutHub(ctx)
		if err == nil {
			// The error is that the stream ended, which it does in any way.
			_ = e.cfg.Client.FollowHub(ctx, func(told api.HubEvent) {
				failures = 0
				if ev := e.hubEvent(told, me.You.Name); ev != nil {
					send(ev)
				}
			})
			now := e.cfg.Now()
			send(state.HubLost{Meta: state.Meta{Sent: now, At: now}})
		}
		if pause(ctx, time.Second+api.Backoff(max(1, failures), api.BackoffCap, mrand.Float64)) != nil {
			return
		}
	}
}

// hubEvent is what a hub told as an event; nil for what changes nothing here.
func (e *Engine) hubEvent(told api.HubEvent, me api.Text) state.Event {
	now := e.cfg.Now()
	meta := state.Meta{Sent: now, At: now}
	switch {
	case told.Claim != nil && told.Claim.By != me:
		return state.CodeTaken{Meta: meta, Challenge: told.Claim.Challenge, By: told.Claim.By, TakenAt: told.Claim.At}
	case told.Open:
		return state.HubTold{Meta: meta, Open: true, Lanes: []state.Lane{state.LaneCodes, state.LaneWallet, state.LaneFeed, state.LaneHot}}
	}
	var lanes []state.Lane
	for _, topic := range told.Topics {
		switch topic {
		case "codes":
			lanes = append(lanes, state.LaneCodes)
		case "cards":
			lanes = append(lanes, state.LaneHot)
		case "transactions":
			lanes = append(lanes, state.LaneFeed)
		case "wallet":
			lanes = append(lanes, state.LaneWallet)
		case "deposits":
			lanes = append(lanes, state.LaneDeposits)
		}
	}
	if len(lanes) == 0 {
		return nil
	}
	return state.HubTold{Meta: meta, Lanes: lanes}
}

// OnHub sends once what only a hub has, and returns when the budget allows it and it is
// answered. It is not sent again: what it changes is listed by the hub.
func OnHub[T any](ctx context.Context, e *Engine, send func(context.Context, *api.Client) (T, error)) (T, error) {
	if err := e.allow(ctx, budget.User, "hub"); err != nil {
		var none T
		return none, err
	}
	return send(ctx, e.cfg.Client)
}
