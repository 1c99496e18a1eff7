package main

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// The picture's measures, in pixels.
const (
	pictureWidth = 1100
	lineHeight   = 17
	boxPad       = 10
	rowGap       = 30
	titleWidth   = 7.2 // of a character
	roleWidth    = 6.7
	nameWidth    = 6.7
	arrowGap     = 22 // between arrows, and from an arrow to a box it passes
)

const architectureStyle = `<style>
.ground{fill:#ffffff}.box{fill:#f3f5f8;stroke:#8c959f}.pure{fill:#e3f2e6;stroke:#4b8f5c}.client{fill:#e2edfb;stroke:#4a7fc1}.screen{fill:#fdf1dc;stroke:#b98a33}
.title{fill:#1f2328;font-weight:600;font-size:12px}.role{fill:#4d5560;font-size:12px}.name{fill:#1f2328;font-size:11px;font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace}
.arrow{stroke:#57606a;fill:none;stroke-width:1.5}.head{fill:#57606a}
@media (prefers-color-scheme: dark){
.ground{fill:#16181d}.box{fill:#22262e;stroke:#6b7482}.pure{fill:#1d3325;stroke:#5aa36d}.client{fill:#1b2c44;stroke:#5b91d6}.screen{fill:#3a2f1b;stroke:#c79a46}
.title{fill:#e6e9ef}.role{fill:#b3bac5}.name{fill:#d5dae3}.arrow{stroke:#9aa3af}.head{fill:#9aa3af}}
</style>
`

// A box is a group where it is drawn.
type box struct {
	group
	y0, y1             float64
	titles, role, list []string
}

// architecture draws the packages and their imports.
func architecture(all []group, imports map[string][]string) ([]byte, error) {
	t, err := grouped(all, imports)
	if err != nil {
		return nil, err
	}
	boxes, height := place(all, t)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" font-family="'DejaVu Sans', Helvetica, Arial, sans-serif">`+"\n", pictureWidth, height, pictureWidth)
	b.WriteString(architectureStyle)
	b.WriteString(`<rect class="ground" width="100%" height="100%" rx="8"/>` + "\n")
	for i := range all {
		if boxes[i] != nil {
			boxes[i].draw(&b)
		}
	}
	drawArrows(&b, boxes, t.arrows)
	legend(&b, height-14)
	b.WriteString("</svg>\n")
	return []byte(b.String()), nil
}

// legend says what the colours and arrows are.
func legend(out *strings.Builder, y float64) {
	x := 20.0
	for _, l := range []struct {
		class, text string
		width       float64
	}{{"screen", "screen", 70}, {"pure", "store", 60}, {"client", "client", 62}, {"box", "wiring and machine", 138}} {
		fmt.Fprintf(out, `<rect class="%s" x="%.0f" y="%.0f" width="12" height="12" rx="2"/><text class="role" x="%.0f" y="%.0f">%s</text>`+"\n", l.class, x, y-10, x+18, y, l.text)
		x += l.width
	}
	fmt.Fprintf(out, `<text class="role" x="%.0f" y="%.0f">Arrow: imports. Arrows that follow from others, tests and tools (e2e, bench, api/apitest) are not drawn.</text>`+"\n", x+14, y)
}

// place sets the rows below each other, each as high as its boxes need. A
// group without packages and a row without groups take no room.
func place(all []group, t tree) (boxes map[int]*box, height float64) {
	boxes = make(map[int]*box)
	rows := 0
	for i, g := range all {
		if len(t.packages[i]) == 0 {
			continue
		}
		width := g.x1 - g.x0 - 2*boxPad
		boxes[i] = &box{
			group: g, titles: wrap(strings.Fields(g.title), width/titleWidth),
			role: wrap(strings.Fields(g.role), width/roleWidth), list: wrap(names(g, t.packages[i]), width/nameWidth),
		}
		rows = max(rows, g.bottom+1)
	}
	tops, y := make([]float64, rows+1), 20.0
	for row := range rows {
		tops[row] = y
		for i := range all {
			if b := boxes[i]; b != nil && b.bottom == row {
				y = max(y, tops[b.top]+b.height()+rowGap)
			}
		}
	}
	tops[rows] = y
	for _, b := range boxes {
		b.y0, b.y1 = tops[b.top], tops[b.bottom+1]-rowGap
	}
	return boxes, y + 10
}

