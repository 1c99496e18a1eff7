// Package man writes the manual pages of the commands.
package man

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// Name is the name of a command's page, without its section.
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Write writes the page of a command in the man macros. version and date, which may be
// empty, are of the program.
func Write(w io.Writer, cmd *cobra.Command, version, date string) error {
	cmd.InitDefaultHelpFlag()
	p := &page{}
	p.line(`.TH "%s" 1 "%s" "cardtop %s" "cardtop"`, strings.ToUpper(Name(cmd)), isoDate(date), escape(version))
	p.line(".nh\n.ad l")
	p.section("NAME")
	p.text(Name(cmd) + ` \- ` + escape(lower(cmd.Short)))
	p.section("SYNOPSIS")
	p.text(`\fB` + escape(cmd.CommandPath()) + `\fR` + escape(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())))
	if cmd.HasAvailableSubCommands() {
		p.line(".br")
		p.text(`\fB` + escape(cmd.CommandPath()) + `\fR \fICOMMAND\fR`)
	}
	p.section("DESCRIPTION")
	p.prose(cmd.Long, cmd.Short+".")
	p.commands(cmd)
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("INHERITED OPTIONS", cmd.InheritedFlags())
	p.section("EXIT STATUS")
	for _, e := range cli.Exits() {
		p.line(".TP\n.B %d\n%s", e.Code, guard(escape(e.About)))
	}
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.line(".nf")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			p.text(escape(strings.TrimPrefix(line, "  ")))
		}
		p.line(".fi")
	}
	p.related(cmd)
	_, err := io.WriteString(w, p.String())
	return err
}

// isoDate is the day of a time. Its hyphens are not escaped: man programs read no other
// form as a date. What is no time is left out.
func isoDate(at string) string {
	day, _, _ := strings.Cut(at, "T")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// page is the source of a page.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p, format+"\n", args...) // A builder takes all.
}

func (p *page) section(title string) { p.line(`.SH "%s"`, title) }

// text writes a line that is no request.
func (p *page) text(line string) { p.line("%s", guard(line)) }

// prose writes paragraphs; indented lines stay as they are.
func (p *page) prose(text, otherwise string) {
	if text == "" {
		text = otherwise
	}
	verbatim := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if indented := strings.HasPrefix(line, " "); indented != verbatim {
			verbatim = indented
			p.line("%s", map[bool]string{true: ".PP\n.nf", false: ".fi"}[indented])
		}
		if line == "" {
			p.line(".PP")
			continue
		}
		p.text(escape(line))
	}
	if verbatim {
		p.line(".fi")
	}
}

// commands lists those below a command.
func (p *page) commands(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	p.section("COMMANDS")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			p.line(".TP\n.B %s\n%s", escape(sub.Name()), guard(escape(sub.Short)+`; \fB`+Name(sub)+`\fR(1)`))
		}
	}
}

func (p *page) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + name
		}
		what, usage := pflag.UnquoteUsage(f)
		if what != "" {
			name += ` \fI` + escape(what) + `\fR`
		}
		if text := f.DefValue; text != "" && text != "false" && text != "[]" && text != "0" {
			usage += " (default " + text + ")"
		}
		p.line(".TP\n%s\n%s", guard(name), guard(escape(usage)))
	})
}

// related names the pages above and beside a command.
func (p *page) related(cmd *cobra.Command) {
	var names []string
	if cmd.HasParent() {
		names = append(names, Name(cmd.Parent()))
		for _, sub := range cmd.Parent().Commands() {
			if sub != cmd && sub.IsAvailableCommand() && cmd.Parent().HasParent() {
				names = append(names, Name(sub))
			}
		}
	} else {
		p.section("FILES")
		p.line(".TP\n.I ~/.config/cardtop/config.toml\nconfiguration")
		p.section("ENVIRONMENT")
		p.line(".TP\n.B CARDTOP_API_KEY\nAPI key\n.TP\n.B CARDTOP_BASE_URL\naddress of the API\n.TP\n.B CARDTOP_PROFILE\nprofile of the configuration\n.TP\n.B CARDTOP_CONFIG\nconfiguration file\n.TP\n.B NO_COLOR\nno colour\n.TP\n.B HTTPS_PROXY\nproxy for the API, http://HOST:PORT\n.TP\n.B NO_PROXY\nhosts that are reached without it")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, Name(sub))
			}
		}
	}
	p.section("SEE ALSO")
	for i, n := range names {
		end := ","
		if i == len(names)-1 {
			end = ""
		}
		p.line(`.BR %s (1)%s`, escape(n), end)
	}
}

// escape keeps a text from being read as macros: a hyphen stays one that can be copied.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).Replace(text)
}

// guard keeps a line from being read as a request.
func guard(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

// lower begins a text in lower case, as names of pages do, unless it is a proper word.
func lower(text string) string {
	if len(text) > 1 && text[1] >= 'a' && text[1] <= 'z' {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
