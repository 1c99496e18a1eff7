package pane

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// BINCells are a BIN's columns as text.
func BINCells(w *lang.Words, bin api.BIN) []string {
	threeDS := w.T("no")
	if bin.ThreeDS {
		threeDS = "3DS"
	}
	rate := "–"
	if bin.AcceptanceRate != nil {
		rate = w.Number(fmt.Sprintf("%.1f %%", *bin.AcceptanceRate))
	}
	return []string{
		string(bin.ID), string(bin.Network), Value(w, string(bin.Type)), string(bin.IssuerCountry), threeDS, rate,
		capText(w, bin.MaxTransaction), capText(w, bin.MaxMonthly),
	}
}

func capText(w *lang.Words, u *api.USD) string {
	if u == nil {
		return "–"
	}
	return w.Sum(w.Number(strings.TrimSuffix(u.Grouped(), ".00")))
}

// BINTags are what a BIN is said to be best for.
func BINTags(bin api.BIN) string {
	tags := make([]string, 0, len(bin.BestFor))
	for _, tag := range bin.BestFor {
		tags = append(tags, string(tag))
	}
	return strings.Join(tags, ", ")
}

// BINWallets names the phone wallets of a BIN.
func BINWallets(w *lang.Words, bin api.BIN) string {
	var names []string
	for _, wallet := range bin.Wallets {
		if wallet.Supported {
			names = append(names, strings.ReplaceAll(strings.TrimSuffix(string(wallet.Name), "_pay"), "_", " ")+" pay")
		}
	}
	if len(names) == 0 {
		return w.T("no phone wallet")
	}
	return strings.Join(names, ", ")
}
