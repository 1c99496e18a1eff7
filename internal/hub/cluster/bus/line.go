package bus

import (
	"context"
	"errors"
	"log/slog"

	"github.com/nats-io/nats.go"

	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
)

// Line returns the line on which hubs ask one another. The servers do not store what
// is on it, and deliver it at most once.
func (b *Bus) Line() pass.Line { return line{b} }

type line struct{ bus *Bus }

// Ask sends a request and waits for the answer.
func (l line) Ask(ctx context.Context, subject string, data []byte) ([]byte, error) {
	m, err := l.bus.conn.RequestWithContext(ctx, l.bus.subject(subject), data)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, pass.ErrNobody
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// Listen answers requests, at most some at a time.
func (l line) Listen(subject string, f func(data []byte) []byte) (stop func() error, err error) {
	places := make(chan struct{}, atOnce)
	s, err := l.bus.conn.Subscribe(l.bus.subject(subject), func(m *nats.Msg) {
		places <- struct{}{}
		go func() {
			defer func() { <-places }()
			if err := m.Respond(f(m.Data)); err != nil {
				l.bus.cfg.Log.Warn("an answer to another hub was not sent", slog.Any("error", err))
			}
		}()
	})
	if err != nil {
		return nil, err
	}
	return s.Unsubscribe, nil
}

// atOnce is how many requests of other hubs are done at a time.
const atOnce = 64
