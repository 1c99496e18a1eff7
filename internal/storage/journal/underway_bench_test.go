package journal

import (
	"fmt"
	"testing"

	"github.com/cardtop/cardtop/api"
)

// BenchmarkUnderWay begins and ends an operation, and lists those under way in between,
// as a write of a rule does, in a run that has settled some before.
func BenchmarkUnderWay(b *testing.B) {
	for _, before := range []int{100, 20_000} {
		b.Run(fmt.Sprint(before), func(b *testing.B) {
			j, err := Open("", noon)
			if err != nil {
				b.Fatal(err)
			}
			w, err := api.FundWrite("card_1", 25*api.Dollar)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			write := func() {
				op := fund(api.IdempotencyKey(fmt.Sprintf("key-%08d", n)))
				n++
				if err := j.Begin(op, w); err != nil {
					b.Fatal(err)
				}
				if open, err := j.UnderWay(); err != nil || len(open) != 1 {
					b.Fatal(open, err)
				}
				if err := j.End(op, api.Done); err != nil {
					b.Fatal(err)
				}
			}
			for range before {
				write()
			}
			b.ReportAllocs()
			for b.Loop() {
				write()
			}
		})
	}
}
