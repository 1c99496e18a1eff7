// Package complete is what shells complete a command line with: the scripts for the
// shells, and the words that are offered. Names of cards come from what the
// dashboard and commands have saved: nothing is sent, and no key is asked for.
package complete

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/query"
)

// Words are what the commands take, by their path without the program's name.
type Words struct {
	// Fields are those that --fields and --template know.
	Fields func(command string) []string
	// Events are those that --event takes.
	Events func(command string) []string
	// Filters are the languages of filters.
	Filters map[string]func(text string, values func(field string) []string) []query.Suggestion
}

// offer is a source of words for one argument or flag.
type offer func(cmd *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective)

// Wanted reports whether a command line is a shell's question for words.
func Wanted(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Offer adds to every command what its arguments and flags are completed with. It is
// for a command line that is Wanted: what excludes each other is only hidden then,
// and refused by the commands themselves.
func Offer(p cli.Program, root *cobra.Command, w Words) error {
	n := &names{program: p}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	var each func(cmd *cobra.Command) error
	each = func(cmd *cobra.Command) error {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		if source := argument(cmd, path, n, w); source != nil {
			most := 1
			if strings.Contains(cmd.Use, "FILTER") {
				most = -1 // Its words are joined.
			}
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
				if len(args) == most {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return source(cmd, begin)
			}
		}
		excluding(cmd)
		var failed error
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			source := value(f, path, n, w)
			if source == nil || failed != nil {
				return
			}
			failed = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return source(cmd, begin)
			})
		})
		for _, sub := range cmd.Commands() {
			if failed == nil {
				failed = each(sub)
			}
		}
		return failed
	}
	return each(root)
}

// argument returns what the argument of a command is completed with; nil for nothing.
func argument(cmd *cobra.Command, path string, n *names, w Words) offer {
	if suggest := w.Filters[path]; suggest != nil {
		return n.filter(suggest)
	}
	_, what, _ := strings.Cut(cmd.Use, " ")
	switch {
	case what == "CARD":
		return n.card
	case path == "transactions show":
		return n.transaction
	case path == "operations settle":
		return n.operation
	case what == "PLAN":
		return n.plan
	}
	return nil
}

// value returns what the value of a flag is completed with; nil for nothing.
func value(f *pflag.Flag, path string, n *names, w Words) offer {
	switch f.Name {
	case "profile":
		return n.profile
	case "config", "file", "secret-file":
		return func(*cobra.Command, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		}
	case "fields":
		return list(w.Fields(path))
	case "event":
		return list(w.Events(path))
	case "template":
		return template(w.Fields(path))
	case "bin":
		return n.bin
	case "label":
		if strings.HasSuffix(path, "list") {
			return n.label
		}
		return nil
	case "card":
		if strings.HasSuffix(path, "list") {
			return n.cardID // The API takes no other.
		}
		return n.card
	}
	if v, ok := f.Value.(cli.Word); ok {
		return words(v.Known)
	}
	return nil
}

// excluding hides flags beside those that they exclude.
func excluding(cmd *cobra.Command) {
	for _, group := range [][]string{
		{"json", "jsonl", "csv", "md", "template", "verify", "plain"}, {"template", "fields"}, {"done", "not-done"}, {"copy", "json"}, {"sandbox", "profile"}, {"sandbox", "base-url"},
	} {
		group = slices.DeleteFunc(group, func(name string) bool { return cmd.Flags().Lookup(name) == nil })
		if len(group) > 1 {
			cmd.MarkFlagsMutuallyExclusive(group...)
		}
	}
}

// words offers those that begin so.
func words(known []string) offer {
	return func(_ *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []cobra.Completion
		for _, w := range known {
			if strings.HasPrefix(w, begin) {
				out = append(out, w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// list offers what goes on as the last of words that commas separate, each once.
func list(known []string) offer {
	return func(_ *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		at := strings.LastIndexByte(begin, ',') + 1
		said := strings.Split(begin[:at], ",")
		var out []cobra.Completion
		for _, w := range known {
			if strings.HasPrefix(w, begin[at:]) && !slices.Contains(said, w) {
				out = append(out, begin[:at]+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// template offers the name of a field after a brace.
func template(known []string) offer {
	return func(_ *cobra.Command, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		at := strings.LastIndexByte(begin, '{') + 1
		if strings.Contains(begin[at:], "}") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		before := begin[:at]
		if at == 0 {
			if begin != "" {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			before = "{"
		}
		var out []cobra.Completion
		for _, w := range known {
			if strings.HasPrefix(w, begin[at:]) {
				out = append(out, before+w+"}")
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

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
