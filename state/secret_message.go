package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/poll"
)

// Seq orders requests: a later one carries a larger number. An answer is
// dropped when something newer is already known.
type Seq = poll.Seq

// Effect is work the store asks for. Each says beside its type what it costs,
// what the user waits for, and what the store does when it brings nothing.
//
//sumtype:decl
type Effect interface{ effect() }

// Fetch is an effect that sends a request.
type Fetch interface {
	Effect
	// Cost is what the request is to the budget.
	Cost() Cost
}

// Awaited is an effect that the user may wait for.
type Awaited interface {
	Effect
	// Label says what the user waits for; empty when it is nothing. asked says
	// that a key led to the effect.
	Label(asked bool) string
}

// Cost is what a request is to the budget: which limit it counts against, how
// early it is refused, and the lane it is shown under.
type Cost struct {
	Kind     budget.Kind
	Priority budget.Priority
	Lane     string
}

type (
	// polled is an effect of a lane.
	polled interface {
		Fetch
		lane() (Lane, Seq)
	}
	// paged is an effect that reads a page of a list, from 1 on.
	paged interface{ page() int }
	// fallible is an effect outside the lanes whose failure changes something.
	fallible interface {
		failed(s *Store, f failure) Topic
	}
)

// failure is how a request brought nothing.
type failure struct {
	at   time.Time
	err  error
	wait time.Duration // that the server or the request budget asks for
	// deferred says that the request budget did not allow it.
	deferred bool
}

func polling(f polled, p budget.Priority) Cost {
	lane, _ := f.lane()
	return Cost{Priority: p, Lane: lane.String()}
}

// FetchCards reads one page of the card list: the most recently used when
// Hot, else by age, oldest first, so that pages never shift under the reader.
type FetchCards struct {
	Seq  Seq
	Hot  bool
	Page int
}

// FetchChallenges reads the pending 3DS challenges of all cards. Armed says
// that somebody waits for one at a checkout.
type FetchChallenges struct {
	Seq   Seq
	Armed bool
}

// FetchChallenge reads one challenge: its code when the list lacked it, or
// its outcome when it left the list.
type FetchChallenge struct{ Challenge api.ChallengeID }

// FetchTransactions reads one page of the feed, newest first, since From
// (UTC; zero for no bound). History marks the one-time reading of the past.
type FetchTransactions struct {
	Seq     Seq
	From    time.Time
	Page    int
	History bool
}

// FetchWallet reads the wallet's balance.
type FetchWallet struct{ Seq Seq }

// FetchDeposits reads the deposits.
type FetchDeposits struct{ Seq Seq }

// FetchSummary reads one card's summary. Ahead says that nobody waits for it
// yet, Limit that it is read for the card's limit.
type FetchSummary struct {
	Seq          Seq
	Card         api.CardID
	Ahead, Limit bool
}

// FetchCardTransactions reads one card's latest transactions.
type FetchCardTransactions struct {
	Seq  Seq
	Card api.CardID
}

// FetchOlder reads on into the past: one page, newest first, of what a card was
// used for up to To (UTC, included), or all cards for an empty id. Of a search
// only what it is for, not before From where that is set. Rest says that many
// pages are read while a person does other things.
type FetchOlder struct {
	Seq      Seq
	Card     api.CardID
	Search   Search
	From, To time.Time
	Page     int
	Rest     bool
}

// FetchTransaction reads one transaction in full.
type FetchTransaction struct {
	Seq         Seq
	Transaction api.TransactionID
}

// FetchBINs reads the BINs.
type FetchBINs struct{}

// FetchWebhooks reads the registered endpoints.
type FetchWebhooks struct{ Seq Seq }

// HoldSigning puts a signing secret into the vault, and on a dialog of its own.
type HoldSigning struct {
	Webhook api.WebhookID
	Secret  api.SigningSecret
}

// CopySigning puts the held signing secret on the clipboard.
type CopySigning struct {
	Seq     Seq
	Webhook api.WebhookID
	TTL     time.Duration
}

// WipeSigning makes the vault forget the signing secret.
type WipeSigning struct{}

// FetchAddresses reads where deposits go.
type FetchAddresses struct{ Seq Seq }

// FetchPins reads the deposit addresses that were seen before, from disk.
type FetchPins struct{}

// KeepPins keeps deposit addresses on disk. What another dashboard has kept of
// the same currency stays, unless a person took these for right.
type KeepPins struct {
	Pins    []Pin
	Trusted bool
}

