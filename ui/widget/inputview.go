package widget

// View draws the field in exactly w cells. With the focus the cursor is a
// cell of its own style, and the text scrolls so that it is on screen.
func (in *Input) View(w int, focused bool) string {
	var b Buf
	switch {
	case w <= 0:
	case in.value == "":
		in.viewEmpty(&b, w, focused)
	default:
		in.viewText(&b, w, focused)
	}
	b.Newline()
	return b.String()
}

// ViewErr draws the error line in exactly w cells, blank without an error.
func (in *Input) ViewErr(w int) string {
	return Spans(w, Span{Style: in.Styles.Error, Text: in.err})
}

func (in *Input) viewEmpty(b *Buf, w int, focused bool) {
	if !focused {
		b.Fit("", in.Styles.Placeholder, in.Placeholder, w, Left)
		return
	}
	b.Pad(in.Styles.Cursor, 1)
	b.Fit("", in.Styles.Placeholder, in.Placeholder, w-1, Left)
}

func (in *Input) viewText(b *Buf, w int, focused bool) {
	cursor := -1
	if focused {
		in.scroll(w)
		cursor = in.cursor
	} else {
		in.offset = 0
	}
	left := w
	for i := in.offset; i < len(in.value); {
		text, cells, n := in.glyph(i)
		style := in.Styles.Text
		if focused && in.selected {
			style = in.Styles.Selected
		}
		if i == cursor {
			style = in.Styles.Cursor
			if cells == 0 || cells > left { // nothing to stand on
				text, cells = " ", 1
			}
		}
		if cells > left {
			break
		}
		b.Raw(style, text)
		left -= cells
		i += n
	}
	if cursor == len(in.value) && left > 0 {
		b.Pad(in.Styles.Cursor, 1)
		left--
	}
	b.Pad("", left)
}

// scroll moves the offset so that the cursor's cell is within w cells.
func (in *Input) scroll(w int) {
	in.offset = min(in.offset, in.cursor)
	for in.offset < in.cursor && in.cells(in.offset, in.cursor)+in.cursorCells() > w {
		in.offset = in.after(in.offset)
	}
	// Text that was scrolled off comes back when there is room for it.
	for in.offset > 0 && in.cells(in.before(in.offset), len(in.value))+1 <= w {
		in.offset = in.before(in.offset)
	}
}

// cursorCells returns the cells of what is under the cursor.
func (in *Input) cursorCells() int {
	if in.cursor == len(in.value) {
		return 1
	}
	_, cells, _ := in.glyph(in.cursor)
	return max(cells, 1)
}

func (in *Input) cells(from, to int) int {
	sum := 0
	for from < to {
		_, cells, n := in.glyph(from)
		sum += cells
		from += n
	}
	return sum
}

// glyph returns what is drawn for the cluster at byte i.
func (in *Input) glyph(i int) (text string, cells, n int) {
	text, cells, n = next(in.value[i:])
	if in.Mask != "" {
		mask, w, _ := next(in.Mask)
		return mask, w, n
	}
	return text, cells, n
}
