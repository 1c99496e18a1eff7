package state

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/webhooks"
)

// OpDone is an operation the server confirmed. Amounts and balances (USD) are
// the server's; nil where its answer did not say.
type OpDone struct {
	kernel.Meta
	Op OpID
	// Card is the card the answer is about; empty when it does not say.
	Card   api.CardID
	Status api.CardStatus
	// Moved is what was funded or withdrawn, Before the card's balance before.
	Moved, Before *api.USD
	// CardBalance and WalletBalance are those after it.
	CardBalance, WalletBalance *api.USD
	// Returned is the card where the answer was one.
	Returned *api.Card
	// Webhook is the endpoint that was registered, with its secret, which cannot
	// be printed.
	Webhook *api.Webhook
	// HTTPStatus and Answer are the API's answer as it came, where the operation was
	// asked for over a hub. The answer may hold a secret and cannot be printed.
	HTTPStatus int
	Answer     api.Secret
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
	// Note is why the journal did not record the outcome; empty when it did.
	Note string
}

// ErrKeyClaimed is that another run has the idempotency key that the user chose.
var ErrKeyClaimed = errors.New("another cardtop runs with this idempotency key: run it again when that one has ended")

// ErrMaybeBegun is that a journal may have an operation although it could not confirm
// it: another program may send it, so that its outcome is unknown.
var ErrMaybeBegun = errors.New("it may have been begun all the same")

// ErrMoved is that money was moved to or from a card since the balance was read that an amount
// rests on. Nothing was sent.
var ErrMoved = errors.New("the balance of the card has changed since it was read")

// ErrLimitMoved means that a card's monthly limit has changed since the user was shown it. Nothing was sent.
var ErrLimitMoved = errors.New(lang.N("the monthly limit was changed meanwhile: look again"))

// ErrPlanned is that a plan of another program is about the card of a rule. Nothing was sent.
var ErrPlanned = errors.New("a plan of another cardtop is about the card")

// Damage is a record on disk that cannot be read, or is not as it was written: what it
// was about may have been done, and nothing knows of it.
type Damage struct {
	// Path is the file, Line the line in it from 1; 0 for lines that are missing.
	Path string
	Line int
	// At is when the file was last written.
	At time.Time
	// Card and Amount are what can still be read of it; empty for nothing.
	Card   api.CardID
	Amount api.Text
	// Removable reports whether the file holds nothing else that is needed.
	Removable bool
}

// Text says in one line which record is damaged and what to do.
func (d Damage) Text(w *lang.Words) string {
	at := d.At.Local().Format("2006-01-02 15:04")
	text := w.Tf("damaged record: line %d of %s, last written %s", d.Line, d.Path, at)
	if d.Line == 0 {
		text = w.Tf("records are missing in %s, last written %s", d.Path, at)
	}
	switch {
	case d.Card != "" && d.Amount != "":
		text += w.Tf("; compare card %s ($%s) with cardtop cards show", string(d.Card), string(d.Amount))
	case d.Card != "":
		text += w.Tf("; compare card %s with cardtop cards show", string(d.Card))
	default:
		text += w.T("; compare wallet and cards with cardtop history")
	}
	if d.Removable {
		text += w.T("; then remove the file")
	}
	return text
}

// damageShown bounds how many damaged records have a notice of their own.
const damageShown = 5

// SayDamage shows which records on disk are damaged, until the user dismisses it.
func SayDamage(n *kernel.Notices, all []Damage) kernel.Topic {
	if len(all) == 0 {
		return 0
	}
	for i, d := range all[:min(len(all), damageShown)] {
		text := d.Text(n.Lang)
		if more := len(all) - damageShown; i == damageShown-1 && more > 0 {
			text += n.Lang.Tf(" (and %d more: cardtop doctor lists them)", more)
		}
		n.SayUntilDismissed(fmt.Sprint("damage ", d.Path, d.Line), kernel.Bad, text)
	}
	return kernel.TopicNotice
}

// DamageError is that records on disk are damaged.
type DamageError []Damage

func (e DamageError) Error() string {
	parts := make([]string, len(e))
	for i, d := range e {
		parts[i] = d.Text(nil)
	}
	return strings.Join(parts, "; ")
}

