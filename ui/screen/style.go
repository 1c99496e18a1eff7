package screen

import (
	"strconv"
	"strings"
)

// styleID names a style in a styles table; 0 is the terminal's own.
type styleID uint16

// attrs are the SGR attributes 1 to 9 that are on, a bit each.
type attrs uint16

// color is a colour as SGR writes it; 0 is the terminal's own. The two top
// bits tell which kind it is, the rest its number or its red, green and blue.
type color uint32

const (
	basicColor   color = 1 << 30 // 0 to 15
	indexedColor color = 2 << 30 // 0 to 255
	exactColor   color = 3 << 30
	kindOfColor        = exactColor
)

// style is how a cell is drawn.
type style struct {
	fg, bg color
	attrs  attrs
}

// caret is the attribute of the cell that the terminal's own cursor stands on: blinking, which nothing else is here.
// Input methods compose there, and magnifiers and screen readers follow it.
const caret attrs = 1 << 5

// onBlank are the attributes that show where there is no text: underline,
// reverse, strikethrough and the caret.
const onBlank attrs = 1<<4 | 1<<7 | 1<<9 | caret

// drawn is the style as the terminal draws it: under its cursor a cell is as the text around it.
func (s style) drawn() style {
	if s.attrs&caret != 0 {
		s.attrs &^= caret | 1<<7
	}
	return s
}

// ofBlank returns the part of a style that shows on a blank.
func (s style) ofBlank() style {
	s.attrs &= onBlank
	if s.attrs == 0 {
		s.fg = 0
	}
	return s
}

// styles numbers the styles that a program uses, and knows what to write to
// get from one to another. It holds as many as a program has, which is few.
type styles struct {
	all      []style
	blanks   []styleID // of each, the style that a blank in it has
	ids      map[style]styleID
	absolute map[string]styleID    // by SGR parameters that begin with a reset
	changes  map[[2]styleID]string // what switches from the first to the second
}

func newStyles() *styles {
	return &styles{
		all:      []style{{}},
		blanks:   []styleID{0},
		ids:      map[style]styleID{{}: 0},
		absolute: map[string]styleID{"": 0, "0": 0},
		changes:  make(map[[2]styleID]string),
	}
}

// maxStyles bounds the table. A program that passes it draws the rest plain.
const maxStyles = 1 << 15

func (t *styles) id(s style) styleID {
	if id, ok := t.ids[s]; ok {
		return id
	}
	if len(t.all) >= maxStyles {
		return 0
	}
	id := styleID(len(t.all))
	t.all, t.blanks = append(t.all, s), append(t.blanks, id)
	t.ids[s] = id
	t.blanks[id] = t.id(s.ofBlank())
	return id
}

// apply returns the style after an SGR sequence with these parameters.
func (t *styles) apply(at styleID, params string) styleID {
	if id, ok := t.absolute[params]; ok {
		return id
	}
	id := t.id(applySGR(t.all[at], params))
	if strings.HasPrefix(params, "0;") && len(t.absolute) < maxStyles {
		t.absolute[strings.Clone(params)] = id
	}
	return id
}

// plain switches to the terminal's own style.
const plain = "\x1b[m"

// change returns what is written to switch from one style to another: the
// shorter of a new start and of what differs.
func (t *styles) change(from, to styleID) string {
	if from == to {
		return ""
	}
	before, after := t.all[from].drawn(), t.all[to].drawn()
	switch after {
	case before:
		return ""
	case style{}:
		return plain
	}
	key := [2]styleID{from, to}
	seq, ok := t.changes[key]
	if !ok {
		seq = shorter("\x1b[0"+after.since(style{})+"m", "\x1b["+strings.TrimPrefix(after.since(before), ";")+"m")
		t.changes[key] = seq
	}
	return seq
}

func shorter(a, b string) string {
	if len(a) < len(b) {
		return a
	}
	return b
}

// off is the parameter that ends an attribute: bold and faint have one
// together.
var off = [...]int{1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 6: 25, 7: 27, 8: 28, 9: 29}

