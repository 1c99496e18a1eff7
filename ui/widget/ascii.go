package widget

import "strings"

// ASCII returns a block with every drawing replaced by ASCII of the same
// width, for terminals that have nothing else. Text in other scripts becomes
// question marks. It is one pass over a finished screen.
func ASCII(block []string) []string {
	out := make([]string, len(block))
	for i, line := range block {
		if isASCII(line) {
			out[i] = line
			continue
		}
		b := make([]byte, 0, len(line))
		for len(line) > 0 {
			if n, sgr := sequence(line); n > 0 {
				if sgr {
					b = append(b, line[:n]...)
				}
				line = line[n:]
				continue
			}
			text, cells, n := next(line)
			b = appendASCII(b, text, cells)
			line = line[n:]
		}
		out[i] = string(b)
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// appendASCII appends the stand-in of one cluster.
func appendASCII(b []byte, text string, cells int) []byte {
	if isASCII(text) {
		return append(b, text...)
	}
	const known = "─-│|╭+╮+╰+╯+┃#▸>◆*◈*…~•*·.●o○o❄*✓v✗x◌~◷@■#◎@↗>↑^↓v→>△!◫=⇣>▲^▼v█#░.▁_▂_▃.▄-▅=▆=▇#▏|▎|▍|▌|▋#▊#▉#▀^"
	if at := strings.Index(known, text); at >= 0 && cells == 1 {
		return append(b, known[at+len(text)])
	}
	for range cells {
		b = append(b, '?')
	}
	return b
}
