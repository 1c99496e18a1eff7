//go:build long

package e2e

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/label"
	"github.com/cardtop/cardtop/ui"
)

// withTemplates gives the program two templates of cards.
func withTemplates(bin string) func(*ui.Config) {
	limit, freeze := 500*api.Dollar, 5*api.Dollar
	return func(c *ui.Config) {
		c.Templates = []label.CardTemplate{
			{Name: "spring", Request: api.CreateCardRequest{
				BIN: api.BINID(bin), Amount: 25 * api.Dollar, Label: "new/spring/{n:02}", SpendingLimit: &limit, AutoFreezeAt: &freeze,
				AllowedCategories: []string{"7311", "5734"}, Metadata: map[string]string{"team": "growth"},
			}},
			{Name: "bare", Request: api.CreateCardRequest{Label: "bare"}},
		}
	}
}

const templateBIN = "424242"

func templated() options {
	return options{change: func(c *ui.Config) {
		withTemplates(templateBIN)(c)
		store := c.Store.Reloadable()
		store.Templates = c.Templates
		c.Store.Reload(store)
	}}
}

func TestACardFromATemplate(t *testing.T) {
	t.Parallel()
	story(t, templated(), func(d *driver) {
		d.press("n")
		d.see("template", "◂ none ▸", "space: next")
		d.press(" ")
		d.see("◂ spring ▸", templateBIN, "25.00", "new/spring/01", "500.00", "7311, 5734", "5.00", "team=growth")
		d.press(" ")
		d.see("◂ bare ▸", "label          bare", "enter: choose")
		d.seeNot("team=growth", "7311")
		d.press(" ", " ", "enter", "tab", "enter")
		d.wait(2 * time.Second)
		d.see("is issued with $25.00")
		card := d.api(http.MethodGet, "/cards/"+text(t, objects(t, d.api(http.MethodGet, "/cards?label=new/spring", nil)["data"])[0]["id"]), nil)
		if want := map[string]any{"team": "growth"}; card["label"] != "new/spring/01" || card["spending_limit"] != 500.0 || !reflect.DeepEqual(card["metadata"], want) {
			t.Errorf("issued %v", card)
		}
		d.press("n", " ")
		d.see("new/spring/02")
	})
}

func TestWhatIsTypedOverATemplateStays(t *testing.T) {
	t.Parallel()
	story(t, templated(), func(d *driver) {
		d.press("N", " ")
		d.see("◂ spring ▸", "first number   1", "team=growth")
		d.press("down", "down", "down", "down")
		d.write("3")
		d.see("new/spring/01 … new/spring/03 · 3 cards · $75.00")
		d.press("enter")
		d.see("Issue 3 cards", "new/spring/03")
		d.press("tab", "enter")
		d.wait(3 * time.Second)
		d.see("3 of 3 done", "space select 3")
		d.press(" ")
		d.see("3 selected · Σ $75.00")
		// The next form begins where this one ended.
		d.press("N")
		d.see("◂ none ▸", "cards          3", "new/spring/{n:02}", "first number   4", "7311, 5734", "5.00", "team=growth", "new/spring/04 … new/spring/06")
	})
}

func TestTheNextSelectedCardIsCopied(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press(" ", " ", " ", "g")
		var seen []string
		for range 3 {
			d.press("ctrl+n")
			d.wait(2 * time.Second)
			text := d.board.Text()
			if strings.Count(text, "|") != 4 {
				t.Fatalf("copied %d parts", strings.Count(text, "|")+1)
			}
			seen = append(seen, text)
		}
		if seen[0] == seen[1] || seen[1] == seen[2] || seen[0] == seen[2] {
			t.Error("not each in turn")
		}
		copies := d.board.Copies()
		d.press("ctrl+n")
		d.see("that was the last of the selected cards")
		if n := d.board.Copies(); n != copies {
			t.Errorf("%d more copies", n-copies)
		}
	})
}

func TestACardLikeAnother(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		first := d.pick()
		d.press("I")
		d.wait(time.Second)
		template, n, _ := label.Numbered(first.label)
		d.see("Issue a card")
		d.seeNot("label          "+first.label+" ", "enter: choose")
		d.write("5")
		d.press("enter", "tab", "enter")
		d.wait(2 * time.Second)
		d.see("is issued with $5.00")
		for _, c := range objects(t, d.api(http.MethodGet, "/cards?per_page=100", nil)["data"]) {
			if c["balance"] != 5.0 {
				continue
			}
			like, of := d.api(http.MethodGet, "/cards/"+text(t, c["id"]), nil), d.api(http.MethodGet, "/cards/"+first.id, nil)
			for _, field := range []string{"bin_id", "spending_limit", "metadata"} {
				if !reflect.DeepEqual(like[field], of[field]) {
					t.Errorf("%s is %v, of the other %v", field, like[field], of[field])
				}
			}
			if got, m, _ := label.Numbered(text(t, like["label"])); got != template || m <= n {
				t.Errorf("label %v after %s", like["label"], first.label)
			}
			return
		}
		t.Error("there is no such card")
	})
}

// TestATemplateGoesBeforeALikeness that is known better only later.
func TestATemplateGoesBeforeALikeness(t *testing.T) {
	t.Parallel()
	story(t, templated(), func(d *driver) {
		d.trouble("GET /cards/{card_id}", "latency", 9, 3000)
		d.pick()
		d.press("I", "up", "up", " ")
		d.see("◂ spring ▸", "25.00", "new/spring/01")
		d.wait(30 * time.Second)
		d.see("◂ spring ▸", "25.00", "new/spring/01", "team=growth")
	})
}

func TestNothingIsLikeNoCard(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("/")
		d.write("nothing like it")
		d.press("enter", "I")
		d.see("no card is selected")
		d.seeNot("Issue a card")
	})
}
