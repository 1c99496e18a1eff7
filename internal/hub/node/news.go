package node

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// news is what the viewers of a reader have not been told.
type news struct {
	claims []hub.Claim
	asked  []hub.Asked
	work   bool // what is under way changed
}

func (n news) any() bool { return n.work || len(n.claims)+len(n.asked) > 0 }

// request takes a request for an approval, or that it waits no more.
func (m *mirror) request(i replica.Item) {
	told, waited := m.asked[i.ID]
	put(m.asked, i.ID, i)
	if now, waits := m.asked[i.ID]; waits {
		told, waited = now, true
	}
	if waited {
		m.news.asked = append(m.news.asked, hub.Asked(told))
	}
}

// take returns the lanes that are due and the news, and forgets them.
func (m *mirror) take() (lanes []poll.Lane, n news) {
	m.mu.Lock()
	defer m.mu.Unlock()
	lanes, n = slices.Sorted(maps.Keys(m.due)), m.news
	clear(m.due)
	m.news = news{}
	return lanes, n
}

// claimsNow are the claims that a leader begins with.
func (m *mirror) claimsNow() []hub.Claim {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []hub.Claim
	for _, c := range m.claims {
		all = append(all, hub.Claim(c))
	}
	return all
}

// rulesOff are the rules that a leader begins with off.
func (m *mirror) rulesOff() map[string]replica.RuleOff {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.off)
}

// workNow is what is under way at the hub that leads.
func (m *mirror) workNow() []hub.Work {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]hub.Work, 0, len(m.work))
	for _, id := range slices.Sorted(maps.Keys(m.work)) {
		all = append(all, hub.Work(m.work[id]))
	}
	return all
}

// tell makes lanes due, and tells the news, until done is closed.
func (m *mirror) tell(done <-chan struct{}, tell func(news)) {
	for {
		select {
		case <-done:
			return
		case <-m.wake:
		}
		lanes, n := m.take()
		if n.any() {
			tell(n)
		}
		if len(lanes) == 0 {
			continue
		}
		now := m.now()
		select {
		case m.events <- state.HubTold{Meta: kernel.Meta{Sent: now, At: now}, Lanes: lanes}:
		case <-done:
			return
		}
	}
}

// tell tells the viewers of this hub what is new at the one that leads.
func (n *Node) tell(ctx context.Context, is news) {
	r := n.reader.Load()
	if r == nil {
		return // Who reads later asks the hub that leads.
	}
	for _, c := range is.claims {
		if err := r.Claim(ctx, c); err != nil && ctx.Err() == nil {
			n.cfg.Log.Warn("a claim was not told", slog.Any("error", err))
		}
	}
	for _, a := range is.asked {
		r.Asked(a)
	}
	if !is.work {
		return
	}
	if err := r.WorkChanged(ctx); err != nil && ctx.Err() == nil {
		n.cfg.Log.Warn("what is under way was not told", slog.Any("error", err))
	}
}
