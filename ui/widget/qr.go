package widget

import (
	"fmt"

	"rsc.io/qr"
)

// QRInk says how the dark and light squares of a code are told apart.
type QRInk uint8

// The inks. A reader needs dark squares on a light ground: with colours they
// are set, and without them the blocks are chosen by the terminal's own
// background.
const (
	QRColors  QRInk = iota // black on white, whatever the theme
	QROnDark               // no colours, a dark terminal
	QROnLight              // no colours, a light terminal
)

// quietZone is the light margin in squares. Two are enough for readers in
// practice and fit a small dialog.
const quietZone = 2

// QR draws a code of text with two squares in a cell, w cells wide.
func QR(text string, ink QRInk) (lines []string, w int, err error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, 0, fmt.Errorf("encode QR code: %w", err)
	}
	var b Buf
	style, swap := "\x1b[0;30;107m", false
	switch ink {
	case QROnDark:
		style, swap = "", true
	case QROnLight:
		style = ""
	default:
		// The exact black and white of the second sequence are used where
		// the terminal knows them; the first is for the others.
		style += "\x1b[0;38;5;16;48;5;231m"
	}
	w = code.Size + 2*quietZone
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		for x := -quietZone; x < code.Size+quietZone; x++ {
			upper := code.Black(x, y) != swap
			lower := code.Black(x, y+1)
			if y+1 >= code.Size+quietZone {
				lower = false
			}
			b.Raw(style, square(upper, lower != swap))
		}
		b.Newline()
	}
	return b.Lines(), w, nil
}

// square returns the half blocks of two squares, one above the other.
func square(upper, lower bool) string {
	switch {
	case upper && lower:
		return "█"
	case upper:
		return "▀"
	case lower:
		return "▄"
	}
	return " "
}
