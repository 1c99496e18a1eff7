package write

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
)

// TestKeysOfRowsStay pins the keys that follow from a key of the user: a line that is run again after an update of the
// program must not act twice.
func TestKeysOfRowsStay(t *testing.T) {
	t.Parallel()
	cards := []api.CardID{"card_1"}
	request := api.CreateCardRequest{BIN: "411111", Amount: 25 * api.Dollar, Label: "fb/01"}
	var got []string
	for _, in := range []state.Writes{
		{Kind: state.BulkFreeze, Cards: cards},
		{Kind: state.BulkUnfreeze, Cards: cards},
		{Kind: state.BulkFund, Cards: cards, Amount: 25 * api.Dollar},
		{Kind: state.BulkFund, Cards: cards, Share: state.ShareSplit, Amount: 25 * api.Dollar},
		{Kind: state.BulkFund, Cards: cards, Share: state.ShareLevel, Amount: 2550 * api.Cent},
		{Kind: state.BulkWithdraw, Cards: cards, Share: state.ShareAll},
		{Kind: state.BulkLimit, Cards: cards, Amount: 100 * api.Dollar},
		{Kind: state.BulkLabel, Cards: cards, Template: "fb/{n}", First: 3},
		{Kind: state.BulkTerminate, Cards: cards},
		{Kind: state.BulkIssue, Rows: []cardcsv.Row{{Line: 2, Request: request}}},
	} {
		c := &Command{key: "key-1", shape: shapeOf(in)}
		got = append(got, fmt.Sprint(in.Kind, " ", c.planID(in.Kind, 1), " ", c.keysOf(in)))
	}
	want := []string{
		"freeze 2e9242a6f0990e7ffbb8bdfc037fabed [573450621b7bfc6f07b19925a5b669f1e3b0c442]",
		"unfreeze 789ee455d69c5eb0657c8cd3a8d7174c [2fa1af862bc5d01b6f413e2187d6adc7e3b0c442]",
		"fund 26a96615ce7ddd438d642c60568c4820 [ed9933e1ee5a61f71b8f238b1e6cf98db752e353]",
		"fund 26a96615ce7ddd438d642c60568c4820 [ed9933e1ee5a61f71b8f238b1e6cf98ddc95e729]",
		"fund 26a96615ce7ddd438d642c60568c4820 [ed9933e1ee5a61f71b8f238b1e6cf98d4bda10f5]",
		"withdraw aaa137d952f31a791b767c27b5c92e33 [5e6c9ad7987cd71efa10a29a6b1909ccf3295e6f]",
		"limit 0373c5dc0b7a220130d2bf07b5c3eaab [3c6203cfdb2cc5f837a54fc242e3870cd66c66a9]",
		"label 3f08b1678ec3bbbe1e3c88aaa9fbc227 [e3856e93c2d1d1179d6cdd67881eaf2757ebea69]",
		"terminate 55c4826423b00034c4c4a1e30ce7a242 [4f89d26846aee284e34f52b158f83744e3b0c442]",
		"issue 134b21e686a801f778c27c1397e0d8f3 [9c8978f5b3110c5a51003541548cb372d9bc4ac1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the keys are\n%q\nand were\n%q", got, want)
	}
}
