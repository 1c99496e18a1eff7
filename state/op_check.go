package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

func (cl *ClipTable) checkCode(in CopyCode) Verdict {
	_, ok := cl.codes.codeToCopy(in)
	switch {
	case ok:
		return Verdict{}
	case in.Challenge != "":
		return Verdict{Reason: "that code has ended: choose another"}
	}
	return Verdict{Reason: cl.noCode()}
}

func (ops *OpsTable) checkWrite(id api.CardID, danger Danger) Verdict {
	return ops.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which nobody knows.
func (ops *OpsTable) checkBeside(id api.CardID, danger Danger, inTheWay func(*Op) bool) Verdict {
	v := Verdict{Danger: danger}
	c, ok := ops.cards.Get(id)
	switch op, busy := ops.pending(id, inTheWay); {
	case !ok:
		v.Reason = "no card is selected"
	case ops.cfg.ReadOnly:
		v.Reason = readOnly
	case c.Status == api.CardTerminated:
		v.Reason = ops.cards.name(id) + " is terminated"
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// readOnly is why nothing is written.
const readOnly = "read-only: writes are off"

// checkMoney judges an amount in USD; zero stands for one not typed yet.
func (ops *OpsTable) checkMoney(kind OpKind, id api.CardID, amount api.USD) Verdict {
	v := ops.cards.checkFresh(id, ops.checkWrite(id, Money))
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := ops.wallet.preview(kind, id, amount)
	switch {
	case !ok:
		v.Reason = "the wallet is not read yet: what it would hold afterwards is not known"
	case amount%api.Cent != 0:
		v.Reason = "at most two decimals"
	case amount < 0:
		v.Reason = tooLittle
	case kind == OpFund && amount < api.MinFunding:
		v.Reason = "at least $" + api.MinFunding.Grouped()
	case kind == OpFund && amount > api.MaxFunding:
		v.Reason = "at most $" + api.MaxFunding.Grouped() + " at a time"
	case kind == OpFund && p.WalletAfter < 0:
		v.Reason, v.Short = walletShort(-p.WalletAfter), -p.WalletAfter
	case kind == OpWithdraw && p.CardAfter < 0:
		v.Reason = "the card is $" + (-p.CardAfter).Grouped() + " short"
	case kind.Takes():
		c, _ := ops.cards.Get(id)
		v.Reason = ops.guarded(string(c.Label), amount)
	}
	return v
}

// walletShort says what the wallet lacks, USD.
func walletShort(lacks api.USD) string { return "the wallet is $" + lacks.Grouped() + " short" }

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (w *WalletTable) lacks(amount api.USD) api.USD { return amount - w.wallet.Balance }

// tooLittle refuses an amount of nothing or less.
const tooLittle = "the amount must be more than 0"

// noReveal is why nothing secret of a card is asked for.
const noReveal = "reveal is off: no number, CVV or address is shown or copied"

// request is what an intent would send, before it has a key.
type request struct {
	kind   OpKind
	card   api.CardID
	amount api.USD
	name   string
	label  string
	write  api.Write
	in     Intent
}

// buildRequest makes the request of an intent. An error says what is wrong
// with what was asked for.
func (we *WebhooksTable) buildRequest(in writer) (request, error) {
	r, err := in.build(we)
	r.in, r.label = in, we.cards.labelOf(in)
	if r.name == "" {
		r.name = we.cards.trueName(r.card)
	}
	return r, err
}

// quoted is a label in a sentence.
func quoted(label string) string {
	if label == "" {
		return "without label"
	}
	return string(api.Clean(label))
}

// checkRequest is why a request cannot be built, or that the same one is under
// way; empty when neither is so.
func (ops *OpsTable) checkRequest(in writer) string {
	d, err := ops.webhooks.buildRequest(in)
	if err != nil {
		return explain(err)
	}
	if d.kind == OpIssue {
		if op, busy := ops.pendingIssue(d.write); busy {
			return ops.cards.busyText(op)
		}
	}
	return ""
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// DryRun tells whether writes are shown and not sent.
func (ops *OpsTable) DryRun() bool { return ops.dry }

// SetDryRun begins or ends a dry run. It begins here at once; it ends when
// the engine has heard of it, so that there is no moment at which one of the
// two would send what the other shows.
func (ops *OpsTable) SetDryRun(on bool) (Topic, []Effect) {
	if on {
		ops.dry = true
		ops.notices.tell(Info, "dry run: writes are shown, nothing is sent")
	}
	return TopicOps | TopicNotice, []Effect{SetDryRun{On: on}}
}

// checkDryRun refuses to begin while something sent waits for its outcome: it
// may have to be sent again.
func (ops *OpsTable) checkDryRun() Verdict {
	if ops.dry {
		return Verdict{}
	}
	for _, op := range ops.ops {
		if op.Phase != Unsettled {
			return Verdict{Reason: "no dry run yet: " + ops.cards.busyText(*op)}
		}
	}
	return Verdict{}
}

func (ops *OpsTable) dryRunSet(ev DryRunSet) Topic {
	if ev.On || !ops.dry {
		return 0
	}
	ops.dry = false
	ops.notices.tell(Warn, "the dry run is over: writes are sent")
	return TopicOps | TopicNotice
}

// rehearse gives what would have been sent.
func (ops *OpsTable) rehearse(r request) []Effect {
	return []Effect{ShowRequest{Write: &r.write, Name: r.name, Kind: r.kind, Key: ops.cfg.NewKey()}}
}

func (cl *ClipTable) copyText(in CopyText) []Effect {
	seq := cl.beginCopy(copying{what: in.What, kind: "text"})
	return []Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}

// guarded tells why the guardrails refuse an amount for a card of a label; empty
// when they do not. The engine asks again, with what all dashboards moved until
// then.
func (ops *OpsTable) guarded(label string, amount api.USD) string {
	if !ops.cfg.Guard.Sums() {
		return ops.cfg.Guard.Refuse(label, amount, nil, ops.now)
	}
	return ops.cfg.Guard.Refuse(label, amount, ops.moved(), ops.now)
}

// moved is what the dashboards took from the wallet in the last day: what was
// told of all of them, and what this one did since.
func (ops *OpsTable) moved() []Moved {
	all := make(map[api.IdempotencyKey]Moved)
	for _, m := range ops.poll.around.moved {
		all[m.Key] = m
	}
	for _, r := range ops.history.past.rows {
		if !r.At.Before(ops.poll.around.at) {
			countRecord(all, r)
		}
	}
	for _, op := range ops.ops {
		countOp(all, op)
	}
	out := make([]Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	return out
}

// labelOf is the label of the card that an intent is about; empty when
// guardrails do not look at it.
func (ca *CardsTable) labelOf(in Intent) string {
	if l, ok := in.(labelled); ok {
		return l.labelIn(ca)
	}
	return ""
}

func (ca *CardsTable) label(id api.CardID) string {
	c, _ := ca.Get(id)
	return string(c.Label)
}

// offlineSince is why nothing is written while nothing answers.
func offlineSince(since, now time.Time) string {
	return "offline since " + clockOf(since, now) + ": not sent, try again when live"
}

// tellTried says of a freeze that is sent while offline that nothing answers.
func (ops *OpsTable) tellTried(r request) Topic {
	since, offline := ops.poll.Offline()
	if !offline || ops.dry {
		return 0
	}
	ops.notices.tell(Warn, "offline since "+clockOf(since, ops.now)+": the "+r.kind.String()+" of "+ops.cards.name(r.card)+" is tried all the same")
	return TopicNotice
}

// clockOf is a moment in a sentence: the clock, and the day when it is another.
func clockOf(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return t.Format("Jan 2 15:04")
	}
	return t.Format(time.TimeOnly)
}
