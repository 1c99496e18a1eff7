package config

import (
	"fmt"
	"strings"
)

// nearest is the word that a misspelt one most likely stands for, or "".
func nearest(wrong string, words []string) string {
	best, bestDistance := "", allowed(wrong)+1
	for _, word := range words {
		if d := distance(wrong, word); d < bestDistance {
			best, bestDistance = word, d
		}
	}
	return best
}

// DidYouMean ends a complaint about a misspelt word with the known one that it
// most likely stands for; empty when there is none.
func DidYouMean(wrong string, known []string) string { return meant(nearest(wrong, known)) }

// allowed is how many slips a word of this length may hold.
func allowed(word string) int {
	return min(3, max(1, len(word)/3))
}

// nearestSetting compares whole names first, then last parts: a setting under
// the wrong table is as common as a misspelt one.
func nearestSetting(wrong string, names []string) string {
	if name := nearest(wrong, names); name != "" {
		return name
	}
	last := wrong[strings.LastIndex(wrong, ".")+1:]
	best, bestDistance := "", allowed(last)+1
	for _, name := range names {
		if strings.HasSuffix(name, "*") {
			continue // Any name is near a star.
		}
		if d := distance(last, name[strings.LastIndex(name, ".")+1:]); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best
}

func meant(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", word)
}

// distance is the number of inserted, lost, changed or swapped characters
// between two words (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > maxText || len(t) > maxText {
		return len(s) + len(t)
	}
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
