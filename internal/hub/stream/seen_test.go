package stream_test

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/internal/hub/stream"
)

func TestOnlyWhatDiffersFromWhatAViewSawIsTold(t *testing.T) {
	t.Parallel()
	seen := stream.NewSeen()
	told := func(view string, now map[string]uint64, want ...string) {
		t.Helper()
		got := seen.Changed(view, now)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is told %v, want %v", view, got, want)
		}
	}
	told("all", map[string]uint64{"cards": 1})
	if seen.Begun("all") {
		t.Error("a change of one part is not all of them")
	}
	seen.Begin("all", map[string]uint64{"cards": 2, "codes": 5, "wallet": 7})
	if !seen.Begun("all") || seen.Begun("fb/") {
		t.Error("which view has begun is not kept")
	}
	// The cards are as they were when the change was told, not as when the view began.
	told("all", map[string]uint64{"cards": 2, "codes": 5, "wallet": 8}, "cards", "wallet")
	told("all", map[string]uint64{"cards": 2, "wallet": 8})
	told("fb/", map[string]uint64{"cards": 9})
	seen.Forget("all")
	told("all", map[string]uint64{"cards": 3})
	if seen.Begun("all") {
		t.Error("a view that was forgotten has begun")
	}
	told("fb/", map[string]uint64{"cards": 10}, "cards")
}
