package views

import (
	"maps"
	"slices"

	"github.com/cardtop/cardtop/state/settings"
)

// merged returns the views that are stored with what changed from base to mine.
func merged(base, mine, stored settings.Views) settings.Views {
	out := maps.Clone(stored)
	if out == nil {
		out = make(settings.Views)
	}
	for name, v := range mine {
		out[name] = mergedView(base[name], v, stored[name])
	}
	return out
}

func mergedView(base, mine, stored settings.View) settings.View {
	out := stored
	if mine.Sort != base.Sort || mine.Desc != base.Desc {
		out.Sort, out.Desc = mine.Sort, mine.Desc
	}
	if mine.Group != base.Group {
		out.Group = mine.Group
	}
	if !slices.Equal(mine.Columns, base.Columns) {
		out.Columns = mine.Columns
	}
	switch {
	case slices.Equal(mine.Tabs, base.Tabs):
	case slices.Equal(stored.Tabs, base.Tabs):
		out.Tabs = mine.Tabs // Their order, too.
	default:
		out.Tabs = mergedTabs(base.Tabs, mine.Tabs, stored.Tabs)
	}
	return out
}

// mergedTabs takes away of the stored tabs those that are in base and not in mine, and adds
// or replaces those that are in mine and not so in base.
func mergedTabs(base, mine, stored []settings.Tab) []settings.Tab {
	named := func(name string) func(settings.Tab) bool { return func(t settings.Tab) bool { return t.Name == name } }
	out := slices.DeleteFunc(slices.Clone(stored), func(t settings.Tab) bool {
		return slices.ContainsFunc(base, named(t.Name)) && !slices.ContainsFunc(mine, named(t.Name))
	})
	for _, t := range mine {
		if slices.Contains(base, t) {
			continue
		}
		if i := slices.IndexFunc(out, named(t.Name)); i >= 0 {
			out[i] = t
		} else if len(out) < settings.MaxTabs {
			out = append(out, t)
		}
	}
	return out
}
