// Package state is the store: what is known of the account, and what the user
// has asked for. It is pure: no I/O, no clock, no goroutine, so that all it
// decides can be replayed. It is not safe for concurrent use: one loop owns it.
//
// Intents go in: what the user wants, bound to the id it was asked for. Ask and
// Check say whether an intent can be done and what it can cost, Dispatch starts
// it. Events go in by Apply: the results of effects. The time goes in by Tick.
// Effects come out of all three: requests and other work for the engine, each
// with a sequence by which late answers are dropped.
//
// A Store is a struct of tables, each with its own methods; see Store for their
// order. A table does not know the Store. An intent, an effect or an event is a
// type beside the table it is about, or above it where its handler needs the Store.
// store.go has the interfaces of intents and events, package kernel what the tables share and
// what an effect is, tick.go what is due and how events are merged. Read them in this
// order: store.go, kernel, a table such as card.go with its card_*.go, then op.go and
// ops.go, which every write goes through, then bulk_plan.go and bulk_batch.go.
//
// What needs no table is in packages below this one, such as config, poll, cardlist,
// txnlist, alert, rule and display.
package state

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Store holds all tables, one for each part. The zero value is not ready; see
// New. A table refers only to those above it in this list, and uses them by their
// methods.
type Store struct {
	*kernel.Core
	Requests *requestlog.Log
	Notices  *kernel.Notices
	Privacy  *kernel.Privacy
	BINs     *bins.Table
	Views    *views.Table
	History  *HistoryTable
	Cards    *CardsTable
	News     *kernel.News
	Poll     *kernel.Lanes
	Push     *PushTable
	Others   *OthersTable
	Wallets  *wallets.Table
	Webhooks *webhooks.Table
	Limits   *LimitsTable
	Txns     *txns.Table
	Info     *InfoTable
	Past     *txns.Past
	Codes    *codes.Table
	Insight  *insight.Table
	Alerts   *alerts.Table
	Secrets  *secrets.Table
	Ops      *OpsTable
	Commands *commands.Table
	Bulk     *BulkTable
	Rules    *RulesTable

	// features are those parts that intents, events and effects belong to.
	features kernel.Features
}

