package state

import (
	"encoding/json"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Evidence is what tells whether an operation of unknown outcome acted.
type Evidence struct {
	Op Op
	// Method, Path and Body are what was sent.
	Method, Path, Body string
	// Card is the operation's card as the summary told it at CardAt; zero when
	// it was not read since the operation began.
	Card   api.USD
	CardAt time.Time
	Status api.CardStatus
	// CardEarlier says that it was read before the latest try was over, so that
	// it does not tell of that one.
	CardEarlier bool
	// Wallet is the wallet's balance as told at WalletAt.
	Wallet   api.USD
	WalletAt time.Time
	// Since are the card's transactions since it began, newest first.
	Since []api.Transaction
	// Appeared are cards issued since it began with the label and the BIN that
	// a new one was asked for.
	Appeared []Card
	// Webhooks are those registered since it began, or the one it deletes if it
	// is still there, as they were read at WebhooksAt; zero when they were not
	// since it began.
	Webhooks   []Webhook
	WebhooksAt time.Time
	// Suggests tells what the figures speak for; they may have moved for other
	// reasons too.
	Suggests Suggestion
}

// Suggestion is what figures speak for.
type Suggestion uint8

// The suggestions.
const (
	SuggestsNothing Suggestion = iota
	SuggestsDone
	SuggestsNotDone
)

// evidenceSkew is how far a server's clock may be behind this machine's for
// what it dates still to count as since.
const evidenceSkew = 5 * time.Second

// Evidence puts together what is known of an operation of unknown outcome;
// false when it is not under way any more.
func (ops *OpsTable) Evidence(id OpID) (Evidence, bool) {
	op, ok := ops.take(id)
	if !ok {
		return Evidence{}, false
	}
	e := Evidence{Op: *op}
	if w := op.Write; w != nil && !w.Sensitive {
		e.Method, e.Path, e.Body = w.Method, w.Path, string(w.Body)
	}
	from := ops.clock.Server(op.At).Add(-evidenceSkew)
	if sum, ok := ops.info.summaries[op.Card]; ok && sum.seq > op.doubt && sum.at.After(op.At) {
		e.Card, e.CardAt, e.Status, e.CardEarlier = sum.Balance, sum.at, sum.Status, sum.seq <= op.fence
	}
	if ops.wallet.wallet.live() {
		e.Wallet, e.WalletAt = ops.wallet.wallet.Balance, ops.poll.OKAt(LaneWallet)
	}
	switch op.Kind {
	case OpIssue:
		e.Appeared = ops.cards.appeared(op, from)
	case OpSubscribe, OpUnsubscribe:
		e.Webhooks, e.WebhooksAt = ops.webhooks.webhookEvidence(op, from)
	default:
		e.Since = ops.txns.transactionsSince(op.Card, from)
	}
	e.Suggests = e.suggest()
	return e, true
}

func (tx *TxnsTable) transactionsSince(id api.CardID, from time.Time) []api.Transaction {
	var out []api.Transaction
	rows := tx.feed.rows()
	for i := len(rows) - 1; i >= 0; i-- {
		t := rows[i]
		if t.CreatedAt.Before(from) {
			break
		}
		if t.CardID == id {
			out = append(out, t)
		}
	}
	return out
}

// appeared finds the cards that an unanswered issue may have made. One that
// was known when it began is another's, whatever the clocks say.
func (ca *CardsTable) appeared(op *Op, from time.Time) []Card {
	var asked api.CreateCardRequest
	if op.Write == nil || json.Unmarshal(op.Write.Body, &asked) != nil {
		return nil
	}
	var out []Card
	for _, r := range ca.rows() {
		if r.after >= op.here && r.bin.text() == asked.BIN && r.label == api.Clean(asked.Label) && !r.created.time().Before(from) {
			out = append(out, r.card())
		}
	}
	return out
}

// suggest compares the balance there is with those there would be, counting
// what merchants moved since.
func (e *Evidence) suggest() Suggestion {
	read := !e.CardAt.IsZero() && !e.CardEarlier
	switch {
	case e.Op.Kind == OpIssue && len(e.Appeared) > 0:
		return SuggestsDone
	case !e.WebhooksAt.IsZero():
		return e.suggestByList()
	case e.Op.Kind == OpTerminate && read && e.Status != "":
		if e.Status == api.CardTerminated {
			return SuggestsDone
		}
		return SuggestsNotDone
	case !e.Op.Kind.moves() || !read || e.Op.Expected == (Preview{}):
		return SuggestsNothing
	}
	moved := api.USD(0)
	for _, t := range e.Since {
		moved -= spent(t)
	}
	if e.Card == e.Op.Expected.CardAfter+moved {
		return SuggestsDone
	}
	if e.Card == e.Op.Expected.CardBefore+moved {
		return SuggestsNotDone
	}
	return SuggestsNothing
}

// suggestByList tells by the list of webhooks: one that was registered is in
// it, one that was deleted is not.
func (e *Evidence) suggestByList() Suggestion {
	if (e.Op.Kind == OpSubscribe) == (len(e.Webhooks) > 0) {
		return SuggestsDone
	}
	return SuggestsNotDone
}
