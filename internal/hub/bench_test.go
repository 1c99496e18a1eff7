package hub_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// BenchmarkReads is a page of 100 of 800 cards, for who sees all and for who sees some.
func BenchmarkReads(b *testing.B) {
	for _, who := range []team.Person{admin(), {Name: "ann", Role: team.Buyer, Labels: []string{"fb/*"}}} {
		b.Run(who.Name, func(b *testing.B) {
			s := open(b, sandbox.Config{Seed: 1, Quiet: true, Cards: 800, NoLimits: true}, who)
			s.begin()
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r := httptest.NewRequest(http.MethodGet, "/v1/cards?per_page=100", http.NoBody)
					r.Header.Set("Authorization", "Bearer "+s.tokens[who.Name])
					w := httptest.NewRecorder()
					if s.hub.ServeHTTP(w, r); w.Code != http.StatusOK {
						b.Errorf("answered %d", w.Code)
						return
					}
				}
			})
		})
	}
}
