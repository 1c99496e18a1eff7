package engine

import (
	"context"
	mrand "math/rand/v2"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// FollowHub sends what a hub tells as events, until the context ends. While the stream
// is down it tries again, and lanes are polled as ever; while it is up they rest.
func (e *Engine) FollowHub(ctx context.Context, send func(kernel.Event)) {
	for failures := 1; ctx.Err() == nil; failures++ {
		me, err := e.cfg.Client.AboutHub(ctx)
		if err == nil {
			send(joined(me, e.cfg.Now()))
			// The error is that the stream ended, which it does in any way.
			_ = e.cfg.Client.FollowHub(ctx, func(told api.HubEvent) {
				failures = 0
				if ev := e.hubEvent(told, me.You.Name); ev != nil {
					send(ev)
				}
			})
			now := e.cfg.Now()
			send(state.HubLost{Meta: kernel.Meta{Sent: now, At: now}})
		}
		if pause(ctx, time.Second+api.Backoff(max(1, failures), api.BackoffCap, mrand.Float64)) != nil {
			return
		}
	}
}

// joined is who a hub takes the user for.
func joined(me api.HubAbout, now time.Time) state.HubJoined {
	you := team.You{Name: me.You.Name, Role: team.RoleOf(me.You.Role)}
	if me.You.Cap != nil {
		you.Cap = *me.You.Cap
	}
	return state.HubJoined{Meta: kernel.Meta{Sent: now, At: now}, You: you}
}

// hubEvent is what a hub told as an event; nil for what changes nothing here.
func (e *Engine) hubEvent(told api.HubEvent, me api.Text) kernel.Event {
	now := e.cfg.Now()
	meta := kernel.Meta{Sent: now, At: now}
	switch {
	case told.Claim != nil && told.Claim.By != me:
		return codes.Taken{Meta: meta, Challenge: told.Claim.Challenge, By: told.Claim.By, TakenAt: told.Claim.At}
	case told.Open:
		return state.HubTold{
			Meta: meta, Open: true, Lanes: []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot},
			Lists: []team.Part{team.Requests, team.Leases, team.Operations, team.Claims},
		}
	}
	var lanes []poll.Lane
	var lists []team.Part
	for _, topic := range told.Topics {
		switch topic {
		case "codes":
			lanes = append(lanes, poll.Codes)
		case "cards":
			lanes = append(lanes, poll.Hot)
		case "transactions":
			lanes = append(lanes, poll.Feed)
		case "wallet":
			lanes = append(lanes, poll.Wallet)
		case "deposits":
			lanes = append(lanes, poll.Deposits)
		case "approvals":
			lists = append(lists, team.Requests)
		case "operations":
			lists = append(lists, team.Operations)
		case "leases":
			lists = append(lists, team.Leases)
		}
	}
	if len(lanes)+len(lists) == 0 {
		return nil
	}
	return state.HubTold{Meta: meta, Lanes: lanes, Lists: lists}
}

// OnHub sends once what only a hub has, and returns when the budget allows it and it is
// answered. It is not sent again: what it changes is listed by the hub.
func OnHub[T any](ctx context.Context, e *Engine, send func(context.Context, *client.Client) (T, error)) (T, error) {
	if err := e.allow(ctx, budget.User, "hub"); err != nil {
		var none T
		return none, err
	}
	return send(ctx, e.cfg.Client)
}
