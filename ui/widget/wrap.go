package widget

import "strings"

// Wrap breaks plain text into lines of at most w cells, at blanks where there
// are any. Empty text is one empty line.
func Wrap(s string, w int) []string {
	w = max(w, 1)
	var lines []string
	line, cells := "", 0
	for word := range strings.FieldsSeq(s) {
		n := Width(word)
		if line != "" && cells+1+n <= w {
			line, cells = line+" "+word, cells+1+n
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n > w {
			head, rest := breakAt(word, w)
			lines, word = append(lines, head), rest
			n = Width(word)
		}
		line, cells = word, n
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// breakAt cuts a word after as many clusters as fit in w cells, at least one.
func breakAt(word string, w int) (head, rest string) {
	at, cells := 0, 0
	for at < len(word) {
		_, c, n := next(word[at:])
		if at > 0 && cells+c > w {
			break
		}
		at, cells = at+n, cells+c
	}
	return word[:at], word[at:]
}

// Paragraph draws a text in as many lines of w cells as it takes, at most so
// many: the last shows then that it is cut.
func Paragraph(style Style, text string, w, most int) []string {
	texts := Wrap(text, max(1, w-2))
	if len(texts) > most {
		texts = append(texts[:most-1], strings.Join(texts[most-1:], " "))
	}
	lines := make([]string, 0, len(texts))
	for _, text := range texts {
		lines = append(lines, Spans(w, Span{Style: style, Text: " " + text}))
	}
	return lines
}