// strayed reports whether an answer is about another card.
func strayed(op *Op, ev OpDone) bool { return ev.Card != "" && op.Card != "" && ev.Card != op.Card }

// Of returns the answer to an operation, without its figures where it is about another card: they
// say nothing of this one.
func (ev OpDone) Of(op *Op) OpDone {
	if strayed(op, ev) {
		ev.Status, ev.Moved, ev.Before, ev.CardBalance, ev.WalletBalance, ev.Returned = "", nil, nil, nil, nil, nil
	}
	return ev
}

// OpFailed is an operation that the server refused, or whose outcome is
// unknown, as api.Outcome of the error says. NotSent says that it never left
// this machine.
type OpFailed struct {
	kernel.Meta
	Op      OpID
	Err     error
	NotSent bool
	// Record is its line in the history, nil when there is no new one, and Lost
	// why it is not there on disk.
	Record *Record
	Lost   string
	// Note is why the journal did not record the outcome; empty when it did.
	Note string
}

// settles reports whether a failure means for certain that nothing was done.
func settles(op *Op, ev OpFailed) bool {
	if ev.NotSent {
		return op.Tries == 1
	}
	return op.Outcome(ev.Err) == api.Refused
}

// OpForgotten is the result of Forget and NoteRequest; Err is why the journal could
// not.
type OpForgotten struct {
	kernel.Meta
	Err error
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
}

func (ev OpForgotten) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Ops.forgotten(ev) | s.History.record(ev.Record), nil
}

// DryRunSet confirms that the engine sends no writes, or sends them again.
type DryRunSet struct {
	kernel.Meta
	On bool
}

func (ev DryRunSet) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.Ops.dryRunSet(ev), nil }

// Examine shows the evidence on a card's operation of unknown
// outcome acted; without one on the card, at that of an issue.
type Examine struct{ Card api.CardID }

func (in Examine) Check(s *Store) kernel.Verdict {
	if _, ok := s.Ops.Unsettled(in.Card); !ok {
		return kernel.Verdict{Reason: s.Lang.T("nothing is unconfirmed here")}
	}
	return kernel.Verdict{}
}

// ReadAgain reads again what shows whether an operation acted.
type ReadAgain struct{ Op OpID }

func (in ReadAgain) Start(s *Store) (kernel.Topic, []kernel.Effect) { return 0, s.Ops.readAgain(in.Op) }

// ToggleDryRun begins a dry run, in which writes are shown and not sent, or
// ends it.
type ToggleDryRun struct{}

func (ToggleDryRun) Check(s *Store) kernel.Verdict { return s.Ops.checkDryRun() }

func (ToggleDryRun) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Ops.SetDryRun(!s.Ops.DryRun())
}

// DryRun reports whether writes are shown and not sent.
func (ops *OpsTable) DryRun() bool { return ops.dry }

// SetDryRun begins or ends a dry run. It begins here at once; it ends when
// the engine has confirmed it, so that there is no moment at which one of the
// two would send what the other shows.
func (ops *OpsTable) SetDryRun(on bool) (kernel.Topic, []kernel.Effect) {
	if on {
		ops.dry = true
		ops.notices.Say(kernel.Info, ops.Lang.T("dry run: writes are shown, nothing is sent"))
	}
	return kernel.TopicOps | kernel.TopicNotice, []kernel.Effect{SetDryRun{On: on}}
}

// checkDryRun refuses to begin while something sent waits for its outcome: it
// may have to be sent again.
func (ops *OpsTable) checkDryRun() kernel.Verdict {
	if ops.dry {
		return kernel.Verdict{}
	}
	for _, op := range ops.ops {
		if op.Phase != Unsettled {
			return kernel.Verdict{Reason: ops.Lang.Tf("no dry run yet: %s", ops.cards.busyText(*op))}
		}
	}
	return kernel.Verdict{}
}

func (ops *OpsTable) dryRunSet(ev DryRunSet) kernel.Topic {
	if ev.On || !ops.dry {
		return 0
	}
	ops.dry = false
	ops.notices.Say(kernel.Warn, ops.Lang.T("the dry run is over: writes are sent"))
	return kernel.TopicOps | kernel.TopicNotice
}

