package main

import (
	"fmt"
	"slices"
	"strings"
)

// animate draws frames as one SVG that moves without a script, and begins again at its
// end. A line that stays the same for some frames is drawn once.
func animate(frames []frame) []byte {
	p := painter{ground: "#16181d", text: "#d5dae3"}
	width, height := movieW*cellW+2*margin, (movieH+2)*cellH+2*margin
	fmt.Fprintf(&p.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.1f %d" width="%.0f" font-family="'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace" font-size="%d" xml:space="preserve">`+"\n",
		width, height, width, fontSize)
	fmt.Fprintf(&p.b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", p.ground)
	for y := range movieH {
		same := func(a, b frame) bool { return slices.Equal(a.rows[y], b.rows[y]) }
		p.spans(frames, same, func(f frame) { p.row(f.rows[y], margin+float64(y)*cellH) })
	}
	p.spans(frames, func(a, b frame) bool { return a.says == b.says }, func(f frame) {
		fmt.Fprintf(&p.b, `<text x="50%%" y="%.1f" text-anchor="middle" fill="#f0c674" font-weight="bold">%s</text>`+"\n",
			margin+(movieH+1)*cellH+baseline, escape(f.says))
	})
	p.b.WriteString("</svg>\n")
	return p.b.Bytes()
}

// spans draws each run of frames that are the same, to be seen while they are. What is
// there all the time does not move, and what comes again is drawn once.
func (p *painter) spans(frames []frame, same func(a, b frame) bool, draw func(frame)) {
	var shown []frame
	var when [][]int // of each of shown: first frame, frame after the last, and so on
	for i, f := range frames {
		n := slices.IndexFunc(shown, func(s frame) bool { return same(s, f) })
		if n < 0 {
			n = len(shown)
			shown, when = append(shown, f), append(when, nil)
		}
		if last := len(when[n]) - 1; last > 0 && when[n][last] == i {
			when[n][last]++
		} else {
			when[n] = append(when[n], i, i+1)
		}
	}
	for n, f := range shown {
		if len(shown) == 1 {
			draw(f)
			return
		}
		p.b.WriteString("<g visibility=\"hidden\">")
		p.timing(when[n], len(frames))
		draw(f)
		p.b.WriteString("</g>\n")
	}
}

// timing shows what it is in during some frames of all.
func (p *painter) timing(when []int, all int) {
	values, times := []string{"hidden"}, []string{"0"}
	for i, at := range when {
		value := "visible"
		if i%2 == 1 {
			value = "hidden"
		}
		if at == 0 {
			values[0] = value
			continue
		}
		if at < all {
			values, times = append(values, value), append(times, fmt.Sprintf("%.4f", float64(at)/float64(all)))
		}
	}
	fmt.Fprintf(&p.b, `<animate attributeName="visibility" calcMode="discrete" dur="%.1fs" repeatCount="indefinite" values="%s" keyTimes="%s"/>`+"\n",
		float64(all)*sampled.Seconds(), strings.Join(values, ";"), strings.Join(times, ";"))
}
