package await

import (
	"context"
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

const (
	// armedFor is how long codes are asked for twice a second, then once.
	armedFor = 5 * time.Minute
	// codeGrace is how long a challenge that is listed without its code holds
	// up older ones, which is time to ask for it by id, and how long a pending one is
	// waited for while there is one of an unknown status.
	codeGrace = 5 * time.Second
)

// watch is one wait for a code.
type watch struct {
	cfg   Config
	began time.Time
	store *state.Store
	// card is known when it has an id; search says that it is looked for among
	// all cards by its name.
	card     cardlist.Card
	search   bool
	result   Result
	err      error
	told     bool
	troubled bool
}

// do runs an effect to its event. Codes that the user may not read are a failure: that none
// is listed does not mean that none waits.
func (w *watch) do(ctx context.Context, effect kernel.Effect) kernel.Event {
	ev := w.cfg.Do(ctx, effect)
	if list, ok := ev.(codes.Loaded); ok && list.Withheld {
		return state.FetchFailed{Meta: list.Meta, Effect: effect, Err: errWithheld()}
	}
	return ev
}

// errWithheld is that the user's role on a hub reads no codes.
func errWithheld() *Error {
	return &Error{Kind: api.ErrWithheld, Text: "your role on the hub may not read codes: this needs the role buyer"}
}

// run ends with a result, an *Error, or the context's error.
func (w *watch) run(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	w.store = state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: w.cfg.Rand, Only: w.lanes(), Shared: true})
	w.store.Poll.SetAttention(poll.Awaiting, w.began)
	err := loop.Run(ctx, loop.Config{Store: w.store, Do: w.do, Changed: w.changed, Now: w.cfg.Now})
	if err != nil {
		return err
	}
	return w.err
}

// begin reads the card when its id is given. When it cannot be read, the wait
// goes on without its name: a code does not depend on that.
func (w *watch) begin(ctx context.Context) error {
	if w.search = w.cfg.Card != ""; !w.search || !looksLikeID(w.cfg.Card) {
		return nil
	}
	id := api.CardID(w.cfg.Card)
	card, err := Card(ctx, w.cfg.Do, id)
	switch {
	case err == nil:
		w.card, w.search = card, false
		return alive(card)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, api.ErrNotFound), errors.Is(err, api.ErrInvalid):
		// It may be a label.
		return nil
	case errors.Is(err, api.ErrKeyInvalid), !w.cfg.Wait:
		return failure(err)
	}
	w.card, w.search = cardlist.Card{ID: id}, false
	return nil
}

// changed checks whether the wait is over.
func (w *watch) changed(kernel.Topic) (_ []kernel.Intent, over bool) {
	if now := w.store.Now(); now.Sub(w.began) > armedFor {
		w.store.Poll.SetAttention(poll.Focused, now)
	}
	over, w.err = w.look()
	if w.err != nil {
		return nil, true
	}
	if !over {
		w.tell()
	}
	return nil, over
}

func (w *watch) look() (over bool, err error) {
	if err := w.hopeless(); err != nil {
		return false, err
	}
	if known, err := w.find(); !known || err != nil {
		return false, err
	}
	result, coming := w.newest()
	switch {
	case !result.Digits.IsZero():
		w.result = result
		return true, nil
	case w.cfg.Wait || coming || w.store.Poll.Source(poll.Codes).OKAt.IsZero():
		return false, nil
	}
	return false, &Error{Kind: context.DeadlineExceeded, Text: "no code" + w.whose() + " is waiting"}
}

// hopeless returns why to stop: a refused key, or
// without a wait any failure of what was not read before.
func (w *watch) hopeless() error {
	for _, lane := range w.lanes() {
		src := w.store.Poll.Source(lane)
		err := problem(src)
		if errors.Is(err, api.ErrKeyInvalid) || errors.Is(err, api.ErrWithheld) || err != nil && src.OKAt.IsZero() && !w.cfg.Wait {
			return failure(err)
		}
	}
	return nil
}