// New returns an empty store.
func New(cfg settings.Config) *Store {
	cfg.Reloadable = cfg.WithDefaults()
	c := &kernel.Core{Cfg: cfg, Lang: lang.For(cfg.Language, cfg.Locale), Team: &team.Table{}}
	s := &Store{Core: c}
	s.Requests = &requestlog.Log{}
	s.Notices = &kernel.Notices{Core: c}
	s.Privacy = kernel.NewPrivacy(c, s.Notices, cfg.Screen)
	s.BINs = &bins.Table{Core: c}
	s.Views = views.New(c, s.Notices, cfg.Views)
	s.History = &HistoryTable{Core: c}
	s.Cards = newCardsTable(c, s.Privacy, s.Notices)
	s.News = kernel.NewNews(c, s.Cards.named)
	s.Poll = kernel.NewLanes(c, s.Privacy)
	s.Push = newPushTable(c, s.Poll)
	s.Others = &OthersTable{Core: c}
	s.Wallets = wallets.New(c, wallets.Needs{Notices: s.Notices, News: s.News, Lanes: s.Poll})
	s.Webhooks = &webhooks.Table{Core: c, Notices: s.Notices}
	s.Limits = &LimitsTable{Core: c, cards: s.Cards, poll: s.Poll}
	s.Info = &InfoTable{Core: c, cards: s.Cards, poll: s.Poll}
	s.Txns = txns.New(c, txns.Needs{
		Notices: s.Notices, Lanes: s.Poll, Inspected: s.Info, Months: s.Limits, Found: func() []api.Transaction { return s.Past.Found().Rows },
	})
	s.Past = txns.NewPast(s.Txns)
	s.Codes = codes.New(c, codes.Needs{
		Notices: s.Notices, News: s.News, Lanes: s.Poll, Cards: s.Cards,
		Locked: s.Privacy.Locked, Copies: func() bool { return !s.Secrets.ClipMissing() }, Transactions: s.Txns.All, Funds: func(id api.CardID) cart.Funds { return s.Insight.Funds(id) }, Cart: s.cartOf,
	})
	s.Insight = insight.New(c, s.insightNeeds())
	s.Alerts = alerts.New(c, alerts.Needs{Notices: s.Notices, News: s.News, Lanes: s.Poll, Cards: s.Cards, Wallet: s.Wallets, Limits: s.Limits, Spend: s.Insight})
	s.Secrets = secrets.New(c, secrets.Needs{
		Privacy: s.Privacy, Notices: s.Notices, Lanes: s.Poll, Cards: s.Cards, Codes: s.Codes, Wallets: s.Wallets, Webhooks: s.Webhooks,
	})
	s.Ops = &OpsTable{
		Core: c, notices: s.Notices, bins: s.BINs, history: s.History, cards: s.Cards, news: s.News, poll: s.Poll, others: s.Others,
		wallet: s.Wallets, webhooks: s.Webhooks, txns: s.Txns, info: s.Info, dry: cfg.DryRun,
		undos: make(map[OpID]*undo),
	}
	s.Commands = commands.New(c, commands.Needs{
		Privacy: s.Privacy, Notices: s.Notices, Card: s.Cards.Get, Expiry: s.Info.Expiry, Transaction: s.Txns.Get, DryRun: s.Ops.DryRun,
	})
	s.Bulk = &BulkTable{Core: c, notices: s.Notices, bins: s.BINs, cards: s.Cards, poll: s.Poll, wallet: s.Wallets, ops: s.Ops}
	s.Rules = &RulesTable{Core: c, notices: s.Notices, history: s.History, cards: s.Cards, poll: s.Poll, others: s.Others, wallet: s.Wallets, spend: s.Insight, alerts: s.Alerts, ops: s.Ops, bulk: s.Bulk}
	s.wire()
	s.Rules.reload()
	if cfg.Background {
		s.Poll.SetAttention(poll.Background, c.Time)
	}
	return s
}

// Reloadable returns the settings in force.
func (s *Store) Reloadable() settings.Reloadable { return s.Cfg.Reloadable }

// What some intents say besides.
type (
	// bound is an intent about one card.
	bound interface{ About() api.CardID }
	// mover is an intent that may move an amount, USD.
	mover interface{ Moves() (api.USD, bool) }
	// labelled is an intent whose label guardrails check.
	labelled interface {
		LabelIn(of func(api.CardID) string) string
	}
	// waiter is an intent that may be refused while the API does not answer: it
	// must not act later. Freezing may: it only makes cards safer.
	waiter interface{ WaitsForAPI() bool }
	// ranked is an intent that not every role of a team may ask for.
	ranked interface{ Least() team.Role }
	// lockable is an intent that a locked screen allows.
	lockable interface{ WhileLocked() }
)

// transactions is an event that brings some, whatever they were read for.
type transactions interface{ Transactions() []api.Transaction }

// Check reports whether an intent can be done now, why not, and what it can
// cost. It changes nothing.
func (s *Store) Check(in kernel.Intent) kernel.Verdict {
	if why := refusedByRole(s.Core, in); why != "" {
		return kernel.Verdict{Reason: why}
	}
	v := s.notOffline(in, s.checkAlone(in))
	if v.Reason == "" && v.Danger >= kernel.Money {
		v.Again, v.TypeTwice = s.confirmTwice(in)
		v.UnknownStatus, v.Expired = doubts(s, in)
		v.Again = sentence(v.UnknownStatus, sentence(v.Expired, v.Again))
	}
	return v
}

// checkAlone is Check without what guardrails confirm and what being offline
// refuses.
func (s *Store) checkAlone(in kernel.Intent) kernel.Verdict {
	v, _ := s.features.Check(in)
	return v
}

