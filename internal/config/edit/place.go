package edit

import "strings"

// lineStart is where the line of a place starts.
func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.text[:at], '\n') + 1 }

// lineEnd is where the line after a place starts.
func (d *document) lineEnd(at int) int { return at + lineLength(d.text[at:]) }

// eol is how lines of the document end.
func (d *document) eol() string {
	if strings.Contains(d.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// commentStart is where the comment starts that stands right above the head of
// a table, or the head itself. A line for an editor, such as "#:schema", is
// none.
func (d *document) commentStart(i int) int {
	at, least := d.lineStart(d.statements[i].at.from), 0
	if i > 0 {
		least = d.lineEnd(d.statements[i-1].at.to)
	}
	for at > least {
		above := d.lineStart(at - 1)
		line := strings.TrimLeft(d.text[above:at], " \t")
		if above < least || !strings.HasPrefix(line, "#") || strings.HasPrefix(line, "#:") {
			break
		}
		at = above
	}
	return at
}

// sectionEnd is where the table of a head ends: at the comment or head of the
// next.
func (d *document) sectionEnd(i int) int {
	for next := i + 1; next < len(d.statements); next++ {
		if d.statements[next].head {
			return d.commentStart(next)
		}
	}
	return len(d.text)
}

// shared is how many parts two names have in common at their start.
func shared(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
