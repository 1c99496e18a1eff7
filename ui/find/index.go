package find

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// Own is what the store does not have.
type Own struct {
	Commands  []CommandText
	Settings  []SettingText
	Accounts  []AccountText
	Campaigns func() []CampaignText // of the cards as they are now
}

// CommandText is a command: what it does, the name of its action, where its key
// works, and further words for it. ID identifies it.
type CommandText struct {
	ID, Help, Action, Place, Words string
	// Barred commands cannot run now.
	Barred bool
}

// SettingText is a setting of the configuration. Own: the user named it, after
// labels perhaps.
type SettingText struct {
	Name, Value, About string
	Own                bool
}

// AccountText is an account to switch to; ID identifies it.
type AccountText struct{ ID, Name, Where string }

// CampaignText is a campaign and how many cards it has.
type CampaignText struct {
	Name  string
	Cards int
}

// Index has the texts of all that can be found. It is filled and searched in
// slices, as there is time.
type Index struct {
	store *state.Store
	own   Own

	texts     [kinds]texts
	cards     uint64 // the version of the cards that are in
	campaigns []CampaignText
	merchants []api.Text
	txns      []txn
	listed    version

	what    typed
	filled  bool // once, since the index was made
	done    bool // the search
	kind    Kind // to be searched next, from a place on
	place   int
	best    [kinds]top
	private bool // as the screen was when the search began
	found   []Item
	// among are the transactions that were found, the newest first.
	among []api.TransactionID
}

// txn is what is found of a transaction, and by what it is looked up.
type txn struct {
	id       api.TransactionID
	at       time.Time
	card     api.CardID
	merchant api.Text
	amount   api.USD
}

// version tells whether there are other transactions or merchants than were listed.
type version struct {
	newest          api.TransactionID
	txns, merchants int
}

// New makes an index, which is filled by Work.
func New(s *state.Store, own Own) *Index {
	ix := &Index{store: s, own: own}
	for kind, weights := range [kinds][]int{
		Command: {0, 1, 2, 0}, Card: {0, 1}, Campaign: {0}, Merchant: {0}, Transaction: {0, 1, 2, 0}, Setting: {1, 40}, Account: {1, 2},
	} {
		ix.texts[kind].weights = weights
	}
	ix.texts[Command].ordered, ix.texts[Transaction].ordered = true, true // The nearest, the newest.
	return ix
}

// Ask begins to look for a text, from the first slice on.
func (ix *Index) Ask(text string) {
	ix.what, ix.done, ix.found = read(text), false, nil
	ix.begin()
}

// begin begins the search anew.
func (ix *Index) begin() {
	ix.kind, ix.place, ix.best = 0, 0, [kinds]top{}
	ix.private = ix.store.Privacy.Private()
}

// Found returns what matches, the best first, once Work has nothing left.
func (ix *Index) Found() []Item { return ix.found }

// slice is how many items are looked at before the time is.
const slice = 512

// Working reports whether Work has something left to do.
func (ix *Index) Working() bool { return !ix.done && (!ix.filled || len(ix.what.words) > 0) }

// Work goes on filling and searching until there was enough of it, and reports
// whether there is more to do.
func (ix *Index) Work(enough func() bool) (more bool) {
	if !ix.Working() {
		return false
	}
	if ix.follow() {
		ix.begin()
	}
	for kind := range kinds {
		for ix.texts[kind].len() < ix.size(kind) {
			if ix.fill(kind); enough() {
				return true
			}
		}
	}
	if ix.filled = true; len(ix.what.words) == 0 {
		return false
	}
	for ; ix.kind < kinds; ix.kind, ix.place = ix.kind+1, 0 {
		if ix.private && ix.kind.private() {
			continue
		}
		if ix.search(enough) {
			return true
		}
	}
	ix.done = true
	ix.take(mix(&ix.best, ix.loss))
	return false
}

// barredLoss is what a command loses that cannot run: more than a full word counts, and less than a
// worse match.
const barredLoss = 15

// loss is what an item loses besides how well it matches.
func (ix *Index) loss(kind Kind, place int32) int32 {
	if kind == Command && ix.own.Commands[place].Barred {
		return barredLoss
	}
	return 0
}

// search goes on with the items of a kind, and reports whether there are more.
func (ix *Index) search(enough func() bool) (more bool) {
	t := &ix.texts[ix.kind]
	for n := t.len(); ix.place < n; {
		to := min(n, ix.place+slice)
		t.search(&ix.what, ix.place, to, &ix.best[ix.kind])
		if ix.place = to; enough() {
			return true
		}
	}
	return false
}

