package codes

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// armedFor is how long a checkout stays armed.
const armedFor = 5 * time.Minute

// Checkout reports on the armed checkout.
func (co *Table) Checkout() Checkout { return co.checkout }

// Caught is the code that an armed checkout brought.
func (co *Table) Caught() (Code, bool) {
	if co.checkout.Caught == "" {
		return Code{}, false
	}
	return co.codes.find(co.checkout.Caught)
}

// arm waits for a card's next code; asked for again, it stops waiting. copied tells that
// the code is going to be copied.
func (co *Table) arm(id api.CardID, copied bool) {
	if co.checkout.Card == id {
		co.Disarm()
		co.needs.Notices.Say(kernel.Info, co.Lang.Tf("%s is not armed any more", co.needs.Cards.Name(id)))
		return
	}
	before := co.checkout.Card
	co.checkout = Checkout{Card: id, Since: co.Time, Until: co.Time.Add(armedFor)}
	text := co.Lang.Tf("armed: the next code of %s shows large", co.needs.Cards.Name(id))
	if copied {
		text += co.Lang.T(" and is copied")
	}
	for _, c := range co.codes.rows {
		if c.Card == id && !c.Replaced && c.Left(co.ServerNow()) > 0 {
			text = co.Lang.Tf("armed for the next code; one of %s is waiting already", co.needs.Cards.Name(id))
		}
	}
	if c, _ := co.needs.Cards.Get(id); c.Status == api.CardFrozen {
		text += co.Lang.T("; the card is FROZEN")
	}
	level := kernel.Info
	if c, _ := co.needs.Cards.Get(id); c.Expired {
		level = kernel.Warn
		text += co.Lang.Tf("; the card EXPIRED on %s: its charges are declined", co.Lang.Day(c.ExpiresAt))
	}
	if before != "" {
		text += co.Lang.Tf("; %s is not armed any more", co.needs.Cards.Name(before))
	}
	co.needs.Notices.Say(level, text)
	co.needs.Lanes.Arm()
}

// Disarm ends the wait; c is what is left of it.
func (co *Table) Disarm() {
	co.checkout = Checkout{}
	co.needs.Lanes.Disarm()
}

// putAway removes the large code from the screen.
func (co *Table) putAway() kernel.Topic {
	if co.checkout.Caught == "" {
		return 0
	}
	co.checkout.Caught = ""
	return kernel.TopicCodes
}

// came returns the code that the armed card got since it was armed: a pending one, if
// there is one.
func (co *Table) came() (came Code, ok bool) {
	for _, c := range co.codes.rows {
		if c.Card != co.checkout.Card || !kernel.Later(c.SeenAt, c.ChangedAt).After(co.checkout.Since) || c.OTP.IsZero() || c.Replaced {
			continue
		}
		if c.Pending() {
			return c, true
		}
		if !ok {
			came, ok = c, true
		}
	}
	return came, ok
}

// Catch ends the wait of the checkout when the armed card's next code is here, which is large from now on; else it may
// say why it goes on.
func (co *Table) Catch() (c Code, ok bool, said kernel.Topic) {
	if co.checkout.Card == "" {
		return Code{}, false, 0
	}
	switch c, ok = co.came(); {
	case !ok:
		return Code{}, false, 0
	case !c.Pending():
		return Code{}, false, co.sayOdd(c)
	}
	co.Disarm()
	co.ShowLarge(&c)
	return c, true, 0
}

// Large is the code that is large, or was until it was put away; shown reports whether it is.
func (co *Table) Large() (of Origin, shown bool) {
	return co.checkout.of, co.checkout.Caught != ""
}

// ShowLarge shows a code large.
func (co *Table) ShowLarge(c *Code) { co.checkout.Caught, co.checkout.of = c.ID, c.Origin() }

// sayOdd says once that the armed card has a code of a status that this program does not
// know, for which the wait does not end.
func (co *Table) sayOdd(c Code) kernel.Topic {
	if co.checkout.odd == c.Origin() {
		return 0
	}
	co.checkout.odd = c.Origin()
	co.needs.Notices.Say(kernel.Warn, co.Lang.Tf("a code of %s is here with the unknown status “%s”: not copied, still armed", co.needs.Cards.Name(c.Card), string(c.Status)))
	return kernel.TopicNotice
}

