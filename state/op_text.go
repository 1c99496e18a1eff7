package state

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// explain puts an error in a person's words: what happened and what to do.
// All wording of errors is here, none at the places where they occur.
func explain(err error) string {
	var e *api.Error
	message := ""
	if errors.As(err, &e) && e.Message != "" {
		message = string(e.Message)
	}
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return "the API refused the key: set CARDTOP_API_KEY to a valid one"
	case errors.Is(err, api.ErrReadOnly):
		return readOnly
	case errors.Is(err, api.ErrNoDetails):
		return noReveal
	case errors.Is(err, api.ErrRateLimited):
		return "the API's rate limit is reached"
	case errors.Is(err, api.ErrInsufficientFunds):
		return withTold("the wallet is too low", message)
	case errors.Is(err, api.ErrNotFound):
		return withTold("the API does not know it", message)
	case errors.Is(err, api.ErrInvalid):
		return withTold("the API refused it", message)
	case errors.Is(err, api.ErrRedirect):
		return "the API answered with a redirect, which is never followed: check the base URL"
	case errors.Is(err, api.ErrServer):
		return withTold(failed(e), message)
	case errors.Is(err, api.ErrNotJSON):
		return withTold("the answer is not JSON, a captive portal or proxy perhaps", message)
	case errors.Is(err, api.ErrBrokenJSON):
		return "the answer says it is JSON, and is cut off or broken"
	case errors.Is(err, api.ErrWrongShape):
		return withTold("the answer is not what the API is known to give, of another version perhaps", message)
	case errors.Is(err, api.ErrTooLarge):
		return "the answer is too large to be read, a proxy's perhaps"
	case errors.Is(err, api.ErrUnreachable):
		return "the API does not answer" + cause(message)
	default:
		return err.Error()
	}
}

// failed says which of the server's failures it was.
func failed(e *api.Error) string {
	if e == nil {
		return "the API failed"
	}
	return fmt.Sprintf("the API failed (%d)", e.Status)
}

// cause is the end of a network error, which names what happened, after whom
// it happened with; what comes before are the layers it came through.
func cause(told string) string {
	who := ""
	for _, step := range [...]string{"dial tcp ", "lookup "} {
		if _, rest, ok := strings.Cut(told, step); ok {
			who, _, _ = strings.Cut(rest, " ")
			who = strings.TrimSuffix(who, ":") + ": "
		}
	}
	if at := strings.LastIndex(told, ": "); at >= 0 {
		told = told[at+2:]
	}
	switch told {
	case "":
		return ""
	case "context deadline exceeded", "i/o timeout":
		told = "timed out"
	}
	return " (" + who + told + ")"
}

func withTold(what, told string) string {
	if told == "" {
		return what
	}
	return what + ": " + told
}

