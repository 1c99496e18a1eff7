// Command floor shows the cards with as little as it takes: a list of the rows
// that are visible, and on a key the cells that differ. No other program can be
// much quicker.
package main

import (
	"log"
	"os"

	"golang.org/x/term"

	"github.com/cardtop/cardtop/bench/screen/rows"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(file string) error {
	all, err := rows.Read(file)
	if err != nil {
		return err
	}
	in, out := int(os.Stdin.Fd()), os.Stdout
	saved, err := term.MakeRaw(in)
	if err != nil {
		return err
	}
	defer func() { _ = term.Restore(in, saved) }() // The terminal ends with its session.
	width, height, err := term.GetSize(in)
	if err != nil {
		return err
	}
	l := &list{all: all, kept: all, height: height - 1}
	s := newScreen(width, height)
	keys := make([]byte, 4096)
	if _, err := out.WriteString("\x1b[?1049h\x1b[?25l"); err != nil {
		return err
	}
	for {
		if _, err := out.Write(s.draw(l.lines(width))); err != nil {
			return err
		}
		n, err := os.Stdin.Read(keys)
		if err != nil {
			return err
		}
		for _, k := range keys[:n] {
			if k == 3 {
				return nil
			}
			l.press(k)
		}
	}
}