// Ask reports whether the user may be asked for the particulars of an intent:
// what Check says before any of them is known.
func (s *Store) Ask(in kernel.Intent) kernel.Verdict {
	if why := cmp.Or(s.refusedByPrivacy(in), refusedByRole(s.Core, in)); why != "" {
		return kernel.Verdict{Reason: why}
	}
	if v, mine := s.features.Ask(in); mine {
		return s.notOffline(in, v)
	}
	return s.Check(in)
}

// Dispatch starts what an intent asks for. What Check would refuse is
// refused here too.
func (s *Store) Dispatch(in kernel.Intent) (kernel.Topic, []kernel.Effect, error) {
	if why := cmp.Or(s.refusedByPrivacy(in), refusedByRole(s.Core, in)); why != "" {
		return 0, nil, errors.New(why)
	}
	if v := s.Check(in); v.Reason != "" {
		return 0, nil, errors.New(v.Reason)
	}
	if moved, ok := AmountOf(in); ok && moved <= 0 {
		return 0, nil, errors.New(s.TooLittle())
	}
	if _, many := in.(Writes); many {
		return 0, nil, errNotPlanned
	}
	topics, effects, err := s.start(in)
	if err != nil {
		return 0, nil, err
	}
	topics, effects = s.withFacts(topics, effects)
	return topics, effects, nil
}

// start begins the operation of a write, and has a feature do any other intent.
func (s *Store) start(in kernel.Intent) (kernel.Topic, []kernel.Effect, error) {
	if w, ok := in.(writer); ok {
		r, err := s.Ops.buildRequest(w)
		if err != nil {
			return 0, nil, errors.New(errtext.Explain(s.Lang, err))
		}
		topics, effects := s.begin(r)
		return topics, effects, nil
	}
	topics, effects, mine := s.features.Start(in)
	if !mine {
		return 0, nil, fmt.Errorf("no feature has the intent %T", in)
	}
	return topics, effects, nil
}

// refusedByPrivacy is why an intent is refused on a locked screen, or on one
// that hides what it would show; empty when it is not.
func (s *Store) refusedByPrivacy(in kernel.Intent) string {
	if _, always := in.(lockable); always {
		return ""
	}
	if s.Privacy.Locked() {
		return s.LockedReason()
	}
	if !s.Privacy.Private() {
		return ""
	}
	return s.features.Hidden(in)
}

// refusedByRole is why the user's role on a hub may not do what an intent asks for; empty
// when it may, or there is no hub.
func refusedByRole(c *kernel.Core, in kernel.Intent) string {
	r, ok := in.(ranked)
	if !ok || c.Team.May(r.Least()) {
		return ""
	}
	you, _ := c.Team.You()
	return c.Lang.Tf("this needs the role %s: you are %s", r.Least().String(), you.Role.String())
}

// notOffline refuses what would wait while nothing answers, and act later. A
// dry run sends nothing.
func (s *Store) notOffline(in kernel.Intent, v kernel.Verdict) kernel.Verdict {
	if v.Reason != "" || s.Ops.DryRun() || !waitsForAPI(in) {
		return v
	}
	if since, offline := s.Poll.Offline(); offline {
		v.Reason = s.OfflineSince(since)
	}
	return v
}

// waitsForAPI reports whether an intent may be refused while the API does not
// answer.
func waitsForAPI(in kernel.Intent) bool {
	w, ok := in.(waiter)
	return ok && w.WaitsForAPI()
}

// AmountOf is what an intent would move, USD; false when it moves nothing.
func AmountOf(in kernel.Intent) (api.USD, bool) {
	if m, ok := in.(mover); ok {
		return m.Moves()
	}
	return 0, false
}

// CardOf is the card that an intent is bound to; false when it is bound to
// none.
func CardOf(in kernel.Intent) (api.CardID, bool) {
	if b, ok := in.(bound); ok {
		return b.About(), KindOf(in) != OpIssue
	}
	return "", false
}

