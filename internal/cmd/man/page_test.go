package man_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/man"
)

// TestTextIsNoMacro: nothing that help says is read as one.
func TestTextIsNoMacro(t *testing.T) {
	cmd := &cobra.Command{
		Use: "tool ARG", Short: "Do it", Long: ".so /etc/passwd\n\n  .in verbatim\n'quote \\fBbold\nand --flags", Example: "  .rm x\n  tool -x", Run: func(*cobra.Command, []string) {},
	}
	cmd.Flags().String("name", "", ".dot 'and' \\n")
	var out bytes.Buffer
	if err := man.Write(&out, cmd, "1.0", "2026-03-01T12:00:00Z"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`.TH "TOOL" 1 "2026-03-01" "cardtop 1.0" "cardtop"`, `tool \- do it`, "\n\\&.so /etc/passwd\n", "\n.nf\n  .in verbatim\n.fi\n", `\(aqquote \efBbold`, `and \-\-flags`,
		"\n\\&.rm x\n", "\n\\&.dot \\(aqand\\(aq \\en\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
