package bus

import (
	"context"
	"errors"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// readers is how many messages are asked for at a time, and one reader asks for least.
	readers = 16
	least   = 16
)

// errBehind means that a server did not have what another one says is there.
var errBehind = errors.New("a server is behind")

// message is one of the operations log.
type message struct {
	sequence uint64
	data     []byte
}

// fetch reads a range of sequences, in order. With an error it is the first of them.
//
// Many are read in two ways at once, and those of the one that ends first count. The
// server that leads the stream answers for each message: that takes as many round trips.
// A consumer takes few, but any of the servers makes it, and for seconds after that one has
// started it may come to nothing.
func (s *stream) fetch(ctx context.Context, from, upTo uint64) (got []message, err error) {
	ways := []func(ctx context.Context, from, upTo uint64) ([]message, error){s.ask}
	if upTo-from >= least {
		ways = append(ways, s.consume)
	}
	type result struct {
		got []message
		err error
	}
	results := make(chan result, len(ways))
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, way := range ways {
		group.Go(func() {
			got, err := way(ctx, from, upTo)
			results <- result{got, err}
		})
	}
	for range ways {
		r := <-results
		if r.err == nil {
			return r.got, nil
		}
		if len(r.got) >= len(got) {
			got = r.got
		}
		err = errors.Join(err, r.err)
	}
	return got, err
}

// ask asks for each message, for some at a time.
func (s *stream) ask(ctx context.Context, from, upTo uint64) (got []message, err error) {
	n := upTo - from + 1
	size := max(least, (n+readers-1)/readers)
	parts, errs := make([][]message, (n+size-1)/size), make([]error, (n+size-1)/size)
	var group sync.WaitGroup
	for i := range parts {
		at := from + uint64(i)*size
		group.Go(func() { parts[i], errs[i] = s.askInTurn(ctx, at, min(at+size-1, upTo)) })
	}
	group.Wait()
	for i, part := range parts {
		got = append(got, part...)
		if errs[i] != nil {
			return got, errs[i]
		}
	}
	return got, nil
}

// askInTurn asks for one message after the other.
func (s *stream) askInTurn(ctx context.Context, from, upTo uint64) (got []message, err error) {
	for from <= upTo {
		m, err := within(ctx, s.waits(), func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return s.js.GetMsg(ctx, from, jetstream.WithGetMsgSubject(s.bus.subject("operations", ">")))
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return got, errBehind // The newest one is never removed.
		}
		if err != nil {
			return got, err
		}
		if m.Sequence > upTo {
			break
		}
		got, from = append(got, message{m.Sequence, m.Data}), m.Sequence+1
	}
	return got, nil
}

// consume reads through a consumer, which takes a few round trips to make.
func (s *stream) consume(ctx context.Context, from, upTo uint64) (got []message, err error) {
	most := min(consumerTrips*s.waits(), waitFor)
	consumer, err := within(ctx, most, func(ctx context.Context) (jetstream.Consumer, error) {
		return s.js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from, MaxResetAttempts: 1,
		})
	})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	for last := from - 1; last < upTo; {
		m, err := within(ctx, most, func(ctx context.Context) (jetstream.Msg, error) { return messages.Next(jetstream.NextContext(ctx)) })
		if err != nil {
			return got, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return got, err
		}
		if last = meta.Sequence.Stream; last <= upTo {
			got = append(got, message{last, m.Data()})
		}
	}
	return got, nil
}

// consumerTrips is how many answers a consumer is waited for.
const consumerTrips = 3