// retryAfter is how long the server asked to wait; 0 when it did not.
func retryAfter(err error) time.Duration {
	var e *api.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// opName calls an operation's card as the list does, or as it was called
// when the operation began: after a restart the list comes later.
func (ca *CardsTable) opName(op *Op) string {
	if _, ok := ca.Get(op.Card); !ok && op.Name != "" {
		return ca.OnScreen(op.Card, op.Name)
	}
	return ca.name(op.Card)
}

func (ops *OpsTable) doneText(op *Op, ev OpDone) string {
	who := ops.cards.opName(op)
	if strayed(op, ev) {
		return "the " + op.Kind.String() + " of " + who + " was answered"
	}
	switch op.Kind {
	case OpFreeze:
		return who + " is frozen; merchants it is linked to may still try it"
	case OpUnfreeze:
		return who + " is active again"
	case OpIssue:
		return ops.issuedText(op, ev)
	case OpUpdate:
		return who + " is updated"
	case OpTerminate:
		text := who + " is terminated"
		if ev.Moved != nil {
			text += ", $" + ev.Moved.Grouped() + " went back to the wallet"
		}
		return text
	case OpSubscribe:
		if ev.Webhook == nil || ev.Webhook.Secret.IsZero() {
			return who + " is registered, and the answer held no signing secret: ask the service for it"
		}
		return who + " is registered"
	case OpUnsubscribe:
		return who + " is deleted: nothing is sent there any more"
	case OpFund, OpWithdraw:
		moved := told(ev.Moved, op.Amount).Grouped()
		text := fmt.Sprintf("funded %s with $%s", who, moved)
		if op.Kind == OpWithdraw {
			text = fmt.Sprintf("withdrew $%s from %s", moved, who)
		}
		if ev.CardBalance != nil {
			text += ", card $" + ev.CardBalance.Grouped()
		}
		if ev.WalletBalance != nil {
			text += ", wallet $" + ev.WalletBalance.Grouped()
		}
		return text
	}
	return "done"
}

func (ops *OpsTable) issuedText(op *Op, ev OpDone) string {
	if ev.Returned == nil {
		return ops.cards.OnScreen("", op.Name) + " is issued"
	}
	text := ops.cards.name(ev.Returned.ID) + " is issued with $" + ev.Returned.Balance.Grouped()
	if ev.Returned.Balance != op.Amount {
		text += " ($" + op.Amount.Grouped() + " were asked for)"
	}
	return text
}

// discrepancy tells where a confirmation is not what was asked for or does not
// add up; empty when all is well.
func discrepancy(op *Op, ev OpDone) string {
	moved := told(ev.Moved, op.Amount)
	sign, after := "+", told(ev.Before, 0)+moved
	if op.Kind == OpWithdraw {
		sign, after = "-", told(ev.Before, 0)-moved
	}
	switch {
	case strayed(op, ev):
		return "but the answer is about another card: check its balance and transactions"
	case op.Kind == OpTerminate && ev.Moved != nil && op.Expected != (Preview{}) && *ev.Moved != op.Expected.CardBefore:
		return fmt.Sprintf("but the card held $%s", op.Expected.CardBefore.Grouped())
	case !op.Kind.moves():
		return ""
	case moved != op.Amount:
		return fmt.Sprintf("but $%s was asked for and the API moved $%s", op.Amount.Grouped(), moved.Grouped())
	case ev.Before != nil && ev.CardBalance != nil && after != *ev.CardBalance:
		return fmt.Sprintf("but $%s %s $%s is $%s and the API says $%s", ev.Before.Grouped(), sign, moved.Grouped(), after.Grouped(), ev.CardBalance.Grouped())
	}
	return ""
}

// unrecorded tells that a restart will know nothing of an outcome.
func unrecorded(note string) string {
	if note == "" {
		return ""
	}
	return "this could not be recorded and may be asked for again after a restart: " + note
}

// unwritten tells that an outcome is missing on the history's disk.
func unwritten(lost string) string {
	if lost == "" {
		return ""
	}
	return "the history on disk lacks it: " + lost
}

// told is what the server said, or else what is known without it.
func told(said *api.USD, known api.USD) api.USD {
	if said != nil {
		return *said
	}
	return known
}

func (ops *OpsTable) refusedText(op *Op, err error) string {
	if errors.Is(err, api.ErrUnreachable) {
		return fmt.Sprintf("%s of %s not sent: %s", op.Kind, ops.cards.opName(op), explain(err))
	}
	return fmt.Sprintf("%s of %s not done: %s", op.Kind, ops.cards.opName(op), explain(err))
}

func (ops *OpsTable) unknownText(op *Op, err error) string {
	return fmt.Sprintf("%s of %s sent but unconfirmed, asking again with the same key: %s", op.Kind, ops.cards.opName(op), explain(err))
}

func (ops *OpsTable) unsettledText(op *Op) string {
	if op.Kind == OpSubscribe || op.Kind == OpUnsubscribe {
		return fmt.Sprintf("%s of %s could not be confirmed: look at the list of webhooks, then dismiss", op.Kind, ops.cards.opName(op))
	}
	return fmt.Sprintf("%s of %s could not be confirmed: compare its balance and transactions, then dismiss", op.Kind, ops.cards.opName(op))
}

// busyText tells which operation stands in the way.
func (ca *CardsTable) busyText(op Op) string {
	if op.Phase == Sending {
		return fmt.Sprintf("%s: the %s is still under way", ca.opName(&op), op.Kind)
	}
	return fmt.Sprintf("%s: the %s before is unconfirmed", ca.opName(&op), op.Kind)
}

// Sanitise takes out of a text what a terminal would act on.
func Sanitise(text string) string { return string(api.Clean(text)) }

// Explain puts an error in a person's words, for programs without a screen.
func Explain(err error) string { return explain(err) }
