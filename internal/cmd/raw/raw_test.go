package raw

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// TestAnAnswerIsPrintedAsItIs, however long its words are, and nothing of it acts on a terminal.
func TestAnAnswerIsPrintedAsItIs(t *testing.T) {
	text := strings.Repeat("https://example.com/", 40) + " a  b\u00a0c \u009b31m \u202e e\u0301 \U000e0041 \x1b]0;x\a ☃"
	body, err := json.Marshal(map[string]string{"label": text})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := printJSON(&out, body); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\u009b\u202e\x1b\a\U000e0041") {
		t.Errorf("%q", out.String())
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back["label"] != text {
		t.Errorf("%v: %q", err, back["label"])
	}
	if err := printJSON(&out, []byte(`{"data":[],"withheld":"viewers see no codes"}`)); !errors.Is(err, api.ErrWithheld) {
		t.Errorf("a list that a hub withholds: %v", err)
	}
}
