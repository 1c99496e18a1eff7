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
	"time"
)

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
