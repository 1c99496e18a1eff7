package campaign_test

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/state/campaign"
)

func TestWhatWasReadCountsMore(t *testing.T) {
	t.Parallel()
	var n campaign.Named
	n.Set("b", "read")
	n.Recall([]campaign.Name{{Card: "a", Name: "old"}, {Card: "b", Name: "old"}, {Card: "c", Name: "old"}})
	n.Set("c", "")
	if !n.Recalled("a") || n.Recalled("b") || n.Recalled("c") || !n.Known("c") || n.Known("d") {
		t.Errorf("%+v", n)
	}
	want := []campaign.Name{{Card: "a", Name: "old"}, {Card: "b", Name: "read"}, {Card: "c"}}
	if got := n.All(); !slices.Equal(got, want) || n.Of("b") != "read" || n.Of("d") != "" {
		t.Errorf("%v", got)
	}
}
