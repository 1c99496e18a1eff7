package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestAShortListOfTransactionsKeepsItsLinesForRows(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		d.press("3")
		d.see("3 Transactions")
		d.seeNot("merchant")
	})
}

func TestTheColumnsOfCodesAreNamedWhereNoCodeNeedsTheLine(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		cards := objects(t, d.api(http.MethodGet, "/cards?per_page=20&status=active", nil)["data"])
		for n := 3; n < 10; n++ {
			d.see(fmt.Sprintf("%d pending", n))
			if named, room := d.line("age    left") != "", n <= 7; named != room {
				t.Errorf("with %d codes the columns are named: %v\n%s", n, named, d.screen())
			}
			d.challenge(text(t, cards[n]["id"]), "Acme", "482913", 1)
			d.wait(1500 * time.Millisecond)
		}
	})
}
