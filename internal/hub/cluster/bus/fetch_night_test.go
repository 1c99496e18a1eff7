//go:build night

package bus

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
)

// TestMessagesAreReadInOrder in each of the ways, few and many.
func TestMessagesAreReadInOrder(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 1, nil)
	b, err := Connect(Config{Servers: []string{c.Nodes[0].Addr()}, Account: "a", Hub: "h", Replicas: 1, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	opened, err := b.Log(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := opened.(*stream)
	if !ok {
		t.Fatalf("it is a %T", opened)
	}
	const kept, written = 2_000, 5_000 // A later message takes the place of one on its subject.
	for i := range uint64(written) {
		if _, err := s.Append(ctx, i, fmt.Sprintf("op.%d", i%kept), fmt.Appendf(nil, "m%d", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	const oldest = written - kept + 1
	for name, way := range map[string]func(context.Context, uint64, uint64) ([]message, error){"asked": s.ask, "consumed": s.consume, "fetched": s.fetch} {
		for _, r := range [][2]uint64{{1, written}, {1, oldest}, {1, oldest + 100}, {oldest + 5, oldest + 400}, {oldest, oldest + 17}, {written - 16, written}, {written, written}} {
			got, err := way(ctx, r[0], r[1])
			next := max(r[0], oldest)
			for _, m := range got {
				if m.sequence != next || string(m.data) != fmt.Sprintf("m%d", next) {
					t.Fatalf("%s %d: it is message %d, %q, after %d", name, r, m.sequence, m.data, next-1)
				}
				next++
			}
			if err != nil || next != r[1]+1 {
				t.Errorf("%s %d: up to %d, %v", name, r, next-1, err)
			}
		}
	}
}
