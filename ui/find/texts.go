package find

import "strings"

// end is what follows each field of an item.
const end = 0

// texts are the texts of the items of a kind, by their places, in lower case and
// in one piece: they are looked through at every key.
type texts struct {
	weights []int // of the fields
	ordered bool  // equal matches stay in their order: otherwise the shortest is first
	buf     []byte
	spans   []span
	masks   []uint64
}

// usual is how many bytes most items have at most.
const usual = 32

// span is where the fields of an item are.
type span struct{ from, to uint32 }

// set puts the fields of an item in its place, which may be the next one.
func (t *texts) set(place int, fields ...string) {
	from := len(t.buf)
	for _, f := range fields {
		t.buf = append(append(t.buf, strings.ToLower(f)...), end)
	}
	s, mask := span{uint32(from), uint32(len(t.buf))}, maskOf(t.buf[from:])
	if place == len(t.spans) {
		t.spans, t.masks = append(t.spans, s), append(t.masks, mask)
		return
	}
	t.spans[place], t.masks[place] = s, mask
}

func (t *texts) len() int { return len(t.spans) }

// reset forgets all items, of which there will be so many.
func (t *texts) reset(items int) {
	t.buf, t.spans, t.masks = t.buf[:0], t.spans[:0], t.masks[:0]
	if cap(t.spans) < items {
		t.spans, t.masks, t.buf = make([]span, 0, items), make([]uint64, 0, items), make([]byte, 0, items*usual)
	}
}

// search adds to the best those of some items that match.
func (t *texts) search(what *typed, from, to int, best *top) {
	for place := from; place < to; place++ {
		if !may(what.masks, t.masks[place]) {
			continue
		}
		s := t.spans[place]
		if score, ok := what.score(t.buf[s.from:s.to], t.weights); ok {
			h := hit{place: int32(place), score: int32(score)}
			if !t.ordered {
				h.text = t.buf[s.from:s.to]
			}
			best.add(h)
		}
	}
}

// may reports whether a text has all letters of all words.
func may(words []uint64, text uint64) bool {
	for _, w := range words {
		if w&^text != 0 {
			return false
		}
	}
	return true
}
