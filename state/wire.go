package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// wire says what hears of what, and to whom what comes is offered.
func (s *Store) wire() {
	kernel.Hear(s.Core, func(f kernel.PrivacyChanged) (kernel.Topic, []kernel.Effect) {
		s.Cards.numberCards()
		if !f.Hidden {
			return 0, nil
		}
		return s.Secrets.Hide()
	})
	kernel.Hear(s.Core, func(kernel.Locked) (kernel.Topic, []kernel.Effect) {
		s.Secrets.CancelWaiting()
		s.Secrets.EndReveal()
		s.Privacy.Disarmed(s.Codes.Checkout().Card)
		s.Codes.Disarm()
		var effects []kernel.Effect
		if s.Webhooks.Signing().Webhook != "" {
			effects = s.lockSigning()
		}
		return 0, append(effects, s.Secrets.Wipe()...)
	})
	kernel.Hear(s.Core, func(kernel.Unlocked) (kernel.Topic, []kernel.Effect) {
		s.Privacy.SayLost(s.Cards.name)
		return kernel.TopicNotice, nil
	})
	kernel.Hear(s.Core, func(bins.Changed) (kernel.Topic, []kernel.Effect) {
		s.Bulk.validateFile()
		return 0, nil
	})
	kernel.Hear(s.Core, func(f txns.PageRead) (kernel.Topic, []kernel.Effect) { return s.transactionsRead(f), nil })
	kernel.Hear(s.Core, func(f txns.Covered) (kernel.Topic, []kernel.Effect) {
		s.Insight.Cover(f.From, f.To)
		return 0, nil
	})
	kernel.Hear(s.Core, func(f txns.Trimmed) (kernel.Topic, []kernel.Effect) {
		s.Past.AddTrimmed(f.Rows)
		return 0, nil
	})
	kernel.Hear(s.Core, func(txns.Opened) (kernel.Topic, []kernel.Effect) { return s.Secrets.Hide() })
	kernel.Hear(s.Core, func(f txns.Wanted) (kernel.Topic, []kernel.Effect) { return 0, s.readAbout(f.ID) })
	kernel.Hear(s.Core, func(f txns.InFull) (kernel.Topic, []kernel.Effect) { return s.Insight.ExplainRead(f.ID), nil })
	kernel.Hear(s.Core, func(f txns.Unread) (kernel.Topic, []kernel.Effect) {
		return s.Insight.DeclineUnread(f.ID, f.Failure), nil
	})
	kernel.Hear(s.Core, func(f insight.Explained) (kernel.Topic, []kernel.Effect) { return s.Alerts.Explained(f.Explained), nil })
	kernel.Hear(s.Core, func(codes.Changed) (kernel.Topic, []kernel.Effect) { return s.Secrets.FollowUp() })
	kernel.Hear(s.Core, func(secrets.Hidden) (kernel.Topic, []kernel.Effect) {
		s.Webhooks.HideSigning()
		return 0, nil
	})
	kernel.Hear(s.Core, func(f webhooks.Read) (kernel.Topic, []kernel.Effect) { return s.webhooksRead(f.Seq) })
	kernel.Hear(s.Core, func(f webhooks.Unread) (kernel.Topic, []kernel.Effect) {
		s.Push.Unlisted(errtext.Explain(s.Lang, f.Err), s.Time)
		return 0, nil
	})
	s.features = s.rooms()
}

// rooms are the parts that intents, events and effects belong to.
func (s *Store) rooms() kernel.Features {
	return kernel.Features{
		kernel.Room[*Store]{Table: s},
		kernel.Room[*kernel.Privacy]{Table: s.Privacy},
		kernel.Room[*kernel.Notices]{Table: s.Notices},
		kernel.Room[*alerts.Table]{Table: s.Alerts},
		kernel.Room[*bins.Table]{Table: s.BINs},
		kernel.Room[*codes.Table]{Table: s.Codes},
		kernel.Room[*commands.Table]{Table: s.Commands},
		kernel.Room[*insight.Table]{Table: s.Insight},
		kernel.Room[*secrets.Table]{Table: s.Secrets},
		kernel.Room[*txns.Table]{Table: s.Txns},
		kernel.Room[*txns.Past]{Table: s.Past},
		kernel.Room[*views.Table]{Table: s.Views},
		kernel.Room[*wallets.Table]{Table: s.Wallets},
		kernel.Room[*webhooks.Table]{Table: s.Webhooks},
	}
}