// problem returns the last error of a lane; nil when it was read.
func problem(src poll.Source) error {
	if src.Err == nil && !src.ShortTill.IsZero() {
		return usedUp()
	}
	return src.Err
}

// lanes are what has to be read: the codes, and all cards while one is looked
// for.
func (w *watch) lanes() []poll.Lane {
	if w.search {
		return []poll.Lane{poll.Codes, poll.Sweep}
	}
	return []poll.Lane{poll.Codes}
}

// trouble returns the last error of any lane; nil when all were read.
func (w *watch) trouble() error {
	for _, lane := range w.lanes() {
		if err := problem(w.store.Poll.Source(lane)); err != nil {
			return err
		}
	}
	return nil
}

// find finds the card among all of them; all have to be read to know that
// only one goes by the name.
func (w *watch) find() (known bool, err error) {
	if !w.search {
		return true, nil
	}
	if _, complete := w.store.Cards.Total(); !complete {
		return false, nil
	}
	if w.card, err = choose(w.store.Cards.All(), w.cfg.Card); err == nil {
		w.search = false
	}
	return err == nil, err
}

// newest is the code that a checkout with the card most likely waits for: a pending one,
// else one of an unknown status, once no pending one has come meanwhile; it
// has no digits when there is none. coming says that a newer one is listed and
// its code on the way.
func (w *watch) newest() (_ Result, coming bool) {
	now, odd := w.store.ServerNow(), Result{}
	for _, c := range w.store.Codes.All() {
		left := c.Left(now)
		if w.card.ID != "" && c.Card != w.card.ID || c.Replaced || left == 0 {
			continue
		}
		if !c.OTP.IsZero() {
			card := w.card
			card.ID = c.Card
			result := Result{Digits: api.NewSecret(c.OTP.Bytes()), Code: c, Card: card, Left: left}
			if c.Pending() {
				odd.Digits.Wipe()
				return result, false
			}
			if odd.Digits.IsZero() && (!w.cfg.Wait || w.store.Now().Sub(c.SeenAt) >= codeGrace) {
				odd = result
			} else {
				result.Digits.Wipe()
			}
			continue
		}
		if w.store.Now().Sub(c.SeenAt) < codeGrace {
			odd.Digits.Wipe()
			return Result{}, true
		}
	}
	return odd, false
}

// tell prints what is waited for, and errors when they begin and
// when it ends.
func (w *watch) tell() {
	trouble := w.trouble()
	if w.cfg.Tell == nil || w.store.Poll.Source(poll.Codes).OKAt.IsZero() && trouble == nil {
		return
	}
	if !w.told && !w.search {
		w.told = true
		line := "waiting for a code" + w.whose() + " until " + w.began.Add(w.cfg.Timeout).Format(time.TimeOnly)
		if w.card.Status == api.CardFrozen {
			line += "; the card is frozen"
		}
		w.cfg.Tell(line)
	}
	switch {
	case trouble != nil && !w.troubled:
		w.cfg.Tell(failure(trouble).Text + "; asking again")
	case trouble == nil && w.troubled:
		w.cfg.Tell("the API answers again")
	}
	w.troubled = trouble != nil
}

// whose returns the name of the card for a sentence about its code.
func (w *watch) whose() string {
	switch {
	case w.card.Status != "":
		return " of " + w.card.Name()
	case w.card.ID != "":
		return " of " + string(w.card.ID)
	}
	return ""
}

// late returns the error of a timeout.
func (w *watch) late() error {
	e := &Error{Kind: context.DeadlineExceeded, Text: "no code" + w.whose() + " came in " + w.cfg.Timeout.String()}
	if w.store == nil {
		return e
	}
	if w.search {
		e.Text = "the cards could not all be read in " + w.cfg.Timeout.String()
	}
	trouble := w.trouble()
	if trouble == nil {
		return e
	}
	f := failure(trouble)
	e.Text += ": " + f.Text
	if errors.Is(f, api.ErrRateLimited) {
		e.Kind = api.ErrRateLimited
	}
	return e
}
