package ledger

import (
	"strings"

	"github.com/cardtop/cardtop/api"
)

// maxCountries bounds the countries of merchants: there are fewer codes than that.
const maxCountries = 1 << 12

// country returns the place of a merchant's country, which it makes when it has none; 0
// for one that is not known. Codes that differ in case only are one.
func (l *Ledger) country(code api.Text) uint16 {
	name := countryName(code)
	if _, ok := l.countries.places[name]; !ok && len(l.countries.texts) == maxCountries {
		return 0
	}
	return uint16(l.countries.place(name))
}

func countryName(code api.Text) string { return strings.ToUpper(strings.TrimSpace(string(code))) }

// InCountry reports whether a transaction of a scope is held that was made at a
// merchant of a country, and whether any is held whose country is known.
func (l *Ledger) InCountry(s Scope, code api.Text) (there, anywhere bool) {
	place, known := l.countries.places[countryName(code)]
	l.each(s, l.hour.day()-Days+1, 0, func(_ int32, at ref, _ *entry) {
		country := l.records.link(at).country
		anywhere = anywhere || country != 0
		there = there || known && country != 0 && uint32(country) == place
	})
	return there, anywhere
}
