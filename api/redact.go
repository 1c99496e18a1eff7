package api

import "strings"

// hideSecrets replaces what looks like a key or a card number in a text that
// came from outside and will be shown in an error.
func hideSecrets(text string) string {
	text = hideKeys(text, testPrefix)
	text = hideKeys(text, livePrefix)
	return hideNumbers(text)
}

func hideKeys(text, prefix string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, prefix)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString(redacted)
		text = strings.TrimLeftFunc(after, func(r rune) bool {
			return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		})
	}
}

// minPAN is the length of the shortest card number, in digits.
const minPAN = 13

// hideNumbers replaces runs of 13 digits and more, also when they are grouped
// by single spaces or dashes. No check digit is asked for: an identifier lost
// from an error text costs less than a card number kept.
func hideNumbers(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		end, digits := numberRun(text[i:])
		switch {
		case digits == 0:
			out.WriteByte(text[i])
			i++
		case digits >= minPAN:
			out.WriteString(redacted)
			i += end
		default:
			out.WriteString(text[i : i+end])
			i += end
		}
	}
	return out.String()
}

// numberRun measures the digits at the start of s, with the single separators
// between them.
func numberRun(s string) (end, digits int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
			end = i + 1
		case (c == ' ' || c == '-') && end == i && i > 0:
		default:
			return end, digits
		}
	}
	return end, digits
}
