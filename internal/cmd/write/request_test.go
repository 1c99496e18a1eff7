package write

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state/rows"
)

// TestABodyIsPrintedWhole: at any length, and without what acts on a terminal.
func TestABodyIsPrintedWhole(t *testing.T) {
	for _, label := range []string{"fb/01", strings.Repeat("ab ", 400), "a\x1b[2J\u009b1m\u202eb\U000E0041ラ\"\\"} {
		body, err := json.Marshal(map[string]string{"label": label})
		if err != nil {
			t.Fatal(err)
		}
		cell := rows.Cells(RequestFields(), act.Request{Method: "POST", Path: "/cards", Body: string(body)})[2]
		var got map[string]string
		if err := json.Unmarshal([]byte(cell.JSON), &got); err != nil || got["label"] != label || cell.Text != cell.JSON {
			t.Errorf("%q: %v, %q", cell.JSON, err, cell.Text)
		}
		if strings.ContainsAny(cell.Text, "\x1b\u009b\u202e\U000E0041") {
			t.Errorf("%q acts on a terminal", cell.Text)
		}
	}
}
