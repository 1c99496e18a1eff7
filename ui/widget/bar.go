package widget

import (
	"math"
	"strconv"
	"time"
)

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

// BarValue is a bar of a chart. Partial reports whether the value is a lower
// bound: it is drawn shaded, and a dot stands for one of which nothing is known.
type BarValue struct {
	Value   float64
	Partial bool
}

// ChartStyles are the styles of bars, of those that are a lower bound, and of the
// labels.
type ChartStyles struct {
	Bar, Partial, Label Style
}

// mostBarCells bounds the width of a bar and the gap after it.
const mostBarCells = 12

// Bars draws a chart of h lines of w cells, a bar for each value, oldest first,
// at the left. Heights are relative to the largest value, to an eighth of a line;
// what is above 0 shows at least that. What is 0 or below shows nothing.
func Bars(values []BarValue, w, h int, styles ChartStyles) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	slot := slotCells(len(values), w)
	values = values[max(0, len(values)-w/slot):]
	top := 0.0
	for _, v := range values {
		top = max(top, v.Value)
	}
	var b Buf
	for line := h - 1; line >= 0; line-- {
		for _, v := range values {
			glyph, style := v.glyph(line, h, top), styles.Bar
			if v.Partial {
				style = styles.Partial
			}
			b.Repeat(style, glyph, slot-gapOf(slot))
			b.Pad("", gapOf(slot))
		}
		b.Pad("", w-slot*len(values))
		b.Newline()
	}
	return b.Lines()
}

// glyph is what a bar shows in a line, of which 0 is the lowest of h.
func (v BarValue) glyph(line, h int, top float64) string {
	const steps, runeBytes = "▁▂▃▄▅▆▇█", 3
	eighths := 0
	if v.Value > 0 && top > 0 {
		eighths = max(1, int(v.Value/top*float64(8*h)+0.5))
	}
	here := min(eighths-8*line, 8)
	switch {
	case v.Partial && eighths == 0 && line == 0:
		return "·"
	case here <= 0:
		return " "
	case v.Partial && (here >= 4 || line == 0):
		return "▒"
	case v.Partial:
		return " "
	}
	return steps[(here-1)*runeBytes : here*runeBytes]
}

// slotCells is the width of a bar with the gap after it, of n in w cells.
func slotCells(n, w int) int { return min(max(w/max(n, 1), 1), mostBarCells) }

func gapOf(slot int) int { return b2i(slot >= 3) }

// BarLabels is the line below Bars: of the labels those that have room, the last
// one among them.
func BarLabels(labels []string, w int, style Style) string {
	slot := slotCells(len(labels), w)
	labels = labels[max(0, len(labels)-w/slot):]
	widest := 1
	for _, l := range labels {
		widest = max(widest, Width(l))
	}
	// A blank stands between two, also before the last one, which ends with the line.
	moved := max(0, (len(labels)-1)*slot+widest-w)
	every := (widest + moved + slot) / slot
	var b Buf
	at := 0
	for i, l := range labels {
		if (len(labels)-1-i)%every != 0 {
			continue
		}
		start := max(min(i*slot, w-Width(l)), at)
		b.Pad("", start-at)
		at = start + b.Clip(style, l, w-start)
	}
	b.Pad("", w-at)
	b.Newline()
	return b.String()
}

// Countdown returns the time left as m:ss, rounded down so that it never
// promises more than there is; a time that has passed is 0:00.
func Countdown(left time.Duration) string {
	s := int64(max(left, 0) / time.Second)
	b := strconv.AppendInt(make([]byte, 0, 8), s/60, 10)
	b = append(b, ':', byte('0'+s%60/10), byte('0'+s%10))
	return string(b)
}
