package find

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txnlist"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
)

// Row is an item as the list shows it.
type Row struct {
	// Name is what it is called, Detail what else is known of it.
	Name, Detail string
	// Does is what enter does with it, About what it is; both may be cut.
	Does, About string
	// Ask is what enter asks for; nil for commands and accounts.
	Ask kernel.Intent
}

// Row returns an item as it is now; false when it is gone, hidden on a private
// screen, or a command or an account, which the store does not know.
func (ix *Index) Row(it Item) (Row, bool) {
	if it.Kind.private() && ix.store.Privacy.Private() {
		return Row{}, false
	}
	switch it.Kind {
	case Card:
		return ix.cardRow(api.CardID(it.ID))
	case Campaign:
		return ix.campaignRow(it.ID)
	case Merchant:
		in := pane.ShowList{List: settings.FeedList, Filter: pane.Term("merchant", it.ID)}
		return Row{Name: it.ID, Does: ix.store.Words().T("filter the transactions by the merchant"), Ask: in}, true
	case Transaction:
		return ix.transactionRow(it)
	case Setting:
		return ix.settingRow(it.ID)
	default:
		return Row{}, false
	}
}

func (ix *Index) cardRow(id api.CardID) (Row, bool) {
	c, ok := ix.store.Cards.Get(id)
	if !ok {
		return Row{}, false
	}
	row := Row{Name: ix.store.Cards.Name(id), Detail: ix.dollars(c.Balance), Does: ix.store.Words().T("select the card in the list"), Ask: pane.ShowCard{Card: id}}
	if c.Shown() != api.CardActive {
		row.Detail += " " + ix.store.Words().T(string(c.Shown()))
	}
	return row, true
}

// dollars is an amount, the sign first.
func (ix *Index) dollars(u api.USD) string {
	text := ix.store.Privacy.Display().Dollars(max(u, -u))
	if u < 0 {
		return "-" + text
	}
	return text
}

func (ix *Index) campaignRow(name string) (Row, bool) {
	row := Row{Name: name, Does: ix.store.Words().T("filter the cards by the campaign"), Ask: pane.ShowList{List: settings.CardList, Filter: pane.Term("campaign", name)}}
	if i := slices.IndexFunc(ix.campaigns, func(c CampaignText) bool { return c.Name == name }); i >= 0 {
		row.Detail = ix.store.Words().Tn(ix.campaigns[i].Cards, "%d card", "%d cards")
	}
	return row, true
}

func (ix *Index) transactionRow(it Item) (Row, bool) {
	all := ix.store.Txns.All()
	at := txnlist.Position(all, api.Transaction{ID: api.TransactionID(it.ID), CreatedAt: it.At})
	if at == len(all) || string(all[at].ID) != it.ID {
		return Row{}, false
	}
	t, among := &all[at], ix.among
	if !slices.Contains(among, t.ID) {
		among = []api.TransactionID{t.ID}
	}
	return Row{
		Name:   string(t.Merchant.Name) + " " + ix.store.Privacy.Display().Size(t) + " " + ix.store.Cards.Name(t.CardID),
		Detail: pane.KindText(ix.store.Words(), t) + " " + pane.When(ix.store.Words(), t.CreatedAt, ix.store.ServerNow()),
		Does:   ix.store.Words().T("open the transaction"),
		Ask:    txns.Inspect{Transaction: t.ID, Among: among},
	}, true
}

func (ix *Index) settingRow(name string) (Row, bool) {
	i := slices.IndexFunc(ix.own.Settings, func(s SettingText) bool { return s.Name == name })
	if i < 0 || ix.own.Settings[i].Own && ix.store.Privacy.Private() {
		return Row{}, false
	}
	s := &ix.own.Settings[i]
	return Row{Name: s.Name, Detail: s.Value, Does: ix.store.Words().T("go to the setting"), About: s.About, Ask: pane.ShowSetting{Name: name}}, true
}

// hit is an item that matches. text is nil where equal ones stay in their order.
type hit struct {
	place, score int32
	text         []byte
}

// compare orders hits: the best first, then the shortest, then by their texts.
func (h hit) compare(o hit) int {
	switch {
	case h.score != o.score:
		return cmp.Compare(o.score, h.score)
	case len(h.text) != len(o.text):
		return cmp.Compare(len(h.text), len(o.text))
	}
	if c := bytes.Compare(h.text, o.text); c != 0 {
		return c
	}
	return cmp.Compare(h.place, o.place)
}

// most is how many results there are at most, of all kinds and of each.
const most = 50

// top are the best hits of a kind, in order.
type top struct{ hits []hit }

// add takes a hit that is among the best.
func (t *top) add(h hit) {
	if n := len(t.hits); n == most {
		if h.compare(t.hits[n-1]) >= 0 {
			return
		}
		t.hits = t.hits[:n-1]
	}
	at, _ := slices.BinarySearchFunc(t.hits, h, hit.compare)
	t.hits = slices.Insert(t.hits, at, h)
}

// The first hits of a kind keep their score. Each further one loses some, so that
// the good ones of other kinds are not below all of a kind that has many.
const (
	crowdFree = 4
	crowdLoss = 3
)

// result is a hit among those of other kinds.
type result struct {
	hit
	kind Kind
	rank int32
}

// mix makes one list of the best of each kind, less what some lose.
func mix(tops *[kinds]top, loss func(kind Kind, place int32) int32) []result {
	var all []result
	for kind := range tops {
		for i, h := range tops[kind].hits {
			all = append(all, result{h, Kind(kind), h.score - crowdLoss*int32(max(0, i+1-crowdFree)) - loss(Kind(kind), h.place)})
		}
	}
	slices.SortStableFunc(all, func(x, y result) int {
		return cmp.Or(cmp.Compare(y.rank, x.rank), cmp.Compare(x.kind, y.kind))
	})
	return all[:min(len(all), most)]
}