// expireCheckout ends what has waited long enough, and what no code is left
// of.
func (co *Table) expireCheckout(now time.Time) kernel.Topic {
	c := &co.checkout
	if c.Caught != "" {
		if _, ok := co.codes.find(c.Caught); !ok {
			c.Caught = ""
			return kernel.TopicCodes
		}
	}
	if c.Card == "" || !poll.Reached(now, c.Until) {
		return 0
	}
	co.needs.Notices.Say(kernel.Warn, co.Lang.Tf("no code came for %s in five minutes: not armed any more", co.needs.Cards.Name(c.Card)))
	co.Disarm()
	return kernel.TopicCodes | kernel.TopicNotice
}

// UnpaidCharge is a charge that a code waits for and its card lacks money for.
type UnpaidCharge struct {
	Merchant api.Text
	// Charge is what the code authorizes, Amount what the card lacks for it,
	// but not less than can be funded. USD.
	Charge, Amount api.USD
}

// CardShortfall finds what a card lacks for the newest code that waits on it. With an
// amount, it is the code that lacks just this much.
func (co *Table) CardShortfall(id api.CardID, amount api.USD) (UnpaidCharge, bool) {
	for _, c := range co.codes.rows {
		if c.Card != id || c.Replaced {
			continue
		}
		if short := co.Shortfall(c.ID); short > 0 && (amount == 0 || amount == short) {
			return UnpaidCharge{Merchant: c.Merchant, Charge: c.Amount, Amount: short}, true
		}
	}
	return UnpaidCharge{}, false
}

// Shortfall is what the card of a code that waits lacks for its charge, in USD:
// at least the least that can be funded, 0 when it lacks nothing or was
// replaced.
func (co *Table) Shortfall(id api.ChallengeID) api.USD {
	c, ok := co.codes.find(id)
	if !ok || !c.AmountKnown || c.Replaced || c.Left(co.ServerNow()) == 0 {
		return 0
	}
	card, ok := co.needs.Cards.Get(c.Card)
	if !ok || card.Status == api.CardTerminated {
		return 0
	}
	bill := cart.Facts{Amount: c.Amount, Funds: co.needs.Funds(c.Card)}
	return bill.ToFund()
}

// Arm asks to wait for a card's next code, or no longer.
type Arm struct{ Card api.CardID }

func (in Arm) Check(co *Table) kernel.Verdict { return co.needs.Cards.CheckAlive(in.Card) }

func (in Arm) Start(co *Table) (kernel.Topic, []kernel.Effect) {
	co.arm(in.Card, co.Cfg.CopyArmed && co.needs.Copies())
	return kernel.TopicCodes | kernel.TopicNotice, nil
}

// SetCart says what is to be paid with the armed card, USD; 0 for not known.
type SetCart struct {
	Card   api.CardID
	Amount api.USD
}

func (in SetCart) Start(co *Table) (kernel.Topic, []kernel.Effect) {
	if c := &co.checkout; c.Card == in.Card {
		c.Cart = in.Amount
	}
	return kernel.TopicCodes, nil
}

// Cart returns what is known of paying an amount with a card, USD; 0 for an amount that is
// not known.
func (co *Table) Cart(id api.CardID, amount api.USD) cart.Facts { return co.needs.Cart(id, amount) }

// ArmedCart returns what is known of paying the cart of the armed checkout; false while
// nothing is armed.
func (co *Table) ArmedCart() (cart.Facts, bool) {
	c := co.checkout
	return co.Cart(c.Card, c.Cart), c.Card != ""
}

// PutAway removes the large code from the screen.
type PutAway struct{}

func (PutAway) Start(co *Table) (kernel.Topic, []kernel.Effect) { return co.putAway(), nil }

// Checkout is a card whose next code is waited for, and the code it brought.
type Checkout struct {
	// Card is armed until Until; empty when none is.
	Card         api.CardID
	Since, Until time.Time
	// Cart is what is to be paid with it, USD; 0 while that is not known.
	Cart api.USD
	// Caught is the code that came last, which is shown large; empty when there is
	// none, when it ended, or when it was put away.
	Caught api.ChallengeID
	of     Origin // of Caught
	odd    Origin // the code of an unknown status that was told of and not caught
}
