package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// binsFresh is how long the BINs need no reading again.
const binsFresh = 10 * time.Minute

// BINsTable keeps the BINs.
type BINsTable struct {
	*core

	rows  []api.BIN
	okAt  time.Time
	err   error
	asked bool
	stale bool // one of them was refused
}

func (b *BINsTable) known() bool { return !b.okAt.IsZero() }

// BINs lists the BINs that cards can be issued from; known is false before
// they were read, and err tells why that failed. The slice is the store's own.
func (bi *BINsTable) All() (rows []api.BIN, known bool, err error) {
	return bi.rows, bi.known(), bi.err
}

// BIN finds a BIN.
func (bi *BINsTable) Get(id api.BINID) (api.BIN, bool) {
	for _, b := range bi.rows {
		if b.ID == id {
			return b, true
		}
	}
	return api.BIN{}, false
}

func (bi *BINsTable) load(anew bool) []Effect {
	if bi.asked || !anew && bi.known() && !bi.stale && poll.Elapsed(bi.okAt, bi.now) < binsFresh {
		return nil
	}
	bi.asked, bi.err = true, nil
	return []Effect{FetchBINs{}}
}

func (bi *BINsTable) loaded(ev BINsLoaded) {
	*bi = BINsTable{core: bi.core, rows: ev.Items, okAt: ev.At}
}

func (bi *BINsTable) failed(err error) {
	bi.asked, bi.err = false, err
}
