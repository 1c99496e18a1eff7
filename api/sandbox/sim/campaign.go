package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// campaign is what the cards of one label spend on: a platform, in one country, on
// some of the days of a history.
type campaign struct {
	label       string // the first two parts of its cards' labels
	platform    Platform
	first, last unit.Instant // when it runs; last is after the end while it does
	stopped     bool
	weight      float64   // of its charges against those of others
	before      []float64 // by hour of the history: the share of its charges before it
	cards       int
}

// maxCampaigns bounds the campaigns of a world; a larger one has more cards in each.
const maxCampaigns = 400

// newCampaigns invents the campaigns of a number of cards.
func newCampaigns(rng *rand.Rand, cards int, start, end unit.Instant) []campaign {
	list := make([]campaign, min(maxCampaigns, max(1, cards/4)))
	names := make(map[string][]string)
	made := make(map[string]int)
	for i := range list {
		p := campaignPlatform(rng, i)
		if names[p.code] == nil {
			names[p.code] = campaignNames(p.code)
			rng.Shuffle(len(names[p.code]), func(a, b int) {
				names[p.code][a], names[p.code][b] = names[p.code][b], names[p.code][a]
			})
		}
		known, n := names[p.code], made[p.code]
		made[p.code]++
		label := p.code + "/" + known[n%len(known)]
		if n >= len(known) {
			label += fmt.Sprintf("-%d", 1+n/len(known))
		}
		list[i] = campaign{label: label, platform: p, weight: 0.5 + 1.5*rng.Float64()}
		if p.service() {
			list[i].weight /= 6
		}
		list[i].run(rng, i, start, end)
		list[i].share(rng, start, end)
	}
	return list
}

// campaignPlatform returns the platform of the i-th campaign. The first ten are what
// most accounts have; of the rest the first platforms have most.
func campaignPlatform(rng *rand.Rand, i int) Platform {
	all := platforms()
	common := []string{"fb", "gg", "fb", "tt", "infra", "gg", "fb", "saas", "nt", "tt"}
	if i < len(common) {
		return PlatformOf(common[i], rng)
	}
	return all[min(rng.IntN(len(all)), rng.IntN(len(all)))]
}

// campaignNames returns what a platform's campaigns can be called.
func campaignNames(code string) []string {
	switch code {
	case "saas":
		return []string{"tools", "design", "tracker"}
	case "infra":
		return []string{"domains", "servers", "cdn"}
	}
	return []string{
		"geo-de", "geo-us", "geo-uk", "geo-br", "geo-in", "geo-jp", "spring", "test", "brand", "retarget", "lookalike",
		"video", "launch", "scale",
	}
}

// run sets when the campaign runs: of ten, six do all the time, two started in the
// history, one has stopped, and one did both.
func (c *campaign) run(rng *rand.Rand, i int, start, end unit.Instant) {
	span := float64(end - start)
	c.first, c.last = start-unit.Instant(rng.Float64()*span*0.4), unit.Forever
	switch i % 10 {
	case 2, 7:
		c.first = start + unit.Instant(span*(0.25+0.5*rng.Float64()))
	case 3:
		c.last = start + unit.Instant(span*(0.3+0.35*rng.Float64()))
	case 8:
		c.first = start + unit.Instant(span*(0.1+0.2*rng.Float64()))
		c.last = start + unit.Instant(span*(0.6+0.2*rng.Float64()))
	}
	c.stopped = c.last < end
}

// share spreads the charges of a campaign over the hours of a history: by the hour of
// the day, the day of the week, its own ups and downs, and spikes.
func (c *campaign) share(rng *rand.Rand, start, end unit.Instant) {
	c.before = make([]float64, 1, 2+(end-start)/unit.Hour)
	sum, level, spike := 0.0, 1.0, 1.0
	for at := start; at < end; at += unit.Hour {
		if (at-start)%unit.Day == 0 {
			level = min(max(level*math.Exp(rng.NormFloat64()*0.12), 0.4), 2.5)
			if spike = 1; rng.IntN(20) == 0 {
				spike = 3
			}
		}
		middle := at + unit.Hour/2
		part := level * spike * Wave(c.label, middle)
		if day := middle.Time().Weekday(); day == 0 || day == 6 {
			part *= 0.8
		}
		if running := middle - c.first; running < 2*unit.Day {
			part *= 0.3 + 0.7*max(0, float64(running))/float64(2*unit.Day)
		}
		if middle < c.first || middle > c.last {
			part = 0
		}
		sum += part
		c.before = append(c.before, sum)
	}
}

// charges returns the weight of the charges between two instants of the history.
func (c *campaign) charges(start, from, to unit.Instant) float64 {
	return c.at(start, to) - c.at(start, from)
}

// at returns the weight of the charges before an instant.
func (c *campaign) at(start, t unit.Instant) float64 {
	if t <= start {
		return 0
	}
	hour := (t - start) / unit.Hour
	if int(hour) >= len(c.before)-1 {
		return c.before[len(c.before)-1]
	}
	part := float64((t-start)%unit.Hour) / float64(unit.Hour)
	return c.before[hour] + part*(c.before[hour+1]-c.before[hour])
}

// nextLabel returns the label of the next card: numbered, but for the first card of a
// service.
func (c *campaign) nextLabel() string {
	c.cards++
	if c.platform.service() && c.cards == 1 {
		return c.label
	}
	return fmt.Sprintf("%s/%02d", c.label, c.cards)
}

// Wave returns how much of a day's charges a campaign has at a time, against the
// average of the day: people see advertisements in the evening of their country and
// not at night. Software and hosting charge at any hour.
func Wave(label string, at unit.Instant) float64 {
	code, name, _ := strings.Cut(label, "/")
	if code == "saas" || code == "infra" {
		return 1
	}
	local := float64((at+zoneOf(code, name))%unit.Day) / float64(unit.Hour)
	const busiest, mean = 18, 0.55
	return (0.1 + 0.9*(0.5+0.5*math.Cos((local-busiest)*math.Pi/12))) / mean
}

// zoneOf returns by how much the local time of a campaign is ahead of UTC: that of
// the country in its name, or else of one that follows from the name.
func zoneOf(code, name string) unit.Instant {
	zones := []struct {
		country string
		ahead   unit.Instant
	}{
		{"geo-us", -5 * unit.Hour},
		{"geo-uk", 0},
		{"geo-de", unit.Hour},
		{"geo-br", -3 * unit.Hour},
		{"geo-jp", 9 * unit.Hour},
		{"geo-in", 5*unit.Hour + 30*unit.Minute},
	}
	for _, z := range zones {
		if strings.HasPrefix(name, z.country) {
			return z.ahead
		}
	}
	name, _, _ = strings.Cut(name, "/")
	sum := 0
	for _, c := range []byte(code + name) {
		sum += int(c)
	}
	return zones[sum%len(zones)].ahead
}
