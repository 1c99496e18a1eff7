package insight

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/campaign"
)

// Campaign returns the campaign of a card with a label; empty for none, and while the
// metadata that tells it was not read.
func (sp *Table) Campaign(id api.CardID, label api.Text) string {
	if sp.rule.ByMetadata() {
		return sp.named.Of(id)
	}
	return sp.rule.Of(label, nil)
}

// suggestFrom is of how many cards the labels are looked at for a pattern.
const suggestFrom = 1000

// SuggestCampaign returns the pattern of campaigns that labels show, where the default was not changed and does not fit
// them; empty otherwise.
func (sp *Table) SuggestCampaign() string {
	if sp.text != "" && sp.text != campaign.Default {
		return ""
	}
	cards := sp.needs.Cards.List()
	labels := make([]api.Text, min(cards.Len(), suggestFrom))
	for i := range labels {
		labels[i] = cards.Row(i).Label
	}
	if found := campaign.Suggest(labels); found != campaign.Default {
		return found
	}
	return ""
}

// Learn takes over what an answer says of a card's metadata. The answer changes the
// card in the list as well: whoever shows it looks again.
func (sp *Table) Learn(id api.CardID, metadata api.Metadata) {
	if sp.rule.ByMetadata() {
		sp.named.Set(id, sp.rule.Of("", metadata))
	}
}

// Campaigns are the campaigns that metadata told, and by which rule; none where labels do. To read the metadata of all
// cards again takes a request each: the next run recalls them.
func (sp *Table) Campaigns() (rule string, all []campaign.Name) {
	if !sp.rule.ByMetadata() {
		return "", nil
	}
	return sp.text, sp.named.All()
}

// RecallCampaigns takes over those of an earlier run by the same rule.
func (sp *Table) RecallCampaigns(rule string, all []campaign.Name) {
	if sp.rule.ByMetadata() && rule == sp.text {
		sp.named.Recall(all)
	}
}

// onCards is what the cards hold.
func (sp *Table) onCards() *campaign.Balances {
	changed, version, known := sp.needs.Cards.Changes(sp.added)
	sp.added = version
	all := sp.needs.Cards.List()
	set := func(i int) {
		r := all.Row(i)
		balance := r.Balance
		if r.Status() == api.CardTerminated {
			balance = 0
		}
		sp.balances.Set(i, sp.Campaign(r.ID, r.Label), balance, r.Shown() == api.CardActive)
	}
	if known {
		for _, i := range changed {
			set(int(i))
		}
		return &sp.balances
	}
	sp.balances.Reset()
	for i := range all.Len() {
		set(i)
	}
	return &sp.balances
}

// ActiveCards is how many cards are active: of the list, where an expired card is none. Until all of
// it was read it is what the wallet says, which may count those as well; false where it does not.
func (sp *Table) ActiveCards() (int, bool) {
	if _, complete := sp.needs.Total(); complete {
		return sp.onCards().Cards(), true
	}
	if w, ok := sp.needs.Wallet.Balance(); ok && w.CardsActive != nil {
		return *w.CardsActive, true
	}
	return 0, false
}
