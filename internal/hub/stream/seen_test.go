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

func TestADigestTellsTextsApart(t *testing.T) {
	t.Parallel()
	digests := stream.NewDigests()
	of := func(number int64, texts ...string) uint64 {
		return digests.Of(func(d *stream.Digest) { d.Text(texts...); d.Number(number) })
	}
	same := of(1, "ab", "c")
	if of(1, "ab", "c") != same {
		t.Error("the same has two digests")
	}
	if of(1, "a", "bc") == same || of(2, "ab", "c") == same || of(1, "ab") == same {
		t.Error("different things have one digest")
	}
}
