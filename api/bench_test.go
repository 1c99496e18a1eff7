package api

import (
	"encoding/json"
	"strings"
	"testing"
)

func benchPage[T any](b *testing.B, row string) {
	b.Helper()
	body := []byte(`{"data":[` + strings.TrimSuffix(strings.Repeat(row+",", MaxPerPage), ",") + `],"pagination":{"page":1,"per_page":100,"total":100}}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var p Page[T]
		if err := json.Unmarshal(body, &p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeCards(b *testing.B) {
	benchPage[CardItem](b, `{"id":"card_8fj2","bin_id":"428800","network":"visa","last4":"4242","status":"active","balance":182.40,"label":"fb/spring/01","created_at":"2026-03-01T12:00:00Z"}`)
}

func BenchmarkDecodeTransactions(b *testing.B) {
	benchPage[Transaction](b, `{"id":"txn_1a","card_id":"card_8fj2","type":"settlement","amount":-3.10,"currency":"USD","merchant":{"name":"Meta Platforms","category":"advertising","mcc":"7311","country":"US"},"balance_after":46.90,"created_at":"2026-03-01T12:00:00Z"}`)
}

func BenchmarkClean(b *testing.B) {
	for _, s := range []string{"Meta Platforms", "Café – 東京 🚀", strings.Repeat("\x1b]0;x", 10_000)} {
		b.Run(s[:4], func(b *testing.B) {
			for b.Loop() {
				Clean(s)
			}
		})
	}
}
