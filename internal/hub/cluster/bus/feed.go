package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

const (
	feedMessages = 200_000
	feedBytes    = 256 << 20
	// feedQuiet is after how long without a message the stream is asked whether it has
	// more: a consumer ends with its server, and its client may not be told.
	feedQuiet = 5 * time.Second
)

// Feed opens the stream of changes.
func (b *Bus) Feed(ctx context.Context) (replica.Feed, error) {
	cfg := jetstream.StreamConfig{
		Name: b.name("changes"), Description: "what changed, for the hubs that do not lead", Subjects: []string{b.subject("changes")},
		Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas, MaxMsgs: feedMessages, MaxBytes: feedBytes, Discard: jetstream.DiscardOld,
	}
	return wait(ctx, "open stream "+cfg.Name, func(ctx context.Context) (replica.Feed, error) {
		s, err := b.js.Stream(ctx, cfg.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = b.js.CreateStream(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		if s.CachedInfo().Config.Replicas < cfg.Replicas {
			return nil, fmt.Errorf("%w: stream %s", errConfig, cfg.Name)
		}
		return feed{b, s}, nil
	})
}

// feed is the stream of changes.
type feed struct {
	bus *Bus
	js  jetstream.Stream
}

// Publish stores a message on a majority of the servers.
func (f feed) Publish(ctx context.Context, data []byte) (uint64, error) {
	ack, err := f.bus.js.Publish(ctx, f.bus.subject("changes"), data, jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// Read reads through a consumer until ctx ends or the servers cannot be reached. The
// consumer is not made anew more than once: that does not heed ctx.
func (f feed) Read(ctx context.Context, after uint64, call func(sequence uint64, data []byte) error) error {
	info, err := f.js.Info(ctx)
	if err != nil {
		return err
	}
	newest, last, told := info.State.LastSeq, after, false
	caughtUp := func(sequence uint64) error {
		if told || sequence < newest {
			return nil
		}
		told = true
		return call(sequence, nil)
	}
	consumer, err := f.js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, MaxResetAttempts: 1})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	if newest <= after {
		err = caughtUp(newest)
	}
	for err == nil {
		var m jetstream.Msg
		m, err = messages.Next(jetstream.NextMaxWait(feedQuiet))
		if errors.Is(err, nats.ErrTimeout) {
			err = f.ends(ctx, last)
			continue
		}
		if err != nil || ctx.Err() != nil {
			break
		}
		var meta *jetstream.MsgMetadata
		if meta, err = m.Metadata(); err != nil {
			break
		}
		last = meta.Sequence.Stream
		if err = call(last, m.Data()); err == nil {
			err = caughtUp(last)
		}
	}
	return errors.Join(ctx.Err(), err)
}

// ends returns nil when the stream has nothing after a sequence.
func (f feed) ends(ctx context.Context, last uint64) error {
	info, err := within(ctx, waitFor, func(ctx context.Context) (*jetstream.StreamInfo, error) { return f.js.Info(ctx) })
	if err == nil && info.State.LastSeq > last {
		err = errors.New("read changes: the consumer is lost")
	}
	return err
}

// Snapshots opens the store of the snapshots.
func (b *Bus) Snapshots(ctx context.Context) (replica.Snapshots, error) {
	cfg := jetstream.ObjectStoreConfig{
		Bucket: b.name("snapshots"), Description: "the state, for hubs that join", Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas, Compression: true,
	}
	return wait(ctx, "open store "+cfg.Bucket, func(ctx context.Context) (replica.Snapshots, error) {
		o, err := b.js.ObjectStore(ctx, cfg.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			o, err = b.js.CreateObjectStore(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
		return snapshots{o}, nil
	})
}

// snapshots is a store with one object.
type snapshots struct{ store jetstream.ObjectStore }

const snapshotName = "state"

// Save replaces the snapshot.
func (s snapshots) Save(ctx context.Context, data []byte) error {
	_, err := s.store.Put(ctx, jetstream.ObjectMeta{Name: snapshotName}, bytes.NewReader(data))
	return err
}

// Load reads the snapshot. Its digest is verified.
func (s snapshots) Load(ctx context.Context) ([]byte, error) {
	data, err := s.store.GetBytes(ctx, snapshotName)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil
	}
	return data, err
}

const (
	// readers is how many messages are asked for at a time. Each asks for run sequences at
	// once, one after the other.
	readers = 16
	run     = 4
	// most is how many messages are only asked for.
	most = 16
	// consumerTrips is how many answers a consumer is waited for.
	consumerTrips = 3
	// consumerKept is for how long the server keeps a consumer that nobody reads.
	consumerKept = 30 * time.Second
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
	if upTo-from >= most {
		ways = append(ways, s.consume)
	}
	type result struct {
		got []message
		err error
	}
	results := make(chan result, len(ways)) // The other one is not waited for: it may take its time to end.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, way := range ways {
		go func() {
			got, err := way(ctx, from, upTo)
			results <- result{got, err}
		}()
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
	a := &asking{next: from, upTo: upTo}
	var group sync.WaitGroup
	for range min(readers, (upTo-from)/run+1) {
		group.Go(func() {
			for r := a.take(); r != nil; r = a.take() {
				r.got, r.err = s.askInTurn(ctx, r.from, r.upTo, a.skip)
				if r.err != nil {
					a.end()
				}
			}
		})
	}
	group.Wait()
	for _, r := range a.taken {
		got = append(got, r.got...)
		if r.err != nil {
			return got, r.err
		}
	}
	return got, nil
}

// askInTurn asks for one message after the other, and tells where the first after them is.
func (s *stream) askInTurn(ctx context.Context, from, upTo uint64, skip func(to uint64)) (got []message, err error) {
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
			skip(m.Sequence)
			break
		}
		got, from = append(got, message{m.Sequence, m.Data}), m.Sequence+1
	}
	return got, nil
}

// asking is a range of sequences that is read in short runs, handed out in order: what is
// read when one fails is about all before it. It may be used from several goroutines.
type asking struct {
	mu         sync.Mutex
	next, upTo uint64
	taken      []*sequences
}

// sequences is a run of them and what was read of it.
type sequences struct {
	from, upTo uint64
	got        []message
	err        error
}

// take returns the next run; nil when there is none.
func (a *asking) take() *sequences {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.next > a.upTo {
		return nil
	}
	r := &sequences{from: a.next, upTo: min(a.next+run-1, a.upTo)}
	a.taken, a.next = append(a.taken, r), r.upTo+1
	return r
}

// skip goes on at a sequence: none is before it that was not taken. Where operations were
// removed there are long gaps.
func (a *asking) skip(to uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = max(a.next, to)
}

// end hands out no more.
func (a *asking) end() { a.skip(a.upTo + 1) }

// consume reads through a consumer, which takes a few round trips to make.
func (s *stream) consume(ctx context.Context, from, upTo uint64) (got []message, err error) {
	wait := min(consumerTrips*s.waits(), waitFor)
	consumer, err := within(ctx, wait, func(ctx context.Context) (jetstream.Consumer, error) {
		return s.js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from, MaxResetAttempts: 1, InactiveThreshold: consumerKept,
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
		m, err := within(ctx, wait, func(ctx context.Context) (jetstream.Msg, error) { return messages.Next(jetstream.NextContext(ctx)) })
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
