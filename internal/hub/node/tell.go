package node

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// run publishes what waits, and how old it is, until ctx ends.
func (p *publisher) run(ctx context.Context, s *hub.Server) {
	began, stored, ready := p.clock(), time.Duration(0), false
	tick := time.NewTicker(ageEvery)
	defer tick.Stop()
	var storing sync.WaitGroup
	defer storing.Wait()
	over := make(chan struct{}, 1)
	over <- struct{}{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-tick.C:
			select {
			case <-s.Ready():
				ready = true
				p.mend(ctx, s)
				p.addAges(ctx, s, began)
			default:
			}
		}
		if !p.flush(ctx) {
			return
		}
		up := p.clock() - began
		if !ready || stored != 0 && up-stored <= snapshotEvery {
			continue
		}
		select {
		case <-over:
			stored = up
			storing.Go(func() { p.store(ctx); over <- struct{}{} })
		default: // The one before is not stored yet.
		}
	}
}

// store stores the state for hubs that join. That takes seconds with 100,000 cards, and
// no change waits for it.
func (p *publisher) store(ctx context.Context) {
	if err := p.out.Snapshot(ctx); err != nil && ctx.Err() == nil {
		p.log.Warn("the state was not stored for hubs that join", slog.Any("error", err))
	}
}

// mend tells anew what the servers lost, from what this hub has read of it as the others
// have.
func (p *publisher) mend(ctx context.Context, s *hub.Server) {
	if !p.out.Misses() {
		return
	}
	p.log.Warn("the NATS servers have lost what the other hubs were told: it is told again")
	err := s.Look(ctx, func(st *state.Store) {
		p.resume(p.mirror)
		p.follow(st, kernel.TopicAll)
	})
	if err == nil { // Otherwise it ends.
		p.out.Mend()
	}
}

// addAges adds how old everything is, behind what changed until then.
func (p *publisher) addAges(ctx context.Context, s *hub.Server, began time.Duration) {
	a := replica.Ages{Leader: p.number, Lanes: make(map[string]time.Duration)}
	err := s.Look(ctx, func(st *state.Store) {
		a.At, a.Up = p.now().UTC(), p.clock()-began
		for _, lane := range lanes() {
			a.Lanes[laneName(lane)] = max(0, a.At.Sub(st.Poll.OKAt(lane)))
		}
		past := st.Past.State("")
		a.Back, a.All = past.Back, past.End
		if rows := st.Txns.All(); len(rows) > mostTxns {
			a.Back, a.All = rows[len(rows)-mostTxns].CreatedAt, false
		}
	})
	if err != nil {
		return // It ends.
	}
	i, err := replica.Put("leader", a)
	if err != nil {
		p.log.Warn("the other hubs are not told how old everything is", slog.Any("error", err))
		return
	}
	p.enqueue(i)
}

// flush publishes what waits; false when ctx ended before. What may have been stored
// already is published again: that changes nothing.
func (p *publisher) flush(ctx context.Context) bool {
	p.mu.Lock()
	items := p.queue
	p.queue = nil
	p.mu.Unlock()
	for part := range slices.Chunk(items, chunk) {
		for {
			try, cancel := context.WithTimeout(ctx, 2*time.Second)
			err := p.out.Publish(try, part...)
			cancel()
			if err == nil {
				p.published(len(part))
				break
			}
			p.log.Warn("changes were not told to the other hubs", slog.Any("error", err))
			select {
			case <-ctx.Done():
				return false
			case <-time.After(tryAgain):
			}
		}
	}
	return true
}

func (p *publisher) published(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent += uint64(n)
	if p.moved != nil {
		close(p.moved)
		p.moved = nil
	}
}

// told returns when all that waited until now was published.
func (p *publisher) told(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for until := p.added; p.sent < until; {
		if p.moved == nil {
			p.moved = make(chan struct{})
		}
		moved := p.moved
		p.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
		}
		p.mu.Lock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

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