// since returns the SGR parameters from another style to this one, each after
// a semicolon.
func (s style) since(from style) string {
	var b strings.Builder
	gone, come := from.attrs&^s.attrs, s.attrs&^from.attrs
	for i := 1; i <= 9; i++ {
		if gone&(1<<i) == 0 {
			continue
		}
		b.WriteString(";" + strconv.Itoa(off[i]))
		for other := 1; other <= 9; other++ { // The same parameter may end another that stays.
			if off[other] == off[i] {
				come |= s.attrs & (1 << other)
				gone &^= 1 << other
			}
		}
	}
	for i := 1; i <= 9; i++ {
		if come&(1<<i) != 0 {
			b.WriteString(";" + strconv.Itoa(i))
		}
	}
	if s.fg != from.fg {
		b.WriteString(";" + s.fg.param(30))
	}
	if s.bg != from.bg {
		b.WriteString(";" + s.bg.param(40))
	}
	return b.String()
}

// param is a colour's SGR parameter; base is 30 for text, 40 for the ground.
func (c color) param(base int) string {
	n := int(c &^ kindOfColor)
	switch c & kindOfColor {
	case basicColor:
		if n >= 8 {
			return strconv.Itoa(base + 60 + n - 8)
		}
		return strconv.Itoa(base + n)
	case indexedColor:
		return strconv.Itoa(base+8) + ";5;" + strconv.Itoa(n)
	case exactColor:
		return strconv.Itoa(base+8) + ";2;" + strconv.Itoa(n>>16) + ";" + strconv.Itoa(n>>8&0xff) + ";" + strconv.Itoa(n&0xff)
	default:
		return strconv.Itoa(base + 9)
	}
}

// applySGR returns a style after the parameters of an SGR sequence. Parameters
// that it does not know change nothing.
func applySGR(s style, params string) style {
	p := sgrParams(params)
	for p.more() {
		n := p.next()
		switch {
		case n == 0:
			s = style{}
		case n >= 1 && n <= 9:
			s.attrs |= 1 << n
		case n >= 22 && n <= 29:
			s.attrs &^= endedBy(n)
		case n >= 30 && n <= 37:
			s.fg = basicColor | color(n-30)
		case n == 38:
			s.fg = p.color(s.fg)
		case n == 39:
			s.fg = 0
		case n >= 40 && n <= 47:
			s.bg = basicColor | color(n-40)
		case n == 48:
			s.bg = p.color(s.bg)
		case n == 49:
			s.bg = 0
		case n >= 90 && n <= 97:
			s.fg = basicColor | color(n-90+8)
		case n >= 100 && n <= 107:
			s.bg = basicColor | color(n-100+8)
		}
	}
	return s
}

// endedBy returns the attributes that a parameter from 22 to 29 ends.
func endedBy(n int) attrs {
	var a attrs
	for i := 1; i <= 9; i++ {
		if off[i] == n {
			a |= 1 << i
		}
	}
	return a
}

// sgrReader reads the numbers of an SGR sequence, separated by semicolons or
// colons; an empty one is 0.
type sgrReader struct {
	rest string
	end  bool
}

func sgrParams(s string) *sgrReader { return &sgrReader{rest: s} }

func (p *sgrReader) more() bool { return !p.end }

func (p *sgrReader) next() int {
	n, i := 0, 0
	for ; i < len(p.rest) && p.rest[i] != ';' && p.rest[i] != ':'; i++ {
		if c := p.rest[i]; c >= '0' && c <= '9' && n < 1000 {
			n = 10*n + int(c-'0')
		}
	}
	if i == len(p.rest) {
		p.rest, p.end = "", true
	} else {
		p.rest = p.rest[i+1:]
	}
	return n
}

// color reads what follows 38 or 48; was is kept when it is no colour.
func (p *sgrReader) color(was color) color {
	if !p.more() {
		return was
	}
	switch p.next() {
	case 5:
		if p.more() {
			return indexedColor | color(p.next()&0xff)
		}
	case 2:
		var c color
		for range 3 {
			if !p.more() {
				return was
			}
			c = c<<8 | color(p.next()&0xff)
		}
		return exactColor | c
	}
	return was
}
