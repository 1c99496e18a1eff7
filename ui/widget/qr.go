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

// blackOnWhite names the two colours of the 256 that no terminal theme
// replaces.
const blackOnWhite Style = "\x1b[0;38;5;16;48;5;231m"

// QR draws a code of text with two squares in a cell, w cells wide: an
// address needs about 33 by 17.
func QR(text string, ink QRInk) (lines []string, w int, err error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, 0, fmt.Errorf("encode QR code: %w", err)
	}
	var b Buf
	style, swap := "", ink == QROnDark
	if ink == QRColors {
		style = blackOnWhite
	}
	w = code.Size + 2*quietZone
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		for x := -quietZone; x < code.Size+quietZone; x++ {
			b.Raw(style, square(code.Black(x, y) != swap, code.Black(x, y+1) != swap))
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
