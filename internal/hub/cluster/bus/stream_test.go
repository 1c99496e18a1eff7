package bus

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// silent is a stream whose server gives no answer until it answers, and makes no consumer.
type silent struct {
	jetstream.Stream
	answers bool
	has     uint64 // for so many messages it has an answer
}

func (s *silent) GetMsg(ctx context.Context, sequence uint64, _ ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	if sequence <= s.has {
		return &jetstream.RawStreamMsg{Sequence: sequence}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *silent) OrderedConsumer(ctx context.Context, _ jetstream.OrderedConsumerConfig) (jetstream.Consumer, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *silent) Info(ctx context.Context, _ ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	if s.answers {
		return &jetstream.StreamInfo{State: jetstream.StreamState{LastSeq: 100, FirstSeq: 1}}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestAServerThatGivesNoAnswerIsAskedAgainSoon: the hub that takes over has seconds, and
// one whose links are slow must still read.
func TestAServerThatGivesNoAnswerIsAskedAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &silent{}
		s := &stream{js: server}
		read := func() time.Duration {
			began := time.Now() //nolint:forbidigo // virtual time in a bubble
			_, err := s.Read(t.Context(), 100, nil)
			if server.answers != (err == nil) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("read: %v", err)
			}
			return time.Since(began) //nolint:forbidigo // virtual time in a bubble
		}
		const soon = 500 * time.Millisecond
		for _, want := range []time.Duration{soon, soon, soon, soon, time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second} {
			if took := read(); took != want {
				t.Errorf("a reading without an answer took %v, not %v", took, want)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := s.Read(ended, 100, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a reading that was ended: %v", err)
		}
		server.answers = true
		read()
		server.answers = false
		if took := read(); took != 2*time.Second {
			t.Errorf("on slow links the reading after an answer took %v", took)
		}
		server.answers = true
		for range 8 {
			read()
		}
		server.answers = false
		if took := read(); took != soon {
			t.Errorf("the reading after many answers took %v", took)
		}
		for range 2 * slowest {
			hurried, end := context.WithTimeout(t.Context(), time.Millisecond)
			if _, err := s.Read(hurried, 100, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a reading without time: %v", err)
			}
			end()
		}
		if took := read(); took != soon {
			t.Errorf("the reading after many without time took %v", took)
		}
	})
}

// TestAConsumerThatIsNotMadeIsNotWaitedFor while other answers come. What was read before
// they ended is not read again.
func TestAConsumerThatIsNotMadeIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &silent{answers: true, has: 100}
		s := &stream{bus: &Bus{}, js: server}
		read := func() (messages int, last uint64, took time.Duration, err error) {
			began := time.Now() //nolint:forbidigo // virtual time in a bubble
			last, err = s.Read(t.Context(), 0, func(sequence uint64, _ []byte) error {
				messages++
				if sequence != uint64(messages) {
					t.Errorf("message %d comes in place %d", sequence, messages)
				}
				return nil
			})
			return messages, last, time.Since(began), err //nolint:forbidigo // virtual time in a bubble
		}
		if n, last, took, err := read(); n != 100 || last != 100 || took != 0 || err != nil {
			t.Errorf("%d messages up to %d after %v, %v", n, last, took, err)
		}
		server.has = 40
		if n, last, took, err := read(); n != 40 || last != 40 || took != 1500*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without more answers: %d messages up to %d after %v, %v", n, last, took, err)
		}
	})
}

// sparse is a stream of which only some messages are left. An answer takes 50 ms.
type sparse struct {
	silent
	first, last uint64   // as it says itself
	live        []uint64 // sorted
}

func (s *sparse) Info(context.Context, ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	return &jetstream.StreamInfo{State: jetstream.StreamState{FirstSeq: s.first, LastSeq: s.last}}, nil
}

func (s *sparse) GetMsg(_ context.Context, sequence uint64, _ ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	time.Sleep(50 * time.Millisecond) //nolint:forbidigo // virtual time in a bubble
	i, _ := slices.BinarySearch(s.live, sequence)
	if i == len(s.live) {
		return nil, jetstream.ErrMsgNotFound
	}
	return &jetstream.RawStreamMsg{Sequence: s.live[i]}, nil
}

func sequencesFrom(from, to uint64) (all []uint64) {
	for n := from; n <= to; n++ {
		all = append(all, n)
	}
	return all
}

func TestALogWithGapsIsReadSoonAndWhole(t *testing.T) {
	for name, c := range map[string]struct {
		server *sparse
		want   []uint64
		end    uint64
		err    error
		most   time.Duration
	}{
		"one that is open for long": {
			&sparse{first: 1, last: 1_000_000, live: slices.Concat([]uint64{1}, sequencesFrom(999_001, 1_000_000))},
			slices.Concat([]uint64{1}, sequencesFrom(999_001, 1_000_000)), 1_000_000, nil, 4 * time.Second,
		},
		"few":                   {&sparse{first: 1, last: 16, live: sequencesFrom(1, 16)}, sequencesFrom(1, 16), 16, nil, 200 * time.Millisecond},
		"a server behind":       {&sparse{first: 1, last: 10_000, live: sequencesFrom(1, 50)}, sequencesFrom(1, 50), 50, errBehind, 2 * time.Second},
		"the newest replaced":   {&sparse{first: 1, last: 100, live: append(sequencesFrom(1, 99), 101)}, sequencesFrom(1, 99), 100, nil, time.Second},
		"all removed by others": {&sparse{first: 101, last: 100}, nil, 0, oplog.ErrGone, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stream{bus: &Bus{}, js: c.server}
				began := time.Now() //nolint:forbidigo // virtual time in a bubble
				var got []uint64
				end, err := s.Read(t.Context(), 0, func(sequence uint64, _ []byte) error {
					got = append(got, sequence)
					return nil
				})
				took := time.Since(began) //nolint:forbidigo // as above
				if !slices.Equal(got, c.want) || end != c.end || !errors.Is(err, c.err) {
					t.Errorf("%d messages up to %d, %v; not %d up to %d, %v", len(got), end, err, len(c.want), c.end, c.err)
				}
				if took > c.most {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}