// take notes what was found.
func (ix *Index) take(results []result) {
	var txns []Item
	for _, r := range results {
		it := ix.item(r.kind, int(r.place))
		if ix.found = append(ix.found, it); it.Kind == Transaction {
			txns = append(txns, it)
		}
	}
	slices.SortStableFunc(txns, func(x, y Item) int { return y.At.Compare(x.At) })
	ix.among = nil
	for _, it := range txns {
		ix.among = append(ix.among, api.TransactionID(it.ID))
	}
}

// follow takes note of what changed in the store, and reports whether what was
// searched so far is out of date.
func (ix *Index) follow() (changed bool) {
	s := ix.store
	rows, version, known := s.Cards.Changes(ix.cards)
	if ix.cards = version; !known {
		ix.texts[Card].reset(s.Cards.Len())
	}
	for _, row := range rows {
		if known && int(row) < ix.texts[Card].len() {
			ix.set(Card, int(row))
		}
	}
	changed = !known || len(rows) > 0
	if changed && ix.own.Campaigns != nil {
		ix.campaigns = ix.own.Campaigns()
		ix.texts[Campaign].reset(len(ix.campaigns))
	}
	return ix.followTransactions() || changed
}

// followTransactions lists the transactions anew, the newest first, and their
// merchants, when there are others.
func (ix *Index) followTransactions() (changed bool) {
	all, read := ix.store.Txns.All(), ix.store.Insight.Ledger().MerchantNames()
	as := version{txns: len(all), merchants: len(read)}
	if len(all) > 0 {
		as.newest = all[len(all)-1].ID
	}
	if as == ix.listed {
		return false
	}
	ix.listed, ix.txns, ix.merchants = as, ix.txns[:0], ix.merchants[:0]
	known := make(map[string]bool)
	spelled := make(map[api.Text]bool)
	add := func(name api.Text) {
		if spelled[name] || name == "" {
			return
		}
		spelled[name] = true
		if low := strings.ToLower(string(name)); !known[low] {
			known[low] = true
			ix.merchants = append(ix.merchants, name)
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		t := &all[i]
		ix.txns = append(ix.txns, txn{t.ID, t.CreatedAt, t.CardID, t.Merchant.Name, max(t.Amount, -t.Amount)})
		add(t.Merchant.Name)
	}
	for _, name := range read {
		add(name)
	}
	ix.texts[Transaction].reset(len(ix.txns))
	ix.texts[Merchant].reset(len(ix.merchants))
	return true
}

// size is how many items of a kind there are.
func (ix *Index) size(kind Kind) int {
	return [kinds]int{
		len(ix.own.Commands), ix.store.Cards.Len(), len(ix.campaigns), len(ix.merchants), len(ix.txns), len(ix.own.Settings), len(ix.own.Accounts),
	}[kind]
}

// fill adds a slice of the items of a kind.
func (ix *Index) fill(kind Kind) {
	from := ix.texts[kind].len()
	for place := from; place < min(from+slice, ix.size(kind)); place++ {
		ix.set(kind, place)
	}
}

// set takes the texts of an item.
func (ix *Index) set(kind Kind, place int) {
	t := &ix.texts[kind]
	switch kind {
	case Command:
		c := &ix.own.Commands[place]
		t.set(place, c.Help, c.Action, c.Place, c.Words)
	case Card:
		label, last4 := ix.cardTexts(place)
		t.set(place, label, last4)
	case Campaign:
		t.set(place, ix.campaigns[place].Name)
	case Merchant:
		t.set(place, string(ix.merchants[place]))
	case Transaction:
		it := &ix.txns[place]
		label, last4 := "", ""
		if row, ok := ix.store.Cards.Row(it.card); ok {
			label, last4 = ix.cardTexts(row)
		}
		t.set(place, string(it.merchant), label, last4, it.amount.String())
	case Setting:
		t.set(place, ix.own.Settings[place].Name, ix.own.Settings[place].About)
	default:
		t.set(place, ix.own.Accounts[place].Name, ix.own.Accounts[place].Where)
	}
}

func (ix *Index) cardTexts(row int) (label, last4 string) {
	all := ix.store.Cards.All()
	return string(all.Label(row)), string(all.Last4(row))
}

// item returns the item in a place.
func (ix *Index) item(kind Kind, place int) Item {
	it := Item{Kind: kind}
	switch kind {
	case Command:
		it.ID = ix.own.Commands[place].ID
	case Card:
		it.ID = string(ix.store.Cards.All().ID(place))
	case Campaign:
		it.ID = ix.campaigns[place].Name
	case Merchant:
		it.ID = string(ix.merchants[place])
	case Transaction:
		it.ID, it.At = string(ix.txns[place].id), ix.txns[place].at
	case Setting:
		it.ID = ix.own.Settings[place].Name
	default:
		it.ID = ix.own.Accounts[place].ID
	}
	return it
}
