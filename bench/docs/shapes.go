package main

import (
	"fmt"
	"strings"

	"github.com/hinshun/vt10x"
)

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
