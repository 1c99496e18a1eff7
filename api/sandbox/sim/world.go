package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// idAlphabet has no letters that are easily confused. It is in the order of
// ASCII, so that identifiers of one kind sort in the order of their rows.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// The parts of an identifier after its prefix, in characters of 5 bits.
const (
	idSeqLen  = 6  // row number
	idHashLen = 10 // not to be guessed without the seed
)

// MaxSeq is above every row number.
const MaxSeq = 1 << (5 * idSeqLen)

// World is the seed from which everything invented is computed. Identifiers, card
// numbers and names are not stored.
type World struct{ Seed uint64 }

// Digest returns pseudo-random bytes for one row and purpose.
func (w World) Digest(purpose string, seq int64) [sha256.Size]byte {
	buf := make([]byte, 16, 32)
	binary.BigEndian.PutUint64(buf, w.Seed)
	binary.BigEndian.PutUint64(buf[8:], uint64(seq))
	return sha256.Sum256(append(buf, purpose...))
}

// ID returns the identifier of row seq, which begins with prefix.
func (w World) ID(prefix string, seq int64) string {
	var b strings.Builder
	b.Grow(len(prefix) + idSeqLen + idHashLen)
	b.WriteString(prefix)
	for i := idSeqLen - 1; i >= 0; i-- {
		b.WriteByte(idAlphabet[seq>>(5*i)&31])
	}
	sum := w.Digest(prefix, seq)
	for i := range idHashLen {
		b.WriteByte(idAlphabet[sum[i]&31])
	}
	return b.String()
}

// Seq returns the row of an identifier; ok is false for a text that [World.ID] does
// not return.
func (w World) Seq(prefix, id string) (seq int64, ok bool) {
	if len(id) != len(prefix)+idSeqLen+idHashLen || !strings.HasPrefix(id, prefix) {
		return 0, false
	}
	for _, c := range []byte(id[len(prefix) : len(prefix)+idSeqLen]) {
		digit := strings.IndexByte(idAlphabet, c)
		if digit < 0 {
			return 0, false
		}
		seq = seq<<5 | int64(digit)
	}
	return seq, seq > 0 && w.ID(prefix, seq) == id
}

// Rand returns a random source for one row and purpose.
func (w World) Rand(purpose string, seq int64) *rand.Rand {
	sum := w.Digest(purpose, seq)
	return NewRand(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]))
}

// NewRand returns a random source that follows from two seeds.
func NewRand(a, b uint64) *rand.Rand {
	return rand.New(rand.NewPCG(a, b)) //nolint:gosec // Nothing here guards a secret.
}
