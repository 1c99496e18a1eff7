package node

import (
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// mirror is what the hub that leads has read, as the replica tells it. It may be used
// from several goroutines.
type mirror struct {
	keys *seal.Keys
	now  func() time.Time
	// events make a reader's lanes due.
	events chan kernel.Event
	// heard is closed when a leader has told anything.
	heard     chan struct{}
	heardOnce sync.Once

	mu       sync.Mutex
	cards    map[api.CardID]api.CardItem
	fresh    fresh
	txns     map[api.TransactionID]api.Transaction
	codes    map[string]replica.Item    // with sealed codes
	claims   map[string]replica.Claim   // by challenge
	work     map[string]replica.Work    // by operation
	asked    map[string]replica.Asked   // by request
	off      map[string]replica.RuleOff // by rule
	news     news
	deposits map[string]api.Deposit
	wallet   *api.Wallet
	used     map[api.CardID]time.Time // when a card's newest transaction was made
	ages     ageing
	due      map[poll.Lane]bool
	wake     chan struct{} // holds a token when something is due
}

func newMirror(keys *seal.Keys, clock func() time.Duration, now func() time.Time) *mirror {
	return &mirror{
		keys: keys, now: now, events: make(chan kernel.Event), heard: make(chan struct{}),
		cards: make(map[api.CardID]api.CardItem), txns: make(map[api.TransactionID]api.Transaction), codes: make(map[string]replica.Item),
		claims: make(map[string]replica.Claim), work: make(map[string]replica.Work), asked: make(map[string]replica.Asked),
		off:      make(map[string]replica.RuleOff),
		deposits: make(map[string]api.Deposit), used: make(map[api.CardID]time.Time), ages: ageing{clock: clock, now: now},
		due: make(map[poll.Lane]bool), wake: make(chan struct{}, 1),
	}
}

// changed takes what the replica tells. What cannot be decoded is of a later version:
// it is left out.
func (m *mirror) changed(items []replica.Item) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, i := range items { // Before the cards: they say which were used last.
		if i.Kind == replica.Transaction {
			m.txn(i)
		}
	}
	for _, i := range items {
		m.item(i)
	}
	if len(m.due) > 0 || m.news.any() {
		select {
		case m.wake <- struct{}{}:
		default:
		}
	}
}

func (m *mirror) item(i replica.Item) {
	switch i.Kind {
	case replica.Listed:
		m.card(i)
	case replica.Code:
		if m.codes[i.ID] = i; i.Gone {
			delete(m.codes, i.ID)
		}
		m.due[poll.Codes] = true
	case replica.Deposit:
		m.due[poll.Deposits] = put(m.deposits, i.ID, i) || m.due[poll.Deposits]
	case replica.Wallet:
		if w, err := replica.Get[api.Wallet](i); err == nil {
			m.wallet = &w
			m.due[poll.Wallet] = true
		}
	case replica.Claimed:
		if put(m.claims, i.ID, i) && !i.Gone {
			m.news.claims = append(m.news.claims, hub.Claim(m.claims[i.ID]))
		}
	case replica.Under:
		m.news.work = put(m.work, i.ID, i) || m.news.work
	case replica.Off:
		put(m.off, i.ID, i)
	case replica.Waits:
		m.request(i)
	case replica.Age:
		if a, err := replica.Get[replica.Ages](i); err == nil {
			m.ages.told(a)
			m.heardOnce.Do(func() { close(m.heard) })
		}
	default:
	}
}

// put stores the object of an item, or removes it.
func put[K ~string, V replica.Shared](into map[K]V, id K, i replica.Item) bool {
	if i.Gone {
		delete(into, id)
		return true
	}
	v, err := replica.Get[V](i)
	if err == nil {
		into[id] = v
	}
	return err == nil
}

func (m *mirror) card(i replica.Item) {
	id := api.CardID(i.ID)
	put(m.cards, id, i)
	m.due[poll.Hot] = true
	if i.Gone {
		m.due[poll.Sweep] = true // Only the whole list shows that.
		return
	}
	m.fresh.add(id)
}

func (m *mirror) txn(i replica.Item) {
	id := api.TransactionID(i.ID)
	if !put(m.txns, id, i) {
		return
	}
	if t := m.txns[id]; t.CreatedAt.After(m.used[t.CardID]) {
		m.used[t.CardID] = t.CreatedAt
	}
	m.due[poll.Feed], m.due[poll.Hot] = true, true
}

// clocks is how far this hub's wall clock is ahead of those of the hubs that led: any two may
// differ by any amount. Who leads tells its own with each renewal of its lease, signed.
type clocks struct {
	keys *seal.Keys
	now  func() time.Time

	mu    sync.Mutex
	ahead map[uint64]time.Duration // by the number of the lease
}

// clocksKept is of how many leases the clock is known.
const clocksKept = 16

func newClocks(keys *seal.Keys, now func() time.Time) *clocks {
	return &clocks{keys: keys, now: now, ahead: make(map[uint64]time.Duration)}
}

func aboutClock(number uint64) string { return fmt.Sprint("clock of lease ", number) }

// tell returns what the holder of a lease says of its clock.
func (c *clocks) tell(number uint64) string {
	text, err := c.now().UTC().MarshalText()
	if err != nil { // A year of five digits.
		return ""
	}
	return base64.StdEncoding.EncodeToString(c.keys.Sign(text, aboutClock(number)))
}

// told takes what the holder of a lease says. What was least delayed is right.
func (c *clocks) told(number uint64, note string) {
	signed, err := base64.StdEncoding.DecodeString(note)
	if err != nil {
		return
	}
	text, err := c.keys.Verify(signed, aboutClock(number))
	if err != nil {
		return
	}
	var at time.Time
	if at.UnmarshalText(text) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ahead := c.now().Sub(at)
	if known, ok := c.ahead[number]; ok {
		ahead = min(known, ahead)
	}
	c.ahead[number] = ahead
	for len(c.ahead) > clocksKept {
		oldest := number
		for n := range c.ahead {
			oldest = min(oldest, n)
		}
		delete(c.ahead, oldest)
	}
}

// here returns a time of the hub that had a lease by this hub's clock. A clock of which
// nothing is known is taken for right.
func (c *clocks) here(number uint64, at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return at.Add(c.ahead[number])
}

// earliest returns the earliest that one of those hubs may call what is this time by this hub's clock.
func (c *clocks) earliest(at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	var most time.Duration
	for _, ahead := range c.ahead {
		most = max(most, ahead)
	}
	return at.Add(-most)
}
