package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/label"
)

// Bounds of a template: the categories and pairs of metadata of one card, by the contract.
const (
	maxCategories = 50
	maxPairs      = api.MaxMetadata
)

// templates are the settings of the templates that cards are issued from.
func templates() []Setting {
	return []Setting{
		{"templates.*.bin", "", `"424242"`, lang.N("BIN that the forms of new cards start with"), text(filled(), func(t *target) *string { return (*string)(&t.template.Request.BIN) })},
		{"templates.*.amount", "", `"25"`, lang.N("amount in USD, likewise"), templateAmount(minFund, maxFund, func(r *api.CreateCardRequest, usd api.USD) { r.Amount = usd })},
		{"templates.*.label", "", `"fb/spring/{n:02}"`, lang.N("label; {n} is the number of a card, {n:02} has two digits"), text(labelTemplate(), func(t *target) *string { return &t.template.Request.Label })},
		{"templates.*.spending_limit", "", `"500"`, lang.N("monthly limit in USD"), templateAmount(0, maxAmount, func(r *api.CreateCardRequest, usd api.USD) { r.SpendingLimit = &usd })},
		{"templates.*.auto_freeze_at", "", `"5"`, lang.N("balance in USD below which the card freezes by itself"), templateAmount(0, maxAmount, func(r *api.CreateCardRequest, usd api.USD) { r.AutoFreezeAt = &usd })},
		{"templates.*.allowed_categories", "", `["7311", "5734"]`, lang.N("categories that the card may be used in, as MCCs or words"), lines(maxCategories, func(t *target, list []string) { t.template.Request.AllowedCategories = list })},
		{"templates.*.metadata", "", `["team=growth"]`, lang.N("metadata, as key=value"), pairs()},
	}
}

func templateAmount(low, high api.USD, put func(*api.CreateCardRequest, api.USD)) takes {
	set := func(t *target, v value) error {
		usd, err := v.usd(low, high)
		if err == nil {
			put(&t.template.Request, usd)
		}
		return err
	}
	return takes{set: set, schema: dollars(low, high)}
}

func labelTemplate() rule {
	return rule{check: func(s string) error {
		_, err := label.Fill(s, label.Parts{N: 1, New: true})
		return err
	}}
}

// pairs reads metadata as lines of key=value.
func pairs() takes {
	set := func(t *target, v value) error {
		list, err := v.lines(maxPairs)
		if err != nil {
			return err
		}
		all := make(map[string]string, len(list))
		for _, line := range list {
			key, text, ok := strings.Cut(line, "=")
			key = strings.TrimSpace(key)
			if _, twice := all[key]; twice {
				return fmt.Errorf("has the key %q twice", key)
			}
			if all[key] = strings.TrimSpace(text); !ok || key == "" {
				return errors.New(`must be lines of key=value, such as "team=growth"`)
			}
		}
		t.template.Request.Metadata = all
		return nil
	}
	return takes{set: set, schema: textOrList(maxPairs, node{Type: "string", Pattern: "^[^=]*[^= ][^=]*=", MaxLength: maxText})}
}

// enterTemplate finds or adds the template of a name, in the order of the file.
func (t *target) enterTemplate(name string) {
	i := slices.IndexFunc(t.Templates, func(c label.CardTemplate) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Templates)
		t.Templates = append(t.Templates, label.CardTemplate{Name: name})
	}
	t.template = &t.Templates[i]
}
