package codes

import (
	"context"
	"maps"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
)

// Taken is that somebody else said on a hub that they use a code. Nobody is kept
// from using it.
type Taken struct {
	kernel.Meta
	Challenge api.ChallengeID
	By        api.Text
	// TakenAt is on the server's clock.
	TakenAt time.Time
}

func (ev Taken) Apply(co *Table) (kernel.Topic, []kernel.Effect) {
	co.take(ev)
	return kernel.TopicCodes, nil
}

// take marks a code as taken by somebody else.
func (co *Table) take(ev Taken) {
	b, now := &co.codes, co.ServerNow()
	maps.DeleteFunc(b.taken, func(_ api.ChallengeID, t Taken) bool { return now.Sub(t.TakenAt) > 2*api.ChallengeLifetime })
	b.taken[ev.Challenge] = ev
	for i := range b.rows {
		if c := &b.rows[i]; c.ID == ev.Challenge {
			c.TakenBy, c.TakenAt = ev.By, ev.TakenAt
		}
	}
}

// Claimed marks the codes that others had taken before the hub told of any.
func (co *Table) Claimed(all []team.Claim, you api.Text) kernel.Topic {
	for _, c := range all {
		if c.By != you {
			co.take(Taken{Challenge: c.Challenge, By: c.By, TakenAt: c.At})
		}
	}
	return kernel.TopicCodes
}

// Claim tells the others on a hub that the user uses a code.
type Claim struct{ Challenge api.ChallengeID }

func (Claim) Effect() {}

// Cost is that of a write that moves nothing.
func (Claim) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.User, Lane: lang.N("claims")}
}

func (f Claim) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	err := on.API.ClaimCode(ctx, f.Challenge)
	return Claimed{Meta: on.Over()}, err
}

func (Claim) Failed(co *Table, e kernel.Failure) kernel.Topic {
	co.needs.Notices.Say(kernel.Warn, co.Lang.Tf("the team is not told that you use the code: %s", errtext.Explain(co.Lang, e.Err)))
	return kernel.TopicNotice
}

// Claimed confirms a Claim.
type Claimed struct{ kernel.Meta }

func (Claimed) Apply(*Table) (kernel.Topic, []kernel.Effect) { return 0, nil }

// Claim tells the others on a hub that the user takes a code: it was copied, or is shown
// large to be typed.
func (co *Table) Claim(id api.ChallengeID) {
	if co.Cfg.Hub && !co.Cfg.ReadOnly {
		co.Wants = append(co.Wants, Claim{id})
	}
}
