package complete

import (
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// most is how many words are offered at once. A shell shows more as pages that
// nobody reads, and bash takes seconds for thousands.
const most = 200

// shorten returns words that begin so. Where there are more than anybody reads, they
// are cut where they part, as paths are. No word is left out that a cut one does not
// begin: what a shell inserts excludes none.
func shorten(all []cobra.Completion, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(all) <= most {
		return all, cobra.ShellCompDirectiveNoFileComp
	}
	out := cut(all, func(word string) int {
		if n := strings.IndexAny(word[len(begin):], "/_-.:"); n >= 0 {
			return len(begin) + n + 1
		}
		return len(word)
	})
	if len(out) > most {
		same := len(common(all))
		out = cut(all, func(word string) int { return same + letters(word[same:]) })
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// cut ends each word where at says, and leaves out those that came before.
func cut(all []cobra.Completion, at func(word string) int) []cobra.Completion {
	var out []cobra.Completion
	seen := make(map[string]bool)
	for _, c := range all {
		word := wordOf(c)
		if word = word[:at(word)]; !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return out
}

// common is what all words begin with.
func common(all []cobra.Completion) string {
	same := wordOf(all[0])
	for _, c := range all {
		word := wordOf(c)
		for !strings.HasPrefix(word, same) {
			_, size := utf8.DecodeLastRuneInString(same)
			same = same[:len(same)-size]
		}
	}
	return same
}

// letters is the length of the first letter of a text with the blanks before it, in
// bytes: the library drops blanks at the end of a word.
func letters(text string) int {
	blanks := len(text) - len(strings.TrimLeft(text, " "))
	_, size := utf8.DecodeRuneInString(text[blanks:])
	return blanks + size
}

func wordOf(c cobra.Completion) string {
	word, _, _ := strings.Cut(c, "\t")
	return word
}
