package bustest

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
)

// Hubs is all that several hubs share.
type Hubs struct {
	register, secret, asked Bus

	mu        sync.Mutex
	news      [][]byte
	grown     chan struct{} // is closed when there is more news
	snapshot  []byte
	listeners map[string]*listener
	seen      [][]byte
}

// listener is a hub that answers others.
type listener struct {
	f     func([]byte) []byte
	fault func(call string) Fault
}

// NewHubs returns what hubs share that have not begun.
func NewHubs() *Hubs {
	return &Hubs{grown: make(chan struct{}), listeners: make(map[string]*listener)}
}

// Connect returns a hub's connection to all of it; nil faults are none. Its calls are also publish, follow, save,
// snapshot, ask and answer.
func (h *Hubs) Connect(fault func(call string) Fault) cluster.Bus {
	conn := h.register.Connect(fault)
	c := hubConn{h, conn.fault}
	return cluster.Bus{
		Register: conn, Log: conn, Secret: h.secret.Connect(fault), Asked: h.asked.Connect(fault), Feed: feed{c}, Snapshots: snapshots{c}, Line: line{c},
	}
}

// Seen returns all that was told and asked on the bus.
func (h *Hubs) Seen() [][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.seen)
}

type hubConn struct {
	hubs  *Hubs
	fault func(call string) Fault
}

// passes waits as long as a call is under way, and returns why it does not arrive.
func (c hubConn) passes(ctx context.Context, name string) error {
	switch f := c.fault(name); {
	case f.Refused:
		return ErrDown
	case f.LoseRequest, f.LoseAnswer:
		ctx, cancel := context.WithTimeout(ctx, gaveUp)
		defer cancel()
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

type feed struct{ hubConn }

func (c feed) Publish(ctx context.Context, data []byte) (uint64, error) {
	if err := c.passes(ctx, "publish"); err != nil {
		return 0, err
	}
	h := c.hubs
	h.mu.Lock()
	defer h.mu.Unlock()
	data = bytes.Clone(data)
	h.news, h.seen = append(h.news, data), append(h.seen, data)
	close(h.grown)
	h.grown = make(chan struct{})
	return uint64(len(h.news)), nil
}

func (c feed) Read(ctx context.Context, after uint64, call func(uint64, []byte) error) error {
	h := c.hubs
	for told := false; ctx.Err() == nil; {
		if f := c.fault("follow"); f.Refused || f.LoseRequest { // A connection that is down ends it.
			return ErrDown
		}
		h.mu.Lock()
		news, grown := h.news, h.grown
		h.mu.Unlock()
		for ; after < uint64(len(news)); after++ {
			if err := call(after+1, news[after]); err != nil {
				return err
			}
		}
		if !told {
			told = true
			if err := call(after, nil); err != nil {
				return err
			}
		}
		select {
		case <-grown:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

type snapshots struct{ hubConn }

func (c snapshots) Save(ctx context.Context, data []byte) error {
	if err := c.passes(ctx, "save"); err != nil {
		return err
	}
	c.hubs.mu.Lock()
	defer c.hubs.mu.Unlock()
	c.hubs.snapshot = bytes.Clone(data)
	return nil
}

func (c snapshots) Load(ctx context.Context) ([]byte, error) {
	if err := c.passes(ctx, "snapshot"); err != nil {
		return nil, err
	}
	c.hubs.mu.Lock()
	defer c.hubs.mu.Unlock()
	return c.hubs.snapshot, nil
}

type line struct{ hubConn }

func (c line) Listen(subject string, f func([]byte) []byte) (func() error, error) {
	h := c.hubs
	h.mu.Lock()
	defer h.mu.Unlock()
	l := &listener{f, c.fault}
	h.listeners[subject] = l
	return func() error {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.listeners[subject] == l {
			delete(h.listeners, subject)
		}
		return nil
	}, nil
}

func (c line) Ask(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if err := c.passes(ctx, "ask"); err != nil {
		return nil, err
	}
	h := c.hubs
	h.mu.Lock()
	l, ok := h.listeners[subject]
	h.seen = append(h.seen, bytes.Clone(data))
	h.mu.Unlock()
	if ok {
		f := l.fault("answer")
		ok = !f.Refused && !f.LoseRequest
	}
	if !ok {
		return nil, pass.ErrNobody
	}
	answer := make(chan []byte, 1)
	go func() { answer <- l.f(data) }()
	select {
	case a := <-answer:
		h.mu.Lock()
		h.seen = append(h.seen, bytes.Clone(a))
		h.mu.Unlock()
		return a, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
