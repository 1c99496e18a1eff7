//go:build night

// Package widgets compares the program's own drawing with that of lipgloss and
// bubbles: docs/adr/0019 quotes what it measures.
//
//	go test -tags night -run xxx -bench . ./bench/widgets
package widgets

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/table"
	"charm.land/bubbles/v2/textinput"
	"charm.land/bubbles/v2/viewport"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

const (
	width, height = 100, 30
	label         = "fb/spring/camp-000042"
)

// lines is a pane's text.
func lines() []string {
	out := make([]string, 0, height-2)
	for i := range height - 2 {
		out = append(out, fmt.Sprintf("%-*s", width-2, fmt.Sprintf("%s %d", label, i)))
	}
	return out
}

func dark(b *testing.B) theme.Theme {
	b.Helper()
	t, err := theme.New(theme.Dark, colorprofile.TrueColor)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// BenchmarkSpan draws one styled text, of which a frame has about 700.
func BenchmarkSpan(b *testing.B) {
	t := dark(b)
	b.Run("widget", func(b *testing.B) {
		for b.Loop() {
			widget.Spans(len(label), widget.Span{Style: t.Good, Text: label})
		}
	})
	b.Run("lipgloss", func(b *testing.B) {
		style := lipgloss.NewStyle().Foreground(t.Colors.Accent).Width(len(label))
		for b.Loop() {
			_ = style.Render(label)
		}
	})
}

// BenchmarkFrame draws the border of a pane around its lines.
func BenchmarkFrame(b *testing.B) {
	t, body := dark(b), lines()
	b.Run("widget", func(b *testing.B) {
		f := widget.Frame{Styles: widget.FrameStyles{Border: t.Border}}
		for b.Loop() {
			f.Draw(body, width, height)
		}
	})
	b.Run("lipgloss", func(b *testing.B) {
		style := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(t.Colors.Accent)
		text := strings.Join(body, "\n")
		for b.Loop() {
			_ = style.Render(text)
		}
	})
}

// BenchmarkJoin puts two panes beside each other.
func BenchmarkJoin(b *testing.B) {
	body := lines()
	b.Run("widget", func(b *testing.B) {
		for b.Loop() {
			widget.JoinHorizontal(body, body)
		}
	})
	b.Run("lipgloss", func(b *testing.B) {
		text := strings.Join(body, "\n")
		for b.Loop() {
			_ = lipgloss.JoinHorizontal(lipgloss.Top, text, text)
		}
	})
}

// BenchmarkTable moves the cursor by a row and draws what is in sight.
func BenchmarkTable(b *testing.B) {
	t := dark(b)
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("widget/%d", n), func(b *testing.B) {
			w := widget.NewTable(widget.TableConfig{Columns: []widget.Column{{Title: "label", Min: 20, Max: 80}, {Title: "balance", Min: 10, Max: 10}}, Gap: 1})
			w.SetSize(width, height)
			w.SetRows(n)
			for b.Loop() {
				w.Move(1)
				w.Draw(true, func(_ int, r *widget.RowWriter) {
					r.Cell(t.Text, label)
					r.Cell(t.Text, "100.00")
				})
			}
		})
		b.Run(fmt.Sprintf("bubbles/%d", n), func(b *testing.B) {
			rows := make([]table.Row, n)
			for i := range rows {
				rows[i] = table.Row{label, "100.00"}
			}
			m := table.New(table.WithColumns([]table.Column{{Title: "label", Width: 80}, {Title: "balance", Width: 10}}), table.WithRows(rows), table.WithHeight(height), table.WithFocused(true))
			m.SetWidth(width)
			for b.Loop() {
				m.MoveDown(1)
				_ = m.View()
			}
		})
	}
}

// BenchmarkInput draws a text field with a text in it.
func BenchmarkInput(b *testing.B) {
	b.Run("widget", func(b *testing.B) {
		var in widget.Input
		in.SetValue(label)
		for b.Loop() {
			in.View(40, true)
		}
	})
	b.Run("bubbles", func(b *testing.B) {
		m := textinput.New()
		m.SetWidth(40)
		m.SetValue(label)
		m.Focus()
		for b.Loop() {
			_ = m.View()
		}
	})
}

// BenchmarkScroll draws a page of a longer text.
func BenchmarkScroll(b *testing.B) {
	body := append(lines(), lines()...)
	b.Run("widget", func(b *testing.B) {
		for b.Loop() {
			widget.FitBlock(body[5:], width, height)
		}
	})
	b.Run("bubbles", func(b *testing.B) {
		m := viewport.New(viewport.WithWidth(width), viewport.WithHeight(height))
		m.SetContentLines(body)
		m.ScrollDown(5)
		for b.Loop() {
			_ = m.View()
		}
	})
}

// BenchmarkHints draws the footer's keys.
func BenchmarkHints(b *testing.B) {
	t := dark(b)
	names := strings.Fields("enter r y o f + - / a e s n space u tab ?")
	b.Run("widget", func(b *testing.B) {
		for b.Loop() {
			spans := make([]widget.Span, 0, 2*len(names))
			for _, n := range names {
				spans = append(spans, widget.Span{Style: t.Key, Text: "  " + n}, widget.Span{Style: t.KeyText, Text: " inspect"})
			}
			widget.Spans(160, spans...)
		}
	})
	b.Run("bubbles", func(b *testing.B) {
		var keys []key.Binding
		for _, n := range names {
			keys = append(keys, key.NewBinding(key.WithKeys(n), key.WithHelp(n, "inspect")))
		}
		h := help.New()
		for b.Loop() {
			_ = h.ShortHelpView(keys)
		}
	})
}
