//go:build long

package cmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/nighttest"
)

func TestNoFlagAnswersRubbishInWordsOfALibrary(t *testing.T) {
	nobody(t)
	n := 0
	tried := make(map[string]bool) // Flags that many commands share.
	eachCommand(commands(program{}), func(cmd *cobra.Command, words []string) {
		cmd.InheritedFlags() // Adds them.
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name := f.Name + f.Usage + fmt.Sprintf("%T", f.Value)
			if tried[name] {
				return
			}
			tried[name] = true
			for i, value := range rubbish() {
				if !nighttest.On && (i+len(tried))%3 > 0 {
					continue
				}
				n++
				args := append(words[:len(words):len(words)], "--"+f.Name+"="+value)
				if strings.HasSuffix(cmd.Use, " ID") {
					args = append(args, "id")
				}
				err := runIn(t, args...)
				if !strings.Contains(value, "\n") {
					plain(t, fmt.Sprintf("%.60q", args), err)
				}
			}
		})
		for _, args := range [][]string{{"--nope"}, {"-x"}, {"-xyz"}, {"--="}, {"-"}, {"one", "two", "three"}, {"\x1b[31m"}, {"--profile"}} {
			n++
			plain(t, fmt.Sprintf("%q %q", words, args), runIn(t, append(words[:len(words):len(words)], args...)...))
		}
	})
	if n < nighttest.Times(700, 1000) {
		t.Errorf("only %d were tried", n)
	}
}