// opName calls an operation's card as the list does, or as it was called
// when the operation began: after a restart the list comes later.
func (ca *CardsTable) opName(op *Op) string {
	if _, ok := ca.Get(op.Card); !ok && op.Name != "" {
		return ca.OnScreen(op.Card, called(ca.Lang, op.Name))
	}
	return ca.name(op.Card)
}

// newCard begins the names that operations without a card are recorded with.
const newCard = "a card "

// called is the name that an operation was recorded with in the language of the screen.
func called(w *lang.Words, name string) string {
	if label, ok := strings.CutPrefix(name, newCard); ok {
		return w.Tf("a card %s", w.T(label))
	}
	if host, ok := strings.CutPrefix(name, webhooks.Prefix); ok {
		return w.Tf("webhook %s", w.T(host))
	}
	return name
}

func (ops *OpsTable) doneText(op *Op, ev OpDone) string {
	who := ops.cards.opName(op)
	if strayed(op, ev) {
		return ops.Lang.Tf("the %s of %s was answered", op.Kind.Noun(ops.Lang), who)
	}
	switch op.Kind {
	case OpFreeze:
		return ops.Lang.Tf("%s is frozen; merchants it is linked to may still try it", who)
	case OpUnfreeze:
		return ops.Lang.Tf("%s is active again", who)
	case OpIssue:
		return ops.issuedText(op, ev)
	case OpUpdate:
		return ops.Lang.Tf("%s is updated", who)
	case OpTerminate:
		text := ops.Lang.Tf("%s is terminated", who)
		if ev.Moved != nil {
			text += ops.Lang.Tf(", %s went back to the wallet", ops.Lang.Dollars(*ev.Moved))
		}
		return text
	case OpSubscribe:
		if ev.Webhook == nil || ev.Webhook.Secret.IsZero() {
			return ops.Lang.Tf("%s is registered, and the answer held no signing secret: ask the service for it", who)
		}
		return ops.Lang.Tf("%s is registered", who)
	case OpUnsubscribe:
		return ops.Lang.Tf("%s is deleted: nothing is sent there any more", who)
	case OpFund, OpWithdraw:
		moved := ops.Lang.Dollars(kernel.ValueOr(ev.Moved, op.Amount))
		text := ops.Lang.Tf("funded %s with %s", who, moved)
		if op.Kind == OpWithdraw {
			text = ops.Lang.Tf("withdrew %s from %s", moved, who)
		}
		if ev.CardBalance != nil {
			text += ops.Lang.Tf(", card %s", ops.Lang.Dollars(*ev.CardBalance))
		}
		if ev.WalletBalance != nil {
			text += ops.Lang.Tf(", wallet %s", ops.Lang.Dollars(*ev.WalletBalance))
		}
		return text
	}
	return ops.Lang.T("done")
}

func (ops *OpsTable) issuedText(op *Op, ev OpDone) string {
	if ev.Returned == nil {
		return ops.Lang.Tf("%s is issued", ops.cards.OnScreen("", called(ops.Lang, op.Name)))
	}
	return ops.Lang.Tf("%s is issued with %s", ops.cards.name(ev.Returned.ID), ops.Lang.Dollars(ev.Returned.Balance))
}

// Mismatch returns where an answer is not what was asked for or does not add up; empty when
// all is well. It says both figures.
func Mismatch(w *lang.Words, op *Op, ev OpDone) string {
	d := w.Dollars
	var parts []string
	if strayed(op, ev) {
		parts = append(parts, w.Tf("the answer is about another card, %s: check its balance and transactions", string(api.Clean(string(ev.Card)))))
	}
	switch answered := ev.answered(op.Kind); {
	case op.Kind == OpTerminate && ev.Moved != nil && op.Expected != (Preview{}) && *ev.Moved != op.Expected.CardBefore:
		parts = append(parts, w.Tf("the card held %s and the API returned %s", d(op.Expected.CardBefore), d(*ev.Moved)))
	case op.Kind != OpTerminate && answered != nil && *answered != op.Amount:
		parts = append(parts, w.Tf("%s was asked for and the API moved %s", d(op.Amount), d(*answered)))
	case op.Kind == OpFund && !op.BalanceAt.IsZero() && ev.Before != nil && op.Expected != (Preview{}) && *ev.Before > op.Expected.CardBefore:
		// A purchase since it was read leaves less, which is no harm.
		parts = append(parts, w.Tf("the card held %s and not %s as was read: it is above the level now", d(*ev.Before), d(op.Expected.CardBefore)))
	case op.Kind.moves() && ev.Before != nil && ev.CardBalance != nil:
		sign, moved := "+", kernel.ValueOr(ev.Moved, op.Amount)
		after := *ev.Before + moved
		if op.Kind == OpWithdraw {
			sign, after = "-", *ev.Before-moved
		}
		if after != *ev.CardBalance {
			parts = append(parts, w.Tf("%s %s %s is %s and the API says %s", d(*ev.Before), sign, d(moved), d(after), d(*ev.CardBalance)))
		}
	}
	return strings.Join(parts, "; ")
}

