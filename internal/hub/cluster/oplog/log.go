// Package oplog is the journal of operations that the hubs share. An operation is in a
// replicated stream before the first byte of its request is sent, so that the hub that
// takes over finds it and settles it under the same idempotency key.
//
// Every message is appended to what its writer has read last (compare and swap over
// the whole stream). A hub that takes over first appends a message of its own. From
// then on a hub that was paused cannot append: what it would have to read first tells
// it that another leads. So what a leader has read when it begins is all there is, and
// stays so.
package oplog

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Errors of the log.
var (
	// ErrFenced means that another hub leads. Without ErrUnsure, what was to be written
	// is not in the log and never will be.
	ErrFenced = errors.New("another hub leads")
	// ErrUnsure means that what was to be written may be in the log.
	ErrUnsure = errors.New("it may be in the log all the same")
	// ErrLeaseOver means that the lease ended: nothing may be sent.
	ErrLeaseOver = errors.New("the lease is over")
	// ErrGone means that acknowledged messages are no longer in the stream.
	ErrGone = errors.New("the log has lost acknowledged messages")
	// ErrSettled means that the operation has an outcome: it is not sent again.
	ErrSettled = errors.New("the operation is settled")
	// ErrAbsent means that the operation is not in the log.
	ErrAbsent = errors.New("the operation is not in the log")
)

// Stream is an ordered log that a quorum acknowledges. It keeps the newest message of
// each subject.
type Stream interface {
	// Append stores a message when last is the sequence of the newest one, 0 for none,
	// and returns its own; lease.ErrMoved when it is not. After any other error it may
	// be stored, or may be later.
	Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error)
	// Read calls f with each message after a sequence, in order, and returns the
	// sequence of the last one. It may not have seen the newest, but then an append
	// that follows what it returns is refused. What it returns is lower than after when
	// the stream ends before.
	Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error)
	// Remove removes the messages of a subject up to a sequence, which is not the
	// newest of the stream.
	Remove(ctx context.Context, subject string, upTo uint64) error
}

// Lease is what the log needs of the lease.
type Lease interface {
	Number() uint64
	// Left is for how long the lease is valid without another renewal; 0 when it is
	// over.
	Left() time.Duration
	// Lost is closed when the lease is over.
	Lost() <-chan struct{}
}

// Log is a leader's view of the stream. It may be used from several goroutines.
type Log struct {
	stream Stream
	lease  Lease
	turn   chan struct{} // holds one token: who has it appends

	// Of the goroutine whose turn it is.
	last   uint64
	unsure bool // there may be more after last
	fenced error

	table *table
}

// Open reads the log and begins the time of a new leader: hubs before it can append
// nothing from then on. It tries until ctx ends or the lease does. A lease opens the
// log once.
func Open(ctx context.Context, s Stream, l Lease) (*Log, error) {
	log := &Log{stream: s, lease: l, turn: make(chan struct{}, 1), unsure: true, table: newTable()}
	if err := log.append(ctx, leaders, func() (*Record, error) { return nil, nil }); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return log, nil
}

// Prepare stores an operation. Without an error the next leader finds it. After any
// error, and until Send returns none, it is certain that it is not sent. One that is
// open already stays as it is.
func (l *Log) Prepare(ctx context.Context, op Op) error {
	return l.write(ctx, op.Key, func(old Record, ok bool) (Record, error) {
		switch {
		case ok && old.State.Acted():
			return old, ErrSettled
		case ok && old.State.Open():
			return old, errNoChange
		}
		return Record{Op: op, State: Prepared}, op.check()
	})
}

// Begin stores an operation as sent, for the first try or another. The request may be
// sent only without an error, and only while the lease is valid. With ErrUnsure the
// operation is unknown: the next leader may send it. After any other error this try is
// not sent.
func (l *Log) Begin(ctx context.Context, op Op) error {
	return l.send(ctx, op.Key, func(r Record, ok bool) (Record, error) {
		if ok && r.State.Acted() {
			return r, ErrSettled
		}
		if !ok || !r.State.Open() {
			r = Record{Op: op}
		}
		r.Op.Begun, r.Op.Lease = op.Begun, l.lease.Number()
		return r, op.check()
	})
}

// Send is Begin for an operation that is in the log: what was prepared, or is tried
// again.
func (l *Log) Send(ctx context.Context, key api.IdempotencyKey) error {
	return l.send(ctx, key, func(r Record, ok bool) (Record, error) {
		switch {
		case !ok:
			return r, ErrAbsent
		case !r.State.Open():
			return r, ErrSettled
		}
		return r, nil
	})
}

// send marks what next returns as sent once more.
func (l *Log) send(ctx context.Context, key api.IdempotencyKey, next func(Record, bool) (Record, error)) error {
	err := l.write(ctx, key, func(r Record, ok bool) (Record, error) {
		r, err := next(r, ok)
		r.State, r.Tries = Sent, r.Tries+1
		return r, err
	})
	if err == nil && l.lease.Left() == 0 {
		return errors.Join(ErrLeaseOver, ErrUnsure)
	}
	return err
}

// End stores what became of an operation, in any state but Prepared and Sent. When it
// fails the next leader may send it again, under the same key. moved is what the answer
// says that it moved, USD.
func (l *Log) End(ctx context.Context, key api.IdempotencyKey, s State, moved api.USD) error {
	if s == Prepared || s == Sent || !s.known() {
		return fmt.Errorf("end operation: %q is no outcome", s)
	}
	return l.write(ctx, key, func(r Record, ok bool) (Record, error) {
		if !ok {
			return r, ErrAbsent
		}
		r.State, r.Moved = s, moved
		return r, nil
	})
}

// Find returns what the log says of a key. Operations settled long ago are not in it.
func (l *Log) Find(key api.IdempotencyKey) (Record, bool) { return l.table.find(key) }

// Unsettled returns the open operations by when they began.
func (l *Log) Unsettled() []Record { return l.table.open() }

// Settled returns the operations with an outcome that began at a time or later, by
// when they got it.
func (l *Log) Settled(since time.Time) []Record { return l.table.since(since) }

// Trim removes the oldest of the settled operations that began before a time, so that
// a leader that takes over has little to read. What it fails to remove it removes the
// next time.
func (l *Log) Trim(ctx context.Context, before time.Time) error {
	for {
		at, sequence, ok := l.table.oldest(before)
		if !ok {
			return nil
		}
		if err := l.stream.Remove(ctx, at, sequence); err != nil {
			return fmt.Errorf("trim log: %w", err)
		}
		l.table.removed(at, sequence)
	}
}

// errNoChange ends a write without an append.
var errNoChange = errors.New("nothing changes")

// write appends what next makes of a key's record.
func (l *Log) write(ctx context.Context, key api.IdempotencyKey, next func(Record, bool) (Record, error)) error {
	err := l.append(ctx, subject(key), func() (*Record, error) {
		r, err := next(l.table.find(key))
		return &r, err
	})
	if errors.Is(err, errNoChange) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write operation to the log: %w", err)
	}
	return nil
}

// append writes a message, and returns nil when it is acknowledged. It tries until ctx
// or the lease ends.
func (l *Log) append(ctx context.Context, subject string, next func() (*Record, error)) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	a := &attempt{log: l, subject: subject, next: next, id: rand.Text()}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-l.lease.Lost():
			cancel()
		case <-ctx.Done():
		}
	}()
	err := a.run(ctx)
	if err != nil && len(a.asked) > 0 {
		err = errors.Join(err, ErrUnsure)
	}
	if err != nil && l.lease.Left() == 0 {
		err = errors.Join(err, ErrLeaseOver)
	}
	return err
}
