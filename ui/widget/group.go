package widget

// Group puts a blank between groups of n characters, counted from the left:
// 482913 by three is "482 913", a number by four is "4111 1111 1111 1111".
// Blanks already there are dropped first, so that a copied group is the same.
func Group(s string, n int) string {
	if n <= 0 {
		return s
	}
	out := make([]rune, 0, len(s)+len(s)/n)
	count := 0
	for _, r := range s {
		if r == ' ' {
			continue
		}
		if count > 0 && count%n == 0 {
			out = append(out, ' ')
		}
		out = append(out, r)
		count++
	}
	return string(out)
}
