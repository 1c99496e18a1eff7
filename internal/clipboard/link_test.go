package clipboard

import (
	"testing"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// parting answers what is written to it and ends at once.
type parting struct{ l *link }

func (p parting) Write(data []byte) (int, error) {
	if ch := p.l.take(1); ch != nil {
		ch <- wire.Frame{Op: wire.Done, Seq: 1}
		close(p.l.done)
	}
	return len(data), nil
}

// TestTheLastAnswerOfAGuardCounts: it answers, and has ended before that is looked at.
func TestTheLastAnswerOfAGuardCounts(t *testing.T) {
	for range 100 {
		l := &link{done: make(chan struct{}), pending: make(map[uint64]chan wire.Frame)}
		l.w = wire.NewWriter(parting{l})
		if res, err := l.call(t.Context(), wire.Frame{Op: wire.Bye}); err != nil || res.Op != wire.Done {
			t.Fatalf("%+v, %v", res, err)
		}
	}
}
