package replica_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// feed is a stream in memory that may lose its oldest messages.
type feed struct {
	mu       sync.Mutex
	messages [][]byte
	first    uint64 // that is still there
	snapshot []byte
	steal    bool // the next message
	stolen   []byte
	keys     *seal.Keys
	grown    chan struct{}
	broken   error
}

func newFeed(t *testing.T) *feed {
	t.Helper()
	return &feed{first: 1, grown: make(chan struct{}), keys: keys(t)}
}

func (f *feed) Publish(_ context.Context, data []byte) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.steal {
		f.steal, f.stolen = false, data
		return uint64(len(f.messages)), f.broken
	}
	f.messages = append(f.messages, data)
	close(f.grown)
	f.grown = make(chan struct{})
	return uint64(len(f.messages)), f.broken
}

func (f *feed) Read(ctx context.Context, after uint64, call func(uint64, []byte) error) error {
	next, told := after+1, false
	for ctx.Err() == nil {
		f.mu.Lock()
		next = max(next, f.first)
		var data []byte
		newest, grown, broken := uint64(len(f.messages)), f.grown, f.broken
		if next <= newest {
			data = f.messages[next-1]
		}
		f.mu.Unlock()
		switch {
		case broken != nil:
			return broken
		case data != nil:
			if err := call(next, data); err != nil {
				return err
			}
			next++
		case !told:
			told = true
			if err := call(newest, nil); err != nil {
				return err
			}
		default:
			select {
			case <-grown:
			case <-ctx.Done():
			}
		}
	}
	return ctx.Err()
}

func (f *feed) Save(_ context.Context, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.snapshot = data
	return nil
}

func (f *feed) Load(context.Context) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshot, nil
}

// drop removes the oldest messages.
func (f *feed) drop(before uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = before
}

// hub follows a feed and keeps what it is told.
type hub struct {
	*replica.Replica
	mu     sync.Mutex
	labels map[string]string
	errs   []error
}

func join(t *testing.T, f *feed) *hub {
	t.Helper()
	h := &hub{labels: make(map[string]string)}
	start := time.Now()                                                      //nolint:forbidigo // virtual time in a bubble
	clock := func() time.Duration { return time.Since(start) + time.Minute } //nolint:forbidigo // virtual time in a bubble
	h.Replica = replica.New(replica.Config{Feed: f, Snapshots: f, Keys: f.keys, Changed: h.changed, Clock: clock})
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go h.Follow(ctx, func(err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.errs = append(h.errs, err)
	})
	return h
}

func (h *hub) changed(items []replica.Item) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range items {
		if i.Gone {
			delete(h.labels, i.ID)
			continue
		}
		if c, err := replica.Get[api.CardItem](i); err == nil {
			h.labels[i.ID] = string(c.Label)
		}
	}
}

func (h *hub) has() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for id, label := range h.labels {
		all = append(all, id+"="+label)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func card(t *testing.T, id, label string) replica.Item {
	t.Helper()
	i, err := replica.Put(id, api.CardItem{ID: api.CardID(id), Status: api.CardActive, Label: api.Text(label)})
	must(t, err)
	return i
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func lead(t *testing.T, h *hub, number uint64) *replica.Publisher {
	t.Helper()
	p, err := h.Lead(t.Context(), number)
	must(t, err)
	return p
}

func TestOthersHaveWhatTheLeaderPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		a, b := join(t, f), join(t, f)
		p := lead(t, a, 5)
		must(t, p.Publish(t.Context(), card(t, "c1", "one"), card(t, "c2", "two")))
		must(t, p.Publish(t.Context(), card(t, "c1", "uno"), replica.Item{Kind: replica.Listed, ID: "c2", Gone: true}))
		time.Sleep(3 * time.Second) //nolint:forbidigo // virtual time in a bubble
		if a.has() != "c1=uno" || b.has() != "c1=uno" || b.Leader() != 5 || b.Age() != 3*time.Second {
			t.Errorf("a %q, b %q of lease %d, %v old", a.has(), b.has(), b.Leader(), b.Age())
		}
	})
}

// TestALeaderWhoseTimeIsOverCountsForNobody has the old leader go on publishing.
func TestALeaderWhoseTimeIsOverCountsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		a, b := join(t, f), join(t, f)
		old := lead(t, a, 5)
		must(t, old.Publish(t.Context(), card(t, "c1", "old")))
		p := lead(t, b, 6)
		if b.has() != "c1=old" {
			t.Errorf("it leads before it has read %q", b.has())
		}
		must(t, old.Publish(t.Context(), card(t, "c1", "late")))
		must(t, p.Publish(t.Context(), card(t, "c2", "new")))
		synctest.Wait()
		if a.has() != "c1=old c2=new" || b.has() != a.has() {
			t.Errorf("a %q, b %q", a.has(), b.has())
		}
		if _, err := a.Lead(t.Context(), 4); err == nil {
			t.Error("an older lease leads")
		}
	})
}

// TestAHubThatWasAwayReadsTheSnapshot drops what is before the snapshot while a hub
// cannot read, and has another join.
func TestAHubThatWasAwayReadsTheSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		a, b := join(t, f), join(t, f)
		p := lead(t, a, 1)
		must(t, p.Publish(t.Context(), card(t, "c1", "one"), card(t, "c2", "two")))
		synctest.Wait()
		f.mu.Lock()
		f.broken = errors.New("cut off")
		close(f.grown)
		f.grown = make(chan struct{})
		f.mu.Unlock()
		synctest.Wait()
		_, err := f.Publish(t.Context(), []byte("it is dropped"))
		if err == nil {
			t.Error("not cut off")
		}
		must(t, f.Save(t.Context(), f.keys.Sign([]byte(`{"v":2,"sequence":3,"number":1,"index":2,"items":[{"kind":"listed","id":"c2","data":{"id":"c2","status":"active","balance":1,"label":"two"}}]}`), "snapshot")))
		f.drop(4)
		f.mu.Lock()
		f.broken = nil
		f.mu.Unlock()
		c := join(t, f)
		<-c.Ready()
		must(t, p.Publish(t.Context(), card(t, "c3", "three")))
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		for name, h := range map[string]*hub{"a": a, "b": b, "c": c} {
			if h.has() != "c2=two c3=three" {
				t.Errorf("%s has %q, after %v", name, h.has(), h.errs)
			}
		}
		must(t, p.Snapshot(t.Context()))
		f.drop(5)
		d := join(t, f)
		<-d.Ready()
		synctest.Wait()
		if d.has() != "c2=two c3=three" {
			t.Errorf("from the snapshot: %q", d.has())
		}
	})
}

func TestALaterVersionIsNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed(t)
		_, err := f.Publish(t.Context(), f.keys.Sign([]byte(`{"v":9}`), "change"))
		must(t, err)
		h := join(t, f)
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.errs) == 0 || !strings.Contains(h.errs[0].Error(), "version 9") {
			t.Errorf("%v", h.errs)
		}
	})
}
