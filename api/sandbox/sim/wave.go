package sim

import (
	"math"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

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
