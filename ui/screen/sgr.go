package screen

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