// confirmTwice is why an intent is confirmed a second time, and whether its
// amount is typed a second time; empty when once is enough.
func (s *Store) confirmTwice(in kernel.Intent) (why string, typeTwice bool) {
	if rows, sum, many := s.Bulk.rowsOf(in); many {
		return s.Cards.confirmManyTwice(rows, sum)
	}
	g := s.Cfg.Guard
	label := labelOf(in, s.Cards.label)
	for _, pattern := range g.ConfirmLabels {
		if guard.Match(pattern, label) {
			why = s.Lang.Tf("the label matches “%s”, which the guardrails confirm twice", string(api.Clean(pattern)))
			break
		}
	}
	if w, ok := in.(Write); ok && why == "" && w.Kind == OpFund && s.Team.Asked(w.Card, w.Amount) {
		why = s.Lang.T("you asked for the same before: that waits for a lead")
	}
	if amount, moves := AmountOf(in); moves && g.Live && amount >= g.TypeTwice {
		typeTwice = true
		if why != "" {
			why += "; "
		}
		why += s.Lang.Tf("LIVE: amounts from %s on are typed twice", s.Lang.Dollars(g.TypeTwice))
	}
	return why, typeTwice
}

// doubts are UnknownStatus of the card that an intent moves money of, or ends, and
// ExpiredText of the one that it funds.
func doubts(s *Store, in kernel.Intent) (unknownStatus, expired string) {
	id, _ := CardOf(in)
	funds := false
	switch in := in.(type) {
	case Write:
		funds = in.Kind == OpFund
	case FillCard:
		funds = true
	case ApproveRequest:
		r, _ := s.Team.Request(in.ID)
		id, funds = r.Card, string(r.Operation) == OpFund.String()
	default:
	}
	if funds {
		expired = s.Cards.ExpiredText(id)
	}
	return s.Cards.UnknownStatus(id), expired
}

// errNotPlanned refuses an intent on many cards that was not made a plan of.
var errNotPlanned = errors.New("many cards at once are planned first")

// labelOf is the label that an intent is about, where guardrails check it; empty else.
// of is the label of a card.
func labelOf(in kernel.Intent, of func(api.CardID) string) string {
	if l, ok := in.(labelled); ok {
		return l.LabelIn(of)
	}
	return ""
}

// Preview returns what moving an amount (USD) would do, by the balances last
// read in this run; ok is false while the wallet or the card is not known.
func (s *Store) Preview(in kernel.Intent) (p Preview, ok bool) {
	switch in := in.(type) {
	case Write:
		amount, _ := in.Moves()
		return s.Ops.preview(in.Kind, in.Card, amount)
	case ApproveRequest:
		return in.preview(s)
	default:
		return Preview{}, false
	}
}

// Problems lists what is wrong with the particulars of a new card or of a
// change, all at once, so that a form can show each at its field. It is empty
// for other intents; Check decides.
func (s *Store) Problems(in kernel.Intent) []Problem {
	switch in := in.(type) {
	case Write:
		switch in.Kind {
		case OpIssue:
			return s.issueProblems(in.request())
		case OpUpdate:
			return s.updateProblems(in)
		default:
			return nil
		}
	case CreateWebhook:
		return webhookProblems(s.Lang, in)
	default:
		return nil
	}
}

// cartOf returns what is known of paying an amount with a card, USD; 0 for an amount that is
// not known.
func (s *Store) cartOf(id api.CardID, amount api.USD) cart.Facts {
	c, _ := s.Cards.Get(id)
	f := cart.Facts{Amount: amount, Funds: s.Insight.Funds(id), Frozen: c.Status == api.CardFrozen, Expired: c.Expired}
	if limit := s.Info.Settings(id).Limit; limit != nil && s.Limits.MonthRead() {
		f.Limit, f.Month = *limit, c.Month
	}
	if bin, ok := s.BINs.Get(c.BIN); ok {
		f.Maximum = kernel.OrZero(bin.MaxTransaction)
	}
	return f
}

// Busy reports whether leaving now would leave something open or cut it off.
func (s *Store) Busy() bool {
	return s.Ops.PendingCount() > 0 || s.Bulk.Unfinished()+s.Bulk.Later() > 0 || len(s.Commands.Running()) > 0
}
