package node

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
)

const (
	// ageEvery is how often the others are told how old everything is.
	ageEvery = time.Second
	// snapshotEvery is how often the whole state is stored, for hubs that join.
	snapshotEvery = time.Minute
	// chunk is how many items a message has: a message of NATS has at most 1 MiB.
	chunk = 500
	// tryAgain is how long to wait after a message that was not stored.
	tryAgain = 200 * time.Millisecond
	// mostTxns is how many transactions are shared.
	mostTxns = 20_000
)

// sum tells two versions of an object apart.
type sum [sha256.Size]byte

// publisher tells the others what changed at the leader.
type publisher struct {
	out    *replica.Publisher
	mirror *mirror
	keys   *seal.Keys
	number uint64
	clock  func() time.Duration
	now    func() time.Time
	log    *slog.Logger
	wake   chan struct{} // holds a token when something waits

	mu    sync.Mutex
	queue []replica.Item
	added uint64        // how many items ever waited
	sent  uint64        // how many of them were published
	moved chan struct{} // is closed when more were
	begun bool

	// Of the goroutine that owns the store: what was told last.
	cards map[api.CardID]api.CardItem
	list  cardlist.List // that cards were told of
	txns  map[api.TransactionID]time.Time
	rest  map[place]sum
	asked map[string]replica.Asked   // that wait
	off   map[string]replica.RuleOff // that stay off
}

// place is an object that is few of its kind.
type place struct {
	kind replica.Kind
	id   string
}

// resume knows what leaders before have told.
func (p *publisher) resume(m *mirror) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.list = cardlist.List{}
	p.cards, p.txns, p.rest = make(map[api.CardID]api.CardItem, len(m.cards)), make(map[api.TransactionID]time.Time, len(m.txns)), make(map[place]sum)
	for id, c := range m.cards {
		p.cards[id] = c
	}
	for id, t := range m.txns {
		p.txns[id] = t.CreatedAt
	}
	for id := range m.codes {
		p.rest[place{replica.Code, id}] = sum{}
	}
	for id := range m.claims {
		p.rest[place{replica.Claimed, id}] = sum{}
	}
	for id := range m.work {
		p.rest[place{replica.Under, id}] = sum{}
	}
	for id := range m.asked {
		p.rest[place{replica.Waits, id}] = sum{}
	}
	for id := range m.off {
		p.rest[place{replica.Off, id}] = sum{}
	}
}

// follow finds what differs from what was told. It runs where the store is.
func (p *publisher) follow(st *state.Store, topics kernel.Topic) {
	if !p.begun {
		p.begun, topics = true, kernel.TopicAll
	}
	p.publish(func(add func(replica.Item, error)) { p.changed(st, topics, add) })
}

// publish publishes what a function finds.
func (p *publisher) publish(find func(add func(replica.Item, error))) {
	var items []replica.Item
	find(func(i replica.Item, err error) {
		if err != nil {
			p.log.Warn("a change is not told to the other hubs", slog.Any("error", err))
			return
		}
		items = append(items, i)
	})
	if len(items) == 0 {
		return
	}
	p.enqueue(items...)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *publisher) enqueue(items ...replica.Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue, p.added = append(p.queue, items...), p.added+uint64(len(items))
}

func (p *publisher) changed(st *state.Store, topics kernel.Topic, add func(replica.Item, error)) {
	if topics&(kernel.TopicCards|kernel.TopicOps) != 0 {
		p.followCards(st, add)
	}
	if topics&kernel.TopicFeed != 0 {
		p.followTxns(st, add)
	}
	if topics&kernel.TopicCodes != 0 {
		p.followCodes(st, add)
	}
	if topics&(kernel.TopicWallet|kernel.TopicCards|kernel.TopicOps) != 0 {
		if w, known := st.Wallets.Balance(); known {
			p.few("wallet", w, add)
		}
		for _, d := range st.Wallets.Deposits() {
			p.few(string(d.ID), d, add)
		}
	}
	if topics&kernel.TopicOps != 0 {
		p.followWork(st, add)
	}
	p.followAsked(add)
	p.followOff(add)
}

func (p *publisher) followCards(st *state.Store, add func(replica.Item, error)) {
	cards := st.Cards.All()
	for _, rows := range cards.Changed(&p.list) {
		for i := range rows {
			c := itemOf(&rows[i])
			if old, known := p.cards[c.ID]; known && old == c {
				continue
			}
			p.cards[c.ID] = c
			add(replica.Put(string(c.ID), c))
		}
	}
	p.list = cards.Share()
	if len(p.cards) == cards.Len() {
		return
	}
	for id := range p.cards {
		if _, there := st.Cards.Get(id); !there {
			delete(p.cards, id)
			add(replica.Item{Kind: replica.Listed, ID: string(id), Gone: true}, nil)
		}
	}
}

// itemOf is a card as lists have it.
func itemOf(r *cardlist.Row) api.CardItem {
	return api.CardItem{
		ID: r.ID, BIN: r.BIN(), Network: r.Network(), Last4: r.Last4.Text(), Status: r.Status(), Balance: r.Balance, Label: r.Label, NoLabel: r.NoLabel, CreatedAt: r.Created.Time(),
		ExpiresAt: r.Expires.Time(),
	}
}

func (p *publisher) followTxns(st *state.Store, add func(replica.Item, error)) {
	rows := st.Txns.All()
	for _, t := range rows[max(0, len(rows)-mostTxns):] {
		if _, known := p.txns[t.ID]; !known {
			p.txns[t.ID] = t.CreatedAt
			add(replica.Put(string(t.ID), t))
		}
	}
	if len(p.txns) <= mostTxns+mostTxns/4 {
		return
	}
	ids := make([]api.TransactionID, 0, len(p.txns))
	for id := range p.txns {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b api.TransactionID) int { return cmp.Or(p.txns[a].Compare(p.txns[b]), cmp.Compare(a, b)) })
	for _, id := range ids[:len(ids)-mostTxns] {
		delete(p.txns, id)
		add(replica.Item{Kind: replica.Transaction, ID: string(id), Gone: true}, nil)
	}
}

func (p *publisher) followCodes(st *state.Store, add func(replica.Item, error)) {
	there := make(map[string]bool)
	for _, c := range st.Codes.All() {
		there[string(c.ID)] = true
		ch := api.Challenge{ID: c.ID, CardID: c.Card, Merchant: c.Merchant, OTP: c.OTP, Status: c.Status, ExpiresAt: c.ExpiresAt, CreatedAt: c.CreatedAt}
		if c.AmountKnown {
			ch.Amount = &c.Amount
		}
		at, now := place{replica.Code, string(c.ID)}, sum(sha256.Sum256(c.OTP.Bytes()))
		if p.rest[at] != now {
			p.rest[at] = now
			add(replica.PutCode(p.keys, ch))
		}
	}
	for _, kind := range []replica.Kind{replica.Code, replica.Claimed} {
		p.forget(kind, func(id string) bool { return there[id] }, add)
	}
}

// few adds an object that is few of its kind when it changed.
func (p *publisher) few(id string, v any, add func(replica.Item, error)) {
	var i replica.Item
	var err error
	switch v := v.(type) {
	case api.Wallet:
		i, err = replica.Put(id, v)
	case api.Deposit:
		i, err = replica.Put(id, v)
	case replica.Work:
		i, err = replica.Put(id, v)
	}
	data, failed := json.Marshal(i)
	if err == nil {
		err = failed
	}
	at := place{i.Kind, id}
	if now := sum(sha256.Sum256(data)); err != nil || p.rest[at] != now {
		p.rest[at] = now
		add(i, err)
	}
}
