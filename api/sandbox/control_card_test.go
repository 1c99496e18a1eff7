package sandbox

import (
	"strings"
	"testing"
)

func TestATriggersCardIsNamedInShort(t *testing.T) {
	c := quiet(t)
	ids := make(map[string]string) // by the last four digits; empty for several
	var all []string
	for range 40 {
		id := c.newCard("5")
		last4 := c.send("GET", "/cards/"+id, "").want(200).text("last4")
		if _, twice := ids[last4]; twice {
			id = ""
		}
		ids[last4] = id
		all = append(all, id)
	}
	use := func(name string, status int) reply {
		return c.send("POST", "/sandbox/transactions", `{"card_id":"`+name+`","type":"settlement","amount":1}`).want(status)
	}
	for last4, id := range ids {
		if id != "" && use(last4, 201).text("card_id") != id {
			t.Errorf("%s is not %s", last4, id)
		}
	}
	id := all[0]
	for _, name := range []string{id, id[:len(id)-2], strings.TrimPrefix(id, cardPrefix)[:14]} {
		if got := use(name, 201).text("card_id"); got != id {
			t.Errorf("%s is %s, want %s", name, got, id)
		}
	}
	// Their ids begin alike.
	if text := use(id[:len(cardPrefix)+5], 400).text("message"); !strings.Contains(text, "card_id fits several cards: card_") || !strings.Contains(text, " ••") || !strings.HasSuffix(text, " more") {
		t.Errorf("refused with %q", text)
	}
	use("card_", 404)
	use("", 400)
	use("zzzz", 404)
}
