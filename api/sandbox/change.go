package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"net/http"

	"github.com/cardtop/cardtop/api/sandbox/tables"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// maxKey is the longest idempotency key, in characters; keyLife is how long its
// answer is stored (ASSUMED 11).
const (
	maxKey  = 255
	keyLife = 24 * unit.Hour
)

// change is one write in progress: a transaction with everything it does, its events
// included.
type change struct {
	s       *Server
	tx      *tables.Tx
	now     unit.Instant
	wake    bool // something was scheduled or is to be delivered
	recount bool // a card has another status or label
	failed  error
}

// fail has the change undone at its end: what only a fault of the program makes fail has no error of its own.
func (c *change) fail(err error) { c.failed = cmp.Or(c.failed, err) }

// write runs fn as one change at the current time.
func (s *Server) write(ctx context.Context, fn func(*change) error) error {
	return s.writeAt(ctx, s.clock.Now(), fn)
}

// writeAt runs fn as one change at a time, or at the time of the latest change if
// that is later, and wakes [Server.Run] if something was scheduled.
func (s *Server) writeAt(ctx context.Context, at unit.Instant, fn func(*change) error) error {
	c := &change{s: s}
	err := s.db.Transact(ctx, func(tx *tables.Tx) error {
		c.tx, c.now = tx, s.clock.Stamp(at)
		err := fn(c)
		if c.recount {
			s.cardsLike.Forget()
		}
		return cmp.Or(err, c.failed)
	})
	if err != nil {
		return err
	}
	if c.wake {
		s.signal()
	}
	return nil
}

// sums returns the row of sums.
func (r *rows) sums() books {
	b, _ := r.books.At(1)
	return b
}

// book changes the row of sums.
func (c *change) book(by func(*books)) {
	b := c.s.sums()
	by(&b)
	c.s.books.Set(c.tx, 1, b)
}

// next returns the next number of what a counter counts.
func (c *change) next(counter func(*books) *int64) (number int64) {
	c.book(func(b *books) {
		n := counter(b)
		*n++
		number = *n
	})
	return number
}

// signal wakes [Server.Run]; one signal stands for any number of reasons.
func (s *Server) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// runOnce runs a writing endpoint. Under an idempotency key a request acts once: its
// answer is stored in the same transaction, and a simultaneous repeat waits for the
// first because writes do not overlap. A refused request does not use up its key
// (ASSUMED 11).
func (s *Server) runOnce(ctx context.Context, rt *route, req *request) (status int, body []byte, err error) {
	replayed := false
	err = s.write(ctx, func(c *change) error {
		if req.key != "" {
			status, body, err = c.storedAnswer(req)
			if replayed = status != 0; err != nil || replayed {
				return err
			}
		}
		result, err := rt.write(c, req)
		if err != nil {
			return err
		}
		status = rt.status
		if body, err = wire.Encode(result); err == nil && req.key != "" {
			c.storeAnswer(req, status, body)
		}
		return err
	})
	switch {
	case err != nil:
	case replayed:
		s.report.Replayed()
	case rt.money:
		s.report.Acted(rt.name(), req.scope, req.body)
	}
	return status, body, err
}

// answerKey is where an idempotency key is valid.
type answerKey struct{ account, path, key string }

func (k answerKey) compare(other answerKey) int {
	return cmp.Or(cmp.Compare(k.account, other.account), cmp.Compare(k.path, other.path), cmp.Compare(k.key, other.key))
}

// firstAnswer is the first answer of a write that carried an idempotency key.
type firstAnswer struct {
	answerKey
	digest [sha256.Size]byte // of the request
	status int
	body   []byte
	at     unit.Instant
}

// storedAnswer returns the first answer under a key; status is 0 when there is none.
func (c *change) storedAnswer(req *request) (status int, body []byte, err error) {
	first, known := c.s.answerOf[answerKey{req.account, req.scope, req.key}]
	if !known || first.at <= c.now-keyLife {
		return 0, nil, nil
	}
	if sum := sha256.Sum256(req.body); !bytes.Equal(sum[:], first.digest[:]) {
		return 0, nil, &wire.Error{
			Status: http.StatusBadRequest, ID: "idempotency_key_reused",
			Message: "this X-Idempotency-Key was used with another body",
		}
	}
	return first.status, first.body, nil
}

// storeAnswer stores an answer, and forgets the ones that are too old.
func (c *change) storeAnswer(req *request, status int, body []byte) {
	for len(c.s.answers.Rows) > 0 && c.s.answers.Rows[0].at <= c.now-keyLife {
		c.s.answers.Remove(c.tx, c.s.answers.Rows[0])
	}
	c.s.answers.Insert(c.tx, firstAnswer{
		answerKey: answerKey{req.account, req.scope, req.key}, digest: sha256.Sum256(req.body), status: status, body: body, at: c.now,
	})
}