// answered is the amount that an answer says has moved, USD; nil where it does not say.
func (ev OpDone) answered(kind OpKind) *api.USD {
	if kind == OpIssue && ev.Returned != nil {
		return &ev.Returned.Balance
	}
	return ev.Moved
}

// counted is what an operation that was answered counts as, USD: the larger of what was
// asked for and what the answer says. The promise of a cap is ours, not the API's.
func (ev OpDone) counted(op *Op) api.USD {
	return max(op.Amount, kernel.ValueOr(ev.answered(op.Kind), 0))
}

// SetAnswer sets in the record of an operation what its answer says of the amount.
func (r *Record) SetAnswer(op *Op, ev OpDone) {
	if answered := ev.answered(op.Kind); answered != nil {
		r.Amount = *answered
	}
	r.Mismatch = Mismatch(nil, op, ev)
}

// unrecorded says that a restart will know nothing of an outcome.
func unrecorded(c *kernel.Core, note string) string {
	if note == "" {
		return ""
	}
	return c.Lang.Tf("this could not be recorded and may be asked for again after a restart: %s", note)
}

// unwritten says that an outcome is missing on the history's disk.
func unwritten(c *kernel.Core, lost string) string {
	if lost == "" {
		return ""
	}
	return c.Lang.Tf("the history on disk lacks it: %s", lost)
}

func (ops *OpsTable) refusedText(op *Op, err error) string {
	if errors.Is(err, api.ErrUnreachable) {
		return ops.Lang.Tf("%s of %s not sent: %s", op.Kind.Noun(ops.Lang), ops.cards.opName(op), errtext.Explain(ops.Lang, err))
	}
	return ops.Lang.Tf("%s of %s not done: %s", op.Kind.Noun(ops.Lang), ops.cards.opName(op), errtext.Explain(ops.Lang, err))
}

func (ops *OpsTable) unknownText(op *Op, err error) string {
	return ops.Lang.Tf("%s of %s sent but unconfirmed, asking again with the same key: %s", op.Kind.Noun(ops.Lang), ops.cards.opName(op), errtext.Explain(ops.Lang, err))
}

func (ops *OpsTable) unsettledText(op *Op, err error) string {
	if err != nil && kernel.RefusesRequest(err) {
		return ops.Lang.Tf("%s of %s may have acted: %s; compare what is there, then resolve it", op.Kind.Noun(ops.Lang), ops.cards.opName(op), ExplainUnconfirmed(ops.Lang, err))
	}
	if op.Kind == OpSubscribe || op.Kind == OpUnsubscribe {
		return ops.Lang.Tf("%s of %s could not be confirmed: check the list of webhooks, then dismiss", op.Kind.Noun(ops.Lang), ops.cards.opName(op))
	}
	return ops.Lang.Tf("%s of %s could not be confirmed: compare its balance and transactions, then dismiss", op.Kind.Noun(ops.Lang), ops.cards.opName(op))
}

// busyText says which operation is in the way.
func (ca *CardsTable) busyText(op Op) string {
	if op.Phase == Sending {
		return ca.Lang.Tf("%s: the %s is still under way", ca.opName(&op), op.Kind.Noun(ca.Lang))
	}
	return ca.Lang.Tf("%s: the %s before is unconfirmed", ca.opName(&op), op.Kind.Noun(ca.Lang))
}

// Sanitise removes from a text what a terminal would act on.
func Sanitise(text string) string { return string(api.Clean(text)) }

