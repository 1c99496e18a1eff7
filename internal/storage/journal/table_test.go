package journal

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// TestWhatIsOpenNeedsNotAllThatIsSettled joins files of random records with all of a run,
// and with what is open: the same is left.
func TestWhatIsOpenNeedsNotAllThatIsSettled(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []state.OpStatus{begun, begun, state.OpStatusUnknown, state.OpStatusDone, state.OpStatusRefused, state.OpStatusDismissed}
	file := func() (tab *table, records []record) {
		tab = newTable("")
		for range rnd.IntN(12) {
			r := record{
				Key: api.IdempotencyKey(fmt.Sprint("key-", rnd.IntN(5))), What: words[rnd.IntN(len(words))],
				At: noon().Add(time.Duration(rnd.IntN(100)) * time.Second),
			}
			tab.note(r)
			records = append(records, r)
		}
		return tab, records
	}
	left := 0
	for range 5000 {
		whole, others := file()
		own, mine := file()
		open := newTable("")
		for _, r := range others {
			open.note(r)
		}
		whole.join(own)
		open.joinOpen(own)
		if want, got := whole.left(), open.left(); !reflect.DeepEqual(want, got) {
			t.Fatalf("others %v\nown %v\nleaves %v\nnot %v", others, mine, got, want)
		}
		left += len(open.left())
	}
	if left == 0 {
		t.Error("nothing was ever left")
	}
}
