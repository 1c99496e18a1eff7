package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// binsFresh is how long the BINs need no reading again.
const binsFresh = 10 * time.Minute

// binBook keeps the BINs.
type binBook struct {
	rows  []api.BIN
	okAt  time.Time
	err   error
	asked bool
	stale bool // one of them was refused
}

func (b *binBook) known() bool { return !b.okAt.IsZero() }

// BINs lists the BINs that cards can be issued from; known is false before
// they were read, and err tells why that failed. The slice is the store's own.
func (s *Store) BINs() (rows []api.BIN, known bool, err error) {
	return s.bins.rows, s.bins.known(), s.bins.err
}

// BIN finds a BIN.
func (s *Store) BIN(id api.BINID) (api.BIN, bool) {
	for _, b := range s.bins.rows {
		if b.ID == id {
			return b, true
		}
	}
	return api.BIN{}, false
}

func (s *Store) loadBINs(anew bool) []Effect {
	if s.bins.asked || !anew && s.bins.known() && !s.bins.stale && poll.Elapsed(s.bins.okAt, s.now) < binsFresh {
		return nil
	}
	s.bins.asked, s.bins.err = true, nil
	return []Effect{FetchBINs{}}
}

func (s *Store) binsLoaded(ev BINsLoaded) Topic {
	s.bins = binBook{rows: ev.Items, okAt: ev.At}
	s.judgeSheet()
	return TopicBINs
}

func (s *Store) binsFailed(err error) {
	s.bins.asked, s.bins.err = false, err
}
