package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// manyDecimals finds numbers that are too fine for an amount.
var manyDecimals = regexp.MustCompile(`":-?\d+\.\d{3,}`)

// checkBody checks what holds for every answer: refusals have the error body,
// and no amount has more than two decimals.
func checkBody(tb testing.TB, r *http.Request, got reply) (isJSON bool) {
	tb.Helper()
	isJSON = got.header.Get("Content-Type") == "application/json" && r.Method != http.MethodHead
	if got.status >= 400 && isJSON {
		checkErrorBody(tb, got)
	}
	if found := manyDecimals.Find(got.raw); found != nil {
		tb.Errorf("%s %s answers %s: more than two decimals", r.Method, r.URL.Path, found)
	}
	return isJSON
}

func checkErrorBody(tb testing.TB, got reply) {
	tb.Helper()
	var body wire.ErrorBody
	d := json.NewDecoder(bytes.NewReader(got.raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		tb.Fatalf("error body %q: %v", got.raw, err)
	}
	if body.Error == "" || body.Message == "" || body.Code != got.status || !strings.HasPrefix(body.RequestID, "req_") {
		tb.Errorf("error body %s with status %d", got.raw, got.status)
	}
}
