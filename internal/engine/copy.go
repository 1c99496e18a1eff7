package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
)

// copyTimeout bounds a copy; the board itself gives up sooner.
const copyTimeout = 5 * time.Second

// Board is the clipboard.
type Board interface {
	Copy(ctx context.Context, it clipboard.Item) (clipboard.Report, error)
}

// copyQueue puts secrets on the clipboard, one at a time and in the order they
// were asked for. Of several that wait only the last is copied. It may be used
// from several goroutines.
type copyQueue struct {
	board Board
	now   func() time.Time

	mu   sync.Mutex
	busy bool
	next *waitingCopy // the one after the copy under way; nil for none
	// copied is the latest that succeeded, which the board reports on later.
	copied struct {
		id  uint64
		seq poll.Seq
	}
}

// copyJob is a secret on its way to the clipboard.
type copyJob struct {
	seq    poll.Seq
	secret api.Secret
	ttl    time.Duration
}

// waitingCopy is a copy that is told whether its turn has come, or another has
// taken its place.
type waitingCopy struct {
	copyJob
	turn chan bool
}

// add queues a copy and returns what makes it.
func (q *copyQueue) add(job copyJob) func() kernel.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.busy {
		q.busy = true
		return func() kernel.Event { return q.copy(job) }
	}
	q.dropNext()
	w := &waitingCopy{job, make(chan bool, 1)}
	q.next = w
	return func() kernel.Event {
		if !<-w.turn {
			return nil
		}
		return q.copy(job)
	}
}

func (q *copyQueue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropNext()
}

func (q *copyQueue) dropNext() {
	if q.next == nil {
		return
	}
	q.next.secret.Wipe()
	q.next.turn <- false
	q.next = nil
}

// copy makes a copy, wipes the secret and hands the turn on, even in a panic.
func (q *copyQueue) copy(job copyJob) kernel.Event {
	defer q.done()
	defer job.secret.Wipe()
	if len(job.secret.Bytes()) == 0 {
		return secrets.ClipChanged{Seq: job.seq, At: q.now(), State: secrets.ClipEmpty}
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyTimeout)
	defer cancel()
	r, err := q.board.Copy(ctx, clipboard.Item{Secret: job.secret.Bytes(), TTL: job.ttl})
	ev := secrets.ClipChanged{Seq: job.seq, At: q.now(), State: clipState(r.State), Until: r.Until, Via: r.Via, Hinted: r.Hinted}
	if err == nil {
		q.succeeded(r.ID, job.seq)
		return ev
	}
	ev.State, ev.Hint = secrets.ClipFailed, err.Error()
	if errors.Is(err, clipboard.ErrNoTool) {
		ev.State = secrets.ClipNoTool
	}
	if r.Err != nil {
		ev.Hint = r.Err.Error()
	}
	return ev
}

func (q *copyQueue) succeeded(id uint64, seq poll.Seq) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.copied.id, q.copied.seq = id, seq
}

// done gives the next copy its turn.
func (q *copyQueue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.next == nil {
		q.busy = false
		return
	}
	q.next.turn <- true
	q.next = nil
}

// Reported turns what the board reports of an earlier copy into an event; false
// when it concerns none that is known. That the next copy of ours takes its
// place is no news.
func (x *Executor) Reported(r clipboard.Report) (kernel.Event, bool) {
	q := &x.copies
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.ID != q.copied.id || q.busy && r.State == clipboard.Replaced {
		return nil, false
	}
	ev := secrets.ClipChanged{Seq: q.copied.seq, At: q.now(), State: clipState(r.State), Until: r.Until}
	if r.Err != nil {
		ev.Hint = r.Err.Error()
	}
	return ev, true
}

func clipState(s clipboard.State) secrets.ClipState {
	switch s {
	case clipboard.Copied:
		return secrets.ClipCopied
	case clipboard.Sent:
		return secrets.ClipSent
	case clipboard.Cleared, clipboard.Blanked:
		return secrets.ClipCleared
	case clipboard.Replaced:
		return secrets.ClipReplaced
	case clipboard.CannotClear:
		return secrets.ClipStuck
	case clipboard.NoTool:
		return secrets.ClipNoTool
	default:
		return secrets.ClipNone
	}
}
