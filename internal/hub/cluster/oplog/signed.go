package oplog

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// ErrForeign means that nothing in the log is signed with a key of this hub.
var ErrForeign = errors.New("the log is of hubs with another key")

// Signed is a stream in which only messages of the hubs count. Each is signed with its
// place: one that somebody on the servers stores again, at another place or in another
// cluster, is left out as one that they made up.
func Signed(s Stream, keys *seal.Keys) Stream { return signed{s, keys} }

type signed struct {
	Stream
	keys *seal.Keys
}

// place is what the message at a sequence is signed with.
func place(sequence uint64) string { return fmt.Sprintf("operation %d", sequence) }

// Append stores a message, whose sequence is the next.
func (s signed) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	return s.Stream.Append(ctx, last, subject, s.keys.Sign(data, place(last+1)))
}

// Read calls f with the messages of the hubs. A hub with a wrong key must not take a log
// for empty, so one without any message that counts is refused.
func (s signed) Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	own, others := false, false
	newest, err := s.Stream.Read(ctx, after, func(sequence uint64, data []byte) error {
		plain, err := s.keys.Verify(data, place(sequence))
		if err != nil {
			others = true
			return nil //nolint:nilerr // It counts for nobody.
		}
		own = true
		return f(sequence, plain)
	})
	if err == nil && after == 0 && others && !own {
		err = ErrForeign
	}
	return newest, err
}
