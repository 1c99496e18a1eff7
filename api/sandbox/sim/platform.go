package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Platform is an advertising platform or service: the first part of a card's label,
// and the merchants that charge such a card.
type Platform struct {
	code      string
	merchants []Merchant
	typical   unit.Cents // of one charge
}

// platforms returns the simulated merchants. Advertising services have the merchant
// category code 7311.
func platforms() []Platform {
	const ads, adsMCC = "advertising", "7311"
	return []Platform{
		{code: "fb", typical: 4200, merchants: []Merchant{
			{"Meta Platforms", ads, adsMCC, "US"},
			{"Meta Platforms Ireland", ads, adsMCC, "IE"},
		}},
		{code: "gg", typical: 5500, merchants: []Merchant{
			{"Google Ads", ads, adsMCC, "IE"},
			{"Google Ads", ads, adsMCC, "US"},
		}},
		{code: "tt", typical: 3100, merchants: []Merchant{
			{"TikTok Ads", ads, adsMCC, "SG"},
			{"TikTok Ads", ads, adsMCC, "GB"},
		}},
		{code: "sn", typical: 2400, merchants: []Merchant{{"Snap Ads", ads, adsMCC, "US"}}},
		{code: "ms", typical: 2900, merchants: []Merchant{{"Microsoft Advertising", ads, adsMCC, "US"}}},
		{code: "pi", typical: 1800, merchants: []Merchant{{"Pinterest Ads", ads, adsMCC, "IE"}}},
		{code: "li", typical: 6200, merchants: []Merchant{{"LinkedIn Marketing", ads, adsMCC, "IE"}}},
		{code: "nt", typical: 3600, merchants: []Merchant{
			{"Taboola", ads, adsMCC, "US"},
			{"Outbrain", ads, adsMCC, "US"},
		}},
		{code: "saas", typical: 1900, merchants: []Merchant{
			{"Semrush", "software", "5734", "US"},
			{"Ahrefs", "software", "5734", "SG"},
			{"Canva", "software", "5734", "AU"},
			{"Keitaro", "software", "5734", "EE"},
		}},
		{code: "infra", typical: 1200, merchants: []Merchant{
			{"Cloudflare", "hosting", "4816", "US"},
			{"Hetzner Online", "hosting", "4816", "DE"},
			{"Namecheap", "hosting", "4816", "US"},
		}},
	}
}

// UnlistedMerchant is a merchant in no card's allowed categories.
func UnlistedMerchant() Merchant { return Merchant{"Grand Hotel Lumen", "travel", "7011", "FR"} }

// service reports whether the platform sells software or hosting instead of
// advertising.
func (p Platform) service() bool { return p.code == "saas" || p.code == "infra" }

// PlatformOf returns the platform that a label names, or else a random one.
func PlatformOf(label string, rng *rand.Rand) Platform {
	all := platforms()
	code, _, _ := strings.Cut(label, "/")
	for _, p := range all {
		if p.code == code {
			return p
		}
	}
	return all[rng.IntN(len(all))]
}

// newLabel returns a random label: platform, campaign, and mostly a number.
func newLabel(rng *rand.Rand) string {
	all := platforms()
	// The first platforms carry most of the spending.
	code := all[min(rng.IntN(len(all)), rng.IntN(len(all)))].code
	var campaigns []string
	switch code {
	case "saas":
		campaigns = []string{"tools", "design", "tracker"}
	case "infra":
		campaigns = []string{"domains", "servers", "cdn"}
	default:
		campaigns = []string{"spring", "test", "brand", "retarget", "lookalike", "geo-us", "geo-de", "video", "launch", "scale"}
	}
	label := code + "/" + campaigns[rng.IntN(len(campaigns))]
	if rng.IntN(8) == 0 {
		return label
	}
	return fmt.Sprintf("%s/%02d", label, 1+rng.IntN(12))
}

// Charge returns a random purchase at the platform.
func (p Platform) Charge(rng *rand.Rand) Purchase {
	amount := p.typical/4 + unit.Cents(rng.Int64N(int64(p.typical*2)))
	switch rng.IntN(4) {
	case 0:
		amount = max(100, amount/1000*1000) // Billing thresholds are round.
	case 1:
		amount = max(100, amount/100*100)
	}
	return Purchase{Amount: amount, Merchant: p.merchants[rng.IntN(len(p.merchants))]}
}
