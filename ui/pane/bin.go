package pane

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/state"
)

// BINCells are a BIN's columns as text.
func BINCells(bin state.BIN) []string {
	threeDS := "no"
	if bin.ThreeDS {
		threeDS = "3DS"
	}
	rate := "–"
	if bin.AcceptanceRate != nil {
		rate = fmt.Sprintf("%.1f %%", *bin.AcceptanceRate)
	}
	return []string{
		string(bin.ID), string(bin.Network), string(bin.Type), string(bin.IssuerCountry), threeDS, rate,
		capText(bin.MaxTransaction), capText(bin.MaxMonthly),
	}
}

func capText(u *state.USD) string {
	if u == nil {
		return "–"
	}
	return "$" + strings.TrimSuffix(u.Grouped(), ".00")
}

// BINTags are what a BIN is said to be best for.
func BINTags(bin state.BIN) string {
	tags := make([]string, 0, len(bin.BestFor))
	for _, tag := range bin.BestFor {
		tags = append(tags, string(tag))
	}
	return strings.Join(tags, ", ")
}

// BINWallets names the phone wallets of a BIN.
func BINWallets(bin state.BIN) string {
	var names []string
	for _, w := range bin.Wallets {
		if w.Supported {
			names = append(names, strings.ReplaceAll(strings.TrimSuffix(string(w.Name), "_pay"), "_", " ")+" pay")
		}
	}
	if len(names) == 0 {
		return "no phone wallet"
	}
	return strings.Join(names, ", ")
}
