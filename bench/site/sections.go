package main

import (
	"maps"
	"slices"
	"strings"
)

// section is some pages in the list of all.
type section struct {
	Title string
	Pages []entry
}

type entry struct{ Title, Path string }

// order is the pages in the order that one reads them. What it does not name comes last.
func order() []struct {
	title string
	pages []string
} {
	return []struct {
		title string
		pages []string
	}{
		{"Begin", []string{"index", "install", "first-minute", "day"}},
		{"Use", []string{"checkout", "lists", "money", "insight", "alerts", "rules", "many-cards", "accounts", "scripts", "mcp"}},
		{"Together", []string{"push", "hub"}},
		{"Look up", []string{"keys", "config", "sandbox", "troubleshooting", "safety", "security", "support", "limits", "speed", "proofs", "changelog"}},
		{"Build", []string{"architecture", "contributing", "releasing", "assumptions"}},
	}
}

// sections arranges pages by their paths, with their titles.
func sections(titles map[string]string) []section {
	left := maps.Clone(titles)
	var all []section
	for _, o := range order() {
		s := section{Title: o.title}
		for _, name := range o.pages {
			path := name + ".html"
			if t, ok := left[path]; ok {
				s.Pages = append(s.Pages, entry{t, path})
				delete(left, path)
			}
		}
		all = append(all, s)
	}
	more, decisions := section{Title: "More"}, section{Title: "Decisions"}
	for _, path := range slices.Sorted(maps.Keys(left)) {
		if strings.HasPrefix(path, "adr/") {
			decisions.Pages = append(decisions.Pages, entry{left[path], path})
		} else {
			more.Pages = append(more.Pages, entry{left[path], path})
		}
	}
	return slices.DeleteFunc(append(all, more, decisions), func(s section) bool { return len(s.Pages) == 0 })
}