// names are the packages of a group as its box shows them: without what its
// title says already.
func names(g group, packages []string) []string {
	var short []string
	for _, p := range packages {
		if slices.Contains(strings.Fields(g.title), p) || p == "." {
			continue
		}
		base := strings.TrimSuffix(strings.Fields(g.title)[0], "*")
		short = append(short, strings.TrimPrefix(strings.TrimPrefix(p, base), "/"))
	}
	return short
}

// wrap joins words to lines of at most so many characters.
func wrap(words []string, most float64) []string {
	var lines []string
	for _, w := range words {
		if n := len(lines) - 1; n >= 0 && float64(len([]rune(lines[n]))+1+len([]rune(w))) <= most {
			lines[n] += " " + w
			continue
		}
		lines = append(lines, w)
	}
	return lines
}

func (b *box) height() float64 {
	return float64(len(b.titles)+len(b.role)+len(b.list))*lineHeight + 2*boxPad
}

func (b *box) draw(out *strings.Builder) {
	class := "box"
	switch root, _, _ := strings.Cut(b.title, "/"); {
	case root == "state":
		class = "pure"
	case b.title == "api":
		class = "client"
	case strings.HasPrefix(root, "ui"):
		class = "screen"
	}
	fmt.Fprintf(out, `<rect class="%s" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="6"/>`+"\n", class, b.x0, b.y0, b.x1-b.x0, b.y1-b.y0)
	y := b.y0 + boxPad - 4
	for _, part := range []struct {
		class string
		lines []string
	}{{"title", b.titles}, {"role", b.role}, {"name", b.list}} {
		for _, line := range part.lines {
			y += lineHeight
			fmt.Fprintf(out, `<text class="%s" x="%.0f" y="%.0f">%s</text>`+"\n", part.class, b.x0+boxPad, y, html.EscapeString(line))
		}
	}
}

// drawArrows leads each arrow down from its user: straight where nothing is in
// the way, else sideways above the row of its target.
func drawArrows(out *strings.Builder, boxes map[int]*box, arrows [][2]int) {
	var used []float64
	for _, a := range arrows {
		from, to := boxes[a[0]], boxes[a[1]]
		channel := to.y0 - rowGap/2
		x := bestX(boxes, used, from, to)
		used = append(used, x)
		end := min(max(x, to.x0+arrowGap/2), to.x1-arrowGap/2)
		fmt.Fprintf(out, `<path class="arrow" d="M%.0f %.0fV%.0fH%.0fV%.0f"/><path class="head" d="M%.0f %.0fl-5 -8h10z"/>`+"\n",
			x, from.y1, channel, end, to.y0-6, end, to.y0)
	}
}

// bestX is where an arrow leaves its user: above its target, past no box,
// apart from other arrows, and otherwise in the middle of what the two share.
func bestX(boxes map[int]*box, used []float64, from, to *box) float64 {
	middle := (max(from.x0, to.x0) + min(from.x1, to.x1)) / 2
	cost := func(x float64) float64 {
		sum := math.Abs(x - middle)
		if x < to.x0+arrowGap/2 || x > to.x1-arrowGap/2 {
			sum += 1e4
		}
		for _, b := range boxes {
			if b.y0 > from.y1 && b.y1 < to.y0 && x > b.x0-6 && x < b.x1+6 {
				sum += 1e6
			}
		}
		for _, u := range used {
			if math.Abs(u-x) < arrowGap {
				sum += 1e3
			}
		}
		return sum
	}
	var places []float64
	for x := from.x0 + arrowGap/2; x <= from.x1-arrowGap/2; x++ {
		places = append(places, x)
	}
	return slices.MinFunc(places, func(a, b float64) int { return cmp.Or(cmp.Compare(cost(a), cost(b)), cmp.Compare(a, b)) })
}
