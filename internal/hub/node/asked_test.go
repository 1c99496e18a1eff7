package node

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

// TestRequestsThatWaitNoMoreAreToldOf as they are decided, as they expire, and as a hub
// takes over that does not know of them.
func TestRequestsThatWaitNoMoreAreToldOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	m := newMirror(nil, func() time.Duration { return 0 }, func() time.Time { return now })
	p := &publisher{asked: make(map[string]replica.Asked), now: func() time.Time { return now }, wake: make(chan struct{}, 1)}
	p.resume(m)
	told := func(when string, want ...string) {
		t.Helper()
		m.changed(p.queue)
		p.queue = nil
		_, n := m.take()
		if len(n.asked) != len(want) {
			t.Fatalf("%s: told of %v, want %v", when, n.asked, want)
		}
		for i := range want {
			if a := n.asked[i]; a.ID != want[i] || a.Name != "bob" || a.Label != "fb/a" {
				t.Errorf("%s: told of %+v, want %s", when, a, want[i])
			}
		}
	}
	ask := func(id string, waits bool) {
		p.ask(hub.Asked{ID: id, Name: "bob", Label: "fb/a", Until: now.Add(time.Hour)}, waits)
	}
	ask("a", true)
	ask("b", true)
	told("asked", "a", "b")
	p.publish(p.followAsked)
	told("nothing is new")
	ask("a", false)
	told("decided", "a")
	ask("b", true)
	told("it waits again", "b")
	now = now.Add(time.Hour)
	p.publish(p.followAsked)
	told("expired", "b")
	ask("c", true)
	told("another", "c")
	next := &publisher{asked: make(map[string]replica.Asked), now: p.now, wake: p.wake}
	next.resume(m)
	next.publish(next.followAsked)
	p.queue = next.queue
	told("a takeover", "c")
}