// withFacts has the facts heard that were told.
func (s *Store) withFacts(topics kernel.Topic, effects []kernel.Effect) (kernel.Topic, []kernel.Effect) {
	t, e := s.Settle()
	return topics | t, append(effects, e...)
}

// Touch records that the user is there, and reports whether they find a screen that hid itself meanwhile: what they
// touched was meant for that and for nothing below it.
func (s *Store) Touch(now time.Time) (woke bool, changed kernel.Topic) {
	woke, changed = s.Privacy.Touch(now)
	changed, s.Wants = s.withFacts(changed, s.Wants)
	return woke, changed
}

// lockSigning removes the signing secret because of the lock, which is said after
// the unlock if it was not used: it is not readable again.
func (s *Store) lockSigning() []kernel.Effect {
	if g := s.Webhooks.Signing(); !g.Used && g.URL != "" {
		s.Privacy.Lost(webhooks.Name(string(g.URL)))
	}
	return s.Webhooks.DropSigning()
}

// Notice is the current notice; its text is empty when there is none.
func (s *Store) Notice() kernel.Notice {
	n := s.Notices.Current()
	n.Text = s.Privacy.Display().Sentence(n.Text)
	return n
}

// Lasting is the oldest notice that stays until it is put away, and how many
// there are.
func (s *Store) Lasting() (n kernel.Notice, all int) {
	n, all = s.Notices.Lasting()
	if all > 0 && s.Privacy.Private() { // It names a card, perhaps as it was called before.
		n.Text = s.Lang.T("the result of an unconfirmed write is hidden")
	}
	return n, all
}

// sentence joins what there is to say.
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// insightNeeds are what insight uses of others.
func (s *Store) insightNeeds() insight.Needs {
	return insight.Needs{
		Notices: s.Notices, Lanes: s.Poll, BINs: s.BINs, Wallet: s.Wallets, Txns: s.Txns, Limits: s.Limits, History: s.History,
		Cards: s.Cards.table, Total: s.Cards.Total, StatusChanges: s.Cards.StatusChanges, Inspected: s.Info.Card, Challenges: s.Codes.About,
		Settings: func(id api.CardID) (*api.USD, *[]api.Text) {
			known := s.Info.Settings(id)
			return known.Limit, known.Categories
		},
		Summary: func(seq poll.Seq, id api.CardID) kernel.Effect {
			return FetchSummary{Seq: seq, Card: id, Ahead: true, Campaign: true}
		},
		Moved: func(since time.Time) (map[api.IdempotencyKey]guard.Moved, time.Time) {
			others, _ := s.Others.movedByAll()
			return s.History.movedLately(since, others)
		},
	}
}

// transactionsRead adds a page of the feed: why declines were, what is news, what raises an alert.
func (s *Store) transactionsRead(page txns.PageRead) kernel.Topic {
	topics := s.Insight.AddDeclines(page.Items)
	for i := range page.Fresh {
		t := &page.Fresh[i]
		s.News.ReportTransaction(t)
		if t.Type == api.TransactionDecline && s.Alerts.Rules().Declines {
			s.Insight.ReadSoon(*t)
		}
		topics |= s.Alerts.Used(*t)
	}
	return topics
}

// readAbout requests what explains why a transaction was declined, besides itself: its
// card's expiry and limit, and the maximum of its BIN.
func (s *Store) readAbout(id api.TransactionID) []kernel.Effect {
	t, ok := s.Txns.Get(id)
	if !ok || t.Type != api.TransactionDecline {
		return nil
	}
	s.Insight.AddDeclines([]api.Transaction{t})
	effects := s.BINs.Load(false)
	if _, known := s.Info.summaryOf(t.CardID); !known {
		effects = append(effects, FetchSummary{Seq: s.NextSeq(), Card: t.CardID, Ahead: true})
	}
	return effects
}

// webhooksRead settles operations by the list of webhooks, and registers the own one.
func (s *Store) webhooksRead(seq poll.Seq) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.resolveDeletions(seq)
	before := s.Ops.PendingCount()
	effects = append(effects, listPush(s)...)
	if s.Ops.PendingCount() != before {
		topics |= kernel.TopicOps | kernel.TopicNotice
	}
	return topics, effects
}
