package sandbox

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// numbers are such that a reader is tempted to round, cut or wrap them.
func numbers() []string {
	nines, zeros := strings.Repeat("9", 400), strings.Repeat("0", 400)
	return []string{
		"0", "-0", "-0.0", "0e5", "0.01", "-0.01", "0.001", "1e-2", "5", "5.00", "5." + zeros, "5." + zeros + "1", "1E1", "-5", "100.5", "4.999999999999999999999",
		"1e-400", "-1e-400", "1e400", "-1e400", "1e13", "1e15", "-1e13", "9999999999999.99", "9999999999999.999", "10000000000000", "-9999999999999.99",
		"2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1844674407370955166.16", nines, "-" + nines, nines + "." + nines,
		"1e99999999999999999999", "1e-99999999999999999999", "0." + zeros + "1",
	}
}

// exactly reads a number as it is, but for one with an exponent that nobody
// means: that is as good as the smallest, or false when it is large.
func exactly(text string) (*big.Rat, bool) {
	if _, exp, ok := strings.Cut(strings.ToLower(text), "e"); ok && len(exp) > 5 {
		if !strings.HasPrefix(exp, "-") {
			return nil, false
		}
		text = "1e-400"
	}
	return new(big.Rat).SetString(text)
}

// TestNoNumberIsKeptAsAnother: a number of a body is kept as it is, to the last
// digit, or refused with the name of its field.
func TestNoNumberIsKeptAsAnother(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "1000000000"})
	card := c.send("POST", "/cards", `{"bin_id":"424242","amount":5000}`).want(201).text("id")
	refunded := c.send("POST", "/cards", `{"bin_id":"424242","amount":1}`).want(201).text("id")
	for _, f := range []struct{ method, path, body, field, kept string }{
		{"POST", "/cards", `{"bin_id":"424242","amount":%s}`, "amount", "balance"},
		{"POST", "/cards", `{"bin_id":"424242","amount":1,"spending_limit":%s}`, "spending_limit", "spending_limit"},
		{"POST", "/cards", `{"bin_id":"424242","amount":1,"auto_freeze_at":%s}`, "auto_freeze_at", "auto_freeze_at"},
		{"PATCH", "/cards/" + card, `{"spending_limit":%s}`, "spending_limit", "spending_limit"},
		{"PATCH", "/cards/" + card, `{"auto_freeze_at":%s}`, "auto_freeze_at", "auto_freeze_at"},
		{"POST", "/cards/" + card + "/fund", `{"amount":%s}`, "amount", "funded_amount"},
		{"POST", "/cards/" + card + "/withdraw", `{"amount":%s}`, "amount", "withdrawn_amount"},
		{"POST", "/sandbox/challenges", `{"amount":%s}`, "amount", "amount"},
		{"POST", "/sandbox/transactions", `{"card_id":"` + refunded + `","type":"refund","amount":%s}`, "amount", "amount"},
		{"POST", "/sandbox/deposits", `{"currency":"usdt","amount_usd":%s}`, "amount_usd", "amount_usd"},
		{"POST", "/sandbox/clock", `{"advance_seconds":%s}`, "advance_seconds", ""},
		{"POST", "/sandbox/faults", `{"kind":"latency","route":"GET /bins","latency_ms":%s}`, "latency_ms", "latency_ms"},
		{"POST", "/sandbox/faults", `{"kind":"server_error","route":"GET /bins","times":%s}`, "times", "times"},
	} {
		for _, number := range numbers() {
			got := c.send(f.method, f.path, fmt.Sprintf(f.body, number))
			said := fmt.Sprintf("%s %s, %s %.40s", f.method, f.path, f.field, number)
			if got.status >= 300 {
				lacks := got.text("error") == "insufficient_funds"
				if got.status != 400 || !lacks && (got.text("error") != "invalid_request" || !strings.Contains(got.text("message"), f.field)) {
					t.Errorf("%s: %d %s", said, got.status, got.raw)
				}
				continue
			}
			asked, meant := exactly(number)
			if f.kept == "" {
				continue
			}
			kept := fmt.Sprint(got.body[f.kept])
			if got.body[f.kept] == nil {
				kept = "0" // No threshold.
			}
			if is, ok := exactly(kept); !meant || !ok || is.Cmp(asked) != 0 {
				t.Errorf("%s is kept as %s", said, kept)
			}
		}
	}
	c.send("DELETE", "/sandbox/faults", "").want(200)
}