// FetchDetails reads one card's sensitive details.
type FetchDetails struct {
	Seq  Seq
	Card api.CardID
}

// HoldDetails puts details into the vault.
type HoldDetails struct{ Details *api.CardDetails }

// Do sends an operation's write, with the operation's own idempotency key.
type Do struct{ Op Op }

// Forget tells the journal that an operation is over although no answer said
// so: a person dismissed it, or what was read since tells.
type Forget struct {
	Op Op
	// Fate is what is known of it: judged one way or the other, or dismissed,
	// which an empty one is too.
	Fate Fate
}

// SetDryRun tells the engine that writes are not to be sent, or that they are
// again.
type SetDryRun struct{ On bool }

// ShowRequest shows the write that would have been sent were it not a dry
// run, and the key it would have gone with.
type ShowRequest struct {
	Write *api.Write
	Name  string
	Kind  OpKind
	Key   api.IdempotencyKey
}

// CopyPlain puts text on the clipboard that is no secret.
type CopyPlain struct {
	Seq  Seq
	Text string
	TTL  time.Duration
}

// CopyDetail puts one field of the held details on the clipboard.
type CopyDetail struct {
	Seq   Seq
	Card  api.CardID
	Field Field
	TTL   time.Duration
}

// CopyCard puts parts of the held details on the clipboard, joined.
type CopyCard struct {
	Seq   Seq
	Card  api.CardID
	Parts []CopyPart
	TTL   time.Duration
}

// CopyOTP puts a challenge's code on the clipboard.
type CopyOTP struct {
	Seq       Seq
	Challenge api.ChallengeID
	OTP       api.OTP
	TTL       time.Duration
}

// WipeDetails makes the vault forget what it holds.
type WipeDetails struct{}

// FindRecording looks for what records the screen.
type FindRecording struct{}

// FindManagers looks for clipboard managers that keep what they see.
type FindManagers struct{}

// ShareUse tells the other programs that use the key what was spent, and
// hears what they did.
type ShareUse struct{}

// AdoptOperations takes over what dashboards that ended have left without an
// answer, and hears what all moved.
type AdoptOperations struct{}

// FetchHistory reads the history from disk.
type FetchHistory struct{}

// KeepPlan puts a plan on disk before its first row is sent.
type KeepPlan struct{ Plan *Plan }

// DropPlan takes a plan off the disk: nothing of it will be sent any more.
type DropPlan struct{ ID PlanID }

// FindPlans looks for plans that other runs left in the middle.
type FindPlans struct{}

// FetchSheet reads a file of cards to be issued.
type FetchSheet struct {
	Seq  Seq
	Path string
}

func (FetchSheet) effect()            {}
func (KeepPlan) effect()              {}
func (DropPlan) effect()              {}
func (FindPlans) effect()             {}
func (FetchCards) effect()            {}
func (FetchChallenges) effect()       {}
func (FetchChallenge) effect()        {}
func (FetchTransactions) effect()     {}
func (FetchWallet) effect()           {}
func (FetchDeposits) effect()         {}
func (FetchSummary) effect()          {}
func (FetchCardTransactions) effect() {}
func (FetchOlder) effect()            {}
func (FetchBINs) effect()             {}
func (FetchTransaction) effect()      {}
func (FetchWebhooks) effect()         {}
func (HoldSigning) effect()           {}
func (CopySigning) effect()           {}
func (WipeSigning) effect()           {}
func (FetchAddresses) effect()        {}
func (FetchPins) effect()             {}
func (KeepPins) effect()              {}
func (FetchDetails) effect()          {}
func (Do) effect()                    {}
func (Forget) effect()                {}
func (SetDryRun) effect()             {}
func (ShowRequest) effect()           {}
func (CopyPlain) effect()             {}
func (CopyDetail) effect()            {}
func (CopyCard) effect()              {}
func (CopyOTP) effect()               {}
func (HoldDetails) effect()           {}
func (WipeDetails) effect()           {}
func (ShareUse) effect()              {}
func (FindRecording) effect()         {}
func (FindManagers) effect()          {}
func (AdoptOperations) effect()       {}
func (FetchHistory) effect()          {}

// LaneName is the name of the lane that an effect polls; false for what is
// read only when it is needed.
func LaneName(e Effect) (string, bool) {
	p, ok := e.(polled)
	if !ok {
		return "", false
	}
	lane, _ := p.lane()
	return lane.String(), true
}