// ExplainUnconfirmed returns the text of the latest error of an operation that may have
// acted. A refusal is then that of a later try.
func ExplainUnconfirmed(w *lang.Words, err error) string {
	if !kernel.RefusesRequest(err) {
		return errtext.Explain(w, err)
	}
	return w.Tf("the first answer was lost and a later try was refused (%s)", errtext.Explain(w, err))
}

// Request returns what an intent would send: method, path and JSON body, the
// same bytes. They are empty for an intent that sends nothing, or nothing
// valid.
func (s *Store) Request(in kernel.Intent) (method, path, body string) {
	w, ok := in.(writer)
	if !ok {
		return "", "", ""
	}
	r, err := s.Ops.buildRequest(w)
	if err != nil {
		return "", "", ""
	}
	return r.write.Method, r.write.Path, string(r.write.Body)
}

// Figures reports what an intent rests on when it is reviewed.
type Figures struct {
	// At is when the oldest of it was read, this machine's clock; zero when it
	// was not read in this run.
	At time.Time
	// Stale reports whether it may be otherwise by now.
	Stale bool
}

// figuresFresh is how old figures may be that the user agrees to: three times
// what the wallet rests, and the time of an answer. While something is wrong it
// is figuresLate.
const (
	figuresFresh = 35 * time.Second
	figuresLate  = 12 * time.Second
)

// Figures returns from when the balances and the status are that an intent is
// reviewed with.
func (s *Store) Figures(in kernel.Intent) Figures {
	var f Figures
	oldest := func(at time.Time) {
		if f.At.IsZero() || at.Before(f.At) {
			f.At = at
		}
	}
	if _, ok := in.(ApproveRequest); ok {
		oldest(s.Team.ReadAt(team.Requests))
	}
	if id, ok := CardOf(in); ok {
		if r := s.Cards.get(id); r != nil && !r.Cached {
			oldest(r.Read.Time())
		}
	}
	if s.restsOnWallet(in) && s.Wallets.Live() {
		oldest(s.Wallets.ReadAt())
	}
	if run, ok := in.(RunPlan); ok && run.Plan != nil {
		oldest(run.Plan.Made)
	}
	age := poll.Elapsed(f.At, s.Time)
	_, offline := s.Poll.Offline()
	f.Stale = !f.At.IsZero() && (offline || age > figuresFresh || age > figuresLate && s.Poll.Health().Link > kernel.Live)
	return f
}

// restsOnWallet reports whether what the wallet holds is part of a review.
func (s *Store) restsOnWallet(in kernel.Intent) bool {
	if _, ofHub := in.(ApproveRequest); ofHub {
		return false // Its figures are the hub's.
	}
	if run, ok := in.(RunPlan); ok {
		return run.Plan != nil && run.Plan.Kind.Danger() >= kernel.Money
	}
	_, moves := s.Preview(in)
	return moves
}

func (ev HistoryLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	s.History.loaded(ev)
	s.Insight.HistoryRead()
	return kernel.TopicHistory, nil
}

// LoadHistory requests the history of what was done.
type LoadHistory struct{}

func (LoadHistory) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicHistory, s.History.load()
}

// ForwardWrite sends a write that a person built elsewhere, under the key that it came
// with. Whether it is right is for the API to say; guardrails and the journal are
// asked as for any other.
type ForwardWrite struct {
	Kind OpKind
	// Card is empty where the write is about none; Amount is what it moves, USD.
	Card   api.CardID
	Amount api.USD
	// Name and Label are those of the card, or of the one to be issued.
	Name, Label string
	Write       api.Write
	Key         api.IdempotencyKey
	By          Actor
}

func (in ForwardWrite) Check(s *Store) kernel.Verdict {
	v := s.Writable(kernel.Money)
	if v.Reason == "" && s.Ops.DryRun() {
		v.Reason = s.Lang.T("a dry run sends nothing")
	}
	return v
}

func (in ForwardWrite) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	r := request{kind: in.Kind, card: in.Card, amount: in.Amount, name: in.Name, label: in.Label, write: in.Write, in: in, by: in.By}
	return kernel.TopicOps | kernel.TopicCards, s.Ops.beginAs(r, in.Key, "", "")
}
