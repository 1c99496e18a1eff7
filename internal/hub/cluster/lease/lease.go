// Package lease holds that one hub leads at a time. The lease is one value in a
// register that the hubs compare and swap.
//
// No wall clock decides anything. A holder gives up on its own monotonic clock before
// its lease ends; another hub takes over what it has itself seen unchanged for as long
// as a lease lasts. The register's order decides between two that do so at once. So
// the clocks of the machines may differ by any amount, those of the register's too;
// their rates may differ by a tenth.
package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Reasons why a lease is over.
var (
	ErrExpired  = errors.New("the lease could not be renewed in time")
	ErrTaken    = errors.New("another hub has the lease")
	ErrReleased = errors.New("the lease was given back")
)

// Lease is held by this hub until it is lost. It may be used from several goroutines.
type Lease struct {
	cfg    Config
	token  string
	number uint64
	until  atomic.Int64 // by the clock

	// Of the goroutine that renews: the newest revision, and when it was asked for.
	revision uint64
	sent     time.Duration

	mu   sync.Mutex
	err  error
	lost chan struct{}

	once sync.Once
	stop chan struct{}
}

// Number tells this lease from all others: a later lease has a higher one.
func (l *Lease) Number() uint64 { return l.number }

// Left returns how long the lease is valid without another renewal; 0 when it is
// over. It reads the clock: a process that was stopped sees it at once.
func (l *Lease) Left() time.Duration {
	select {
	case <-l.lost:
		return 0
	default:
		return max(0, time.Duration(l.until.Load())-l.cfg.Clock())
	}
}

// Lost is closed when the lease is over.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Err returns why the lease is over; nil while it is not.
func (l *Lease) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Release gives the lease back, so that another hub need not wait. It returns when
// the renewing has ended; the error says that the others have to wait.
func (l *Lease) Release(ctx context.Context) error {
	l.once.Do(func() { close(l.stop) })
	select {
	case <-l.lost:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !errors.Is(l.Err(), ErrReleased) {
		return nil
	}
	data, err := encode(value{Version: version, Token: l.token, Name: l.cfg.Name, Number: l.number, TTL: l.cfg.TTL.Milliseconds(), Free: true})
	if err != nil {
		return err
	}
	if _, err := l.cfg.Register.Swap(ctx, l.revision, data); err != nil && !errors.Is(err, ErrMoved) {
		return fmt.Errorf("give back lease: %w", err)
	}
	return nil
}

// lasts is for how long the holder uses a lease, from the moment the request was sent.
func (l *Lease) lasts() time.Duration { return l.cfg.TTL - l.cfg.TTL/margins }

// renew renews the lease until it is over. Renewals are a third of the TTL apart, from
// request to request.
func (l *Lease) renew() {
	var err error
	for {
		wait := l.sent + l.cfg.TTL/renewals - l.cfg.Clock()
		if err != nil {
			wait = l.cfg.TTL / polls
		}
		select {
		case <-l.stop:
			l.end(ErrReleased)
			return
		case <-time.After(max(min(wait, l.Left()), time.Millisecond)):
		}
		left := l.Left()
		if left == 0 {
			l.end(ErrExpired)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), min(left, l.cfg.TTL/renewals))
		err = l.extend(ctx)
		cancel()
		if errors.Is(err, ErrTaken) {
			l.end(err)
			return
		}
	}
}

// extend renews the lease once. A renewal whose answer was lost may have been written:
// it does not count, but the next one follows it.
func (l *Lease) extend(ctx context.Context) error {
	data, err := encode(value{Version: version, Token: l.token, Name: l.cfg.Name, Number: l.number, TTL: l.cfg.TTL.Milliseconds(), Note: l.cfg.note(l.number)})
	if err != nil {
		return err
	}
	for range 2 {
		sent := l.cfg.Clock()
		revision, err := l.cfg.Register.Swap(ctx, l.revision, data)
		if err == nil {
			l.revision, l.sent = revision, sent
			l.until.Store(int64(sent + l.lasts()))
			return nil
		}
		if !errors.Is(err, ErrMoved) {
			return fmt.Errorf("renew lease: %w", err)
		}
		if err := l.follow(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("renew lease: %w", ErrMoved)
}

// follow reads the revision of an own renewal.
func (l *Lease) follow(ctx context.Context) error {
	data, revision, err := l.cfg.Register.Load(ctx)
	if err != nil {
		return fmt.Errorf("read lease: %w", err)
	}
	if revision <= l.revision {
		return nil // An old value: the next try reads again.
	}
	v, err := decode(data)
	if err != nil || v.Token != l.token {
		return ErrTaken
	}
	l.revision = revision
	return nil
}

func (l *Lease) end(why error) {
	l.mu.Lock()
	l.err = why
	l.mu.Unlock()
	close(l.lost)
}

// startClock counts from now with Go's monotonic clock.
func startClock() Clock { return Since(time.Now) } //nolint:forbidigo // the one clock of the cluster

// Since counts from now by a clock that is never set.
func Since(now func() time.Time) Clock {
	start := now()
	return func() time.Duration { return now().Sub(start) }
}

// ErrMoved means that a register or a stream has a newer value than the one that the
// caller has seen: nothing was written.
var ErrMoved = errors.New("it has changed since it was read")

// Register is one value that all hubs share.
type Register interface {
	// Load returns the value and its revision, 0 for none. It may be an older one than
	// the newest.
	Load(ctx context.Context) (data []byte, revision uint64, err error)
	// Swap writes a value when revision is that of the newest, and returns the new
	// revision, which is higher; ErrMoved when it is not. After any other error the
	// value may have been written, or may be later.
	Swap(ctx context.Context, revision uint64, data []byte) (uint64, error)
}

// Clock returns the time since any fixed moment. It must not be set back or forth.
type Clock func() time.Duration

// version is that of the values below. A hub that finds another one waits.
const version = 1

// value is what the register holds.
type value struct {
	Version int `json:"v"`
	// Token is random, new for each attempt to get the lease.
	Token string `json:"token"`
	// Name is the name of the hub, to be shown.
	Name string `json:"name"`
	// Number is that of the lease; 0 in the first value of a lease, whose revision it
	// is.
	Number uint64 `json:"number,omitempty"`
	// TTL is how long the lease lasts from this value on, in milliseconds.
	TTL int64 `json:"ttl_ms"`
	// Note is what the holder tells with a renewal. It decides nothing of the lease.
	Note string `json:"note,omitempty"`
	// Free reports that the holder gave it back.
	Free bool `json:"free,omitempty"`
}

func encode(v value) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode lease: %w", err)
	}
	return data, nil
}

func decode(data []byte) (value, error) {
	var v value
	if err := json.Unmarshal(data, &v); err != nil {
		return value{}, fmt.Errorf("decode lease: %w", err)
	}
	if v.Version != version {
		return value{}, fmt.Errorf("decode lease: version %d, this program has %d", v.Version, version)
	}
	return v, nil
}
