package lease_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/hub/lease"
)

func TestACardHasOneLease(t *testing.T) {
	t.Parallel()
	l := lease.New()
	ann, bob := lease.Holder{Key: "1", Name: "ann", What: "fund"}, lease.Holder{Key: "2", Name: "bob", What: "fund"}
	if _, ok := l.Take("card", ann); !ok {
		t.Error("a free card is leased")
	}
	if _, ok := l.Take("card", ann); !ok {
		t.Error("an operation stands in its own way")
	}
	if other, ok := l.Take("card", bob); ok || other != ann {
		t.Errorf("taken twice: %+v", other)
	}
	if _, ok := l.Take("another", bob); !ok {
		t.Error("a lease is of one card")
	}
	l.Release("card", bob.Key)
	if _, ok := l.Take("card", bob); ok {
		t.Error("another lets it go")
	}
	l.Release("card", ann.Key)
	if _, ok := l.Take("card", bob); !ok {
		t.Error("it is not let go")
	}
}
