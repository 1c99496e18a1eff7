package oplog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

const (
	// pause is how long an append waits after an error of the stream.
	pause = 50 * time.Millisecond
	// answers is how long the stream may take for an append, reading for reading all
	// that is new. Then it is asked again.
	answers = time.Second
	reading = 5 * time.Second
)

// attempt is one message on its way into the stream.
type attempt struct {
	log     *Log
	subject string
	// next returns the record to write, by what the log says now.
	next func() (*Record, error)
	id   string
	// asked are the sequences after which the stream may have stored the message, or may
	// yet.
	asked []uint64
	// found reports that it was read in the stream.
	found bool
}

// run appends the message. What is after the last message that the log knows is read
// first, when there may be some.
func (a *attempt) run(ctx context.Context) error {
	var why error
	for {
		err := a.once(ctx)
		if err == nil || a.log.fenced != nil {
			return err
		}
		var final finalError
		if errors.As(err, &final) {
			return final.error
		}
		if a.log.lease.Left() == 0 {
			return err
		}
		if why == nil || ctx.Err() == nil {
			why = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), why)
		case <-time.After(pause):
		}
	}
}

// finalError is one that another try does not change.
type finalError struct{ error }

func (a *attempt) once(ctx context.Context) error {
	l := a.log
	for l.unsure && l.fenced == nil {
		if err := a.catchUp(ctx); err != nil && l.fenced == nil {
			return err
		}
	}
	if l.fenced != nil {
		return l.fenced
	}
	if a.found {
		return nil
	}
	r, err := a.next()
	if err != nil {
		return finalError{err}
	}
	m := message{Version: version, ID: a.id, Number: l.lease.Number(), Record: r}
	data, err := m.encode()
	if err != nil {
		return finalError{err}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.lease.Left() == 0 {
		return ErrLeaseOver
	}
	if !slices.Contains(a.asked, l.last) {
		a.asked = append(a.asked, l.last)
	}
	waits, cancel := context.WithTimeout(ctx, answers)
	sequence, err := l.stream.Append(waits, l.last, a.subject, data)
	cancel()
	if err == nil {
		l.note(sequence, m)
		return nil
	}
	// Other messages are there, or this one from an earlier try.
	l.unsure = true
	if errors.Is(err, lease.ErrMoved) {
		err = errors.Join(err, a.catchUp(ctx))
		if a.found && l.fenced == nil {
			return nil
		}
	}
	return err
}

// catchUp reads what is after the last message known. A message of a later leader, or
// of an unknown format, ends this one's time.
func (a *attempt) catchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reading)
	defer cancel()
	l, number := a.log, a.log.lease.Number()
	newest, err := l.stream.Read(ctx, l.last, func(sequence uint64, data []byte) error {
		m, err := decode(data)
		if err != nil {
			l.fenced = errors.Join(ErrFenced, err)
			return l.fenced
		}
		a.found = a.found || m.ID == a.id
		if m.ID != a.id {
			// This is where it would be. Where there is a gap it may have been, and have
			// been replaced by a later leader.
			a.asked = slices.DeleteFunc(a.asked, func(last uint64) bool { return sequence == last+1 })
		}
		if m.Number > number || m.Number == number && a.subject == leaders && m.ID != a.id {
			l.fenced = fmt.Errorf("%w: its lease is %d, this one is %d", ErrFenced, m.Number, number)
			return l.fenced
		}
		l.note(sequence, m)
		return nil
	})
	if err != nil {
		return err
	}
	if newest < l.last {
		return ErrGone
	}
	l.last, l.unsure = newest, false
	return nil
}

// note stores what a message says.
func (l *Log) note(sequence uint64, m message) {
	l.last = max(l.last, sequence)
	if m.Record != nil {
		l.table.set(*m.Record, sequence)
	}
}
