package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hinshun/vt10x"
)

// The size of a cell and of its text, in pixels.
const (
	cellW, cellH = 8.4, 18
	fontSize     = 14
	baseline     = 13.5
	margin       = 10
)

// The bits of a cell's mode that are drawn; the emulator does not export them.
const (
	underlined = 1 << 1
	bold       = 1 << 2
	italic     = 1 << 4
)

// render returns a screen as SVG. Every run of text is as wide as its cells whatever the
// font, and lines and blocks are drawn as shapes, so that boxes and QR codes close.
func render(vt vt10x.Terminal, w, h int, theme string) []byte {
	ground, text := "#16181d", "#d5dae3"
	if theme == "light" {
		ground, text = "#ffffff", "#24292f"
	}
	p := painter{ground: ground, text: text}
	width, height := float64(w)*cellW+2*margin, float64(h)*cellH+2*margin
	fmt.Fprintf(&p.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.1f %.1f" width="%.0f" font-family="'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace" font-size="%d" xml:space="preserve">`+"\n",
		width, height, width, fontSize)
	fmt.Fprintf(&p.b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
	for y := range h {
		row := make([]vt10x.Glyph, w)
		for x := range w {
			row[x] = vt.Cell(x, y)
		}
		p.row(row, margin+float64(y)*cellH)
	}
	p.b.WriteString("</svg>\n")
	return p.b.Bytes()
}

type painter struct {
	b            bytes.Buffer
	ground, text string
}

// row draws one line of the screen: backgrounds first.
func (p *painter) row(cells []vt10x.Glyph, top float64) {
	each(cells, func(a, b vt10x.Glyph) bool { return a.BG == b.BG }, func(from int, run []vt10x.Glyph) {
		if c := p.color(run[0].BG); c != p.ground {
			fmt.Fprintf(&p.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s" shape-rendering="crispEdges"/>`+"\n", left(from), top, float64(len(run))*cellW, cellH, c)
		}
	})
	alike := func(a, b vt10x.Glyph) bool {
		return a.FG == b.FG && a.Mode == b.Mode && drawn(a.Char) == drawn(b.Char)
	}
	each(cells, alike, func(from int, run []vt10x.Glyph) {
		if drawn(run[0].Char) {
			for i, c := range run {
				p.shape(c, left(from+i), top)
			}
			return
		}
		p.words(from, run, top)
	})
}

func left(x int) float64 { return margin + float64(x)*cellW }

// each calls run for every run of equal cells.
func each(cells []vt10x.Glyph, alike func(a, b vt10x.Glyph) bool, run func(from int, run []vt10x.Glyph)) {
	from := 0
	for i := 1; i <= len(cells); i++ {
		if i == len(cells) || !alike(cells[from], cells[i]) {
			run(from, cells[from:i])
			from = i
		}
	}
}

// words draws text, split at wide gaps.
func (p *painter) words(from int, run []vt10x.Glyph, top float64) {
	var text strings.Builder
	for _, c := range run {
		text.WriteRune(max(c.Char, ' '))
	}
	line := []rune(text.String())
	for at := 0; at < len(line); {
		if line[at] == ' ' {
			at++
			continue
		}
		end := at
		for end < len(line) && (line[end] != ' ' || end+1 < len(line) && line[end+1] != ' ') {
			end++
		}
		style := ""
		if run[0].Mode&bold != 0 {
			style += ` font-weight="bold"`
		}
		if run[0].Mode&italic != 0 {
			style += ` font-style="italic"`
		}
		if run[0].Mode&underlined != 0 {
			style += ` text-decoration="underline"`
		}
		fmt.Fprintf(&p.b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n",
			left(from+at), top+baseline, float64(end-at)*cellW, p.color(run[0].FG), style, escape(string(line[at:end])))
		at = end
	}
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// color returns the colour of a cell: a default, one of the palette, or RGB.
func (p *painter) color(c vt10x.Color) string {
	levels := [...]int{0, 95, 135, 175, 215, 255}
	switch {
	case c == vt10x.DefaultFG:
		return p.text
	case c >= vt10x.DefaultFG:
		return p.ground
	case c < 16:
		return [...]string{
			"#1d1f21", "#cc6666", "#8fbf6a", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6",
			"#707880", "#e08080", "#b5e08c", "#ffe09a", "#a5c7e5", "#d5b3e0", "#a8e0d8", "#ffffff",
		}[c]
	case c >= 256:
		return fmt.Sprintf("#%06x", int(c))
	case c >= 232:
		v := 8 + int(c-232)*10
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
	n := int(c) - 16
	return fmt.Sprintf("#%02x%02x%02x", levels[n/36], levels[n/6%6], levels[n%6])
}

const boxes = "─│┃╭╮╰╯"

// drawn reports whether a rune is drawn as a shape, not as text.
func drawn(r rune) bool { return r >= '▀' && r <= '█' || strings.ContainsRune(boxes, r) }

// shape draws a line of a box, or a block.
func (p *painter) shape(c vt10x.Glyph, x, y float64) {
	ink := p.color(c.FG)
	if strings.ContainsRune(boxes, c.Char) {
		width := 1.2
		if c.Char == '┃' {
			width = 2.4
		}
		fmt.Fprintf(&p.b, `<path d="%s" stroke="%s" stroke-width="%.1f" fill="none"/>`+"\n", stroke(c.Char, x, y), ink, width)
		return
	}
	bx, by, w, h := x, y, cellW, float64(cellH)
	switch {
	case c.Char == '▀':
		h /= 2
	case c.Char <= '█': // Eighths from below.
		h *= float64(c.Char-'▀') / 8
		by += cellH - h
	}
	// A little wider, so that there is no seam between two of them.
	fmt.Fprintf(&p.b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s" shape-rendering="crispEdges"/>`+"\n", bx, by, w+0.05, h+0.05, ink)
}

// stroke returns the path of a line through a cell.
func stroke(r rune, x, y float64) string {
	const round = 4
	mx, my, right, bottom := x+cellW/2, y+cellH/2.0, x+cellW, y+cellH
	switch r {
	case '─':
		return fmt.Sprintf("M%.1f %.1fH%.1f", x, my, right)
	case '╭':
		return fmt.Sprintf("M%.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1f", mx, bottom, my+round, mx, my, mx+round, my, right)
	case '╮':
		return fmt.Sprintf("M%.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1f", mx, bottom, my+round, mx, my, mx-round, my, x)
	case '╰':
		return fmt.Sprintf("M%.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1f", mx, y, my-round, mx, my, mx+round, my, right)
	case '╯':
		return fmt.Sprintf("M%.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1f", mx, y, my-round, mx, my, mx-round, my, x)
	}
	return fmt.Sprintf("M%.1f %.1fV%.1f", mx, y, bottom)
}
