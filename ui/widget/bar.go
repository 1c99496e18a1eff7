package widget

import "math"

// BarStyles are the styles of a bar: what is filled and what is not.
type BarStyles struct {
	Fill, Rest Style
}

// eighths are the left blocks from one eighth of a cell to seven.
const eighths = "▏▎▍▌▋▊▉"

// Bar draws a fraction of 0 to 1 in exactly w cells, to an eighth of a cell.
// What is above 0 shows at least an eighth, and what is below 1 is never
// drawn full.
func Bar(fraction float64, w int, styles BarStyles) string {
	if w <= 0 {
		return ""
	}
	if math.IsNaN(fraction) {
		fraction = 0
	}
	fraction = min(max(fraction, 0), 1)
	steps := int(math.Round(fraction * float64(w) * 8))
	if fraction > 0 {
		steps = max(steps, 1)
	}
	if fraction < 1 {
		steps = min(steps, w*8-1)
	}
	var b Buf
	full, part := steps/8, steps%8
	b.Repeat(styles.Fill, "█", full)
	if part > 0 {
		const runeBytes = 3
		b.Raw(styles.Fill, eighths[(part-1)*runeBytes:part*runeBytes])
		full++
	}
	b.Repeat(styles.Rest, "░", w-full)
	b.Newline()
	return b.String()
}

// BarText is Bar without styles, for where the row has one of its own.
func BarText(fraction float64, w int) string { return Strip(Bar(fraction, w, BarStyles{})) }

// Sparkline draws the latest w values, oldest first, in exactly w cells.
// Heights are relative to the largest value; 0, negative and missing values
// are the lowest step, and cells before the first value are blank.
func Sparkline(values []float64, w int, style Style) string {
	const steps, runeBytes = "▁▂▃▄▅▆▇█", 3
	if w <= 0 {
		return ""
	}
	values = values[max(len(values)-w, 0):]
	top := 0.0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			top = max(top, v)
		}
	}
	var b Buf
	b.Pad("", w-len(values))
	for _, v := range values {
		i := 0
		switch {
		case math.IsInf(v, 1):
			i = 7
		case v > 0 && top > 0:
			i = min(int(v/top*8), 7)
		}
		b.Raw(style, steps[i*runeBytes:(i+1)*runeBytes])
	}
	b.Newline()
	return b.String()
}
