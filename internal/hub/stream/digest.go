package stream

import (
	"encoding/binary"
	"hash/maphash"
)

// Digests makes digests that can be compared within one run of the program.
type Digests struct{ seed maphash.Seed }

// NewDigests returns digests of a random seed.
func NewDigests() Digests { return Digests{maphash.MakeSeed()} }

// Of returns the digest of what write adds.
func (d Digests) Of(write func(*Digest)) uint64 {
	var sum Digest
	sum.hash.SetSeed(d.seed)
	write(&sum)
	return sum.hash.Sum64()
}

// Digest adds up what people see.
type Digest struct{ hash maphash.Hash }

// Text adds texts, each with its end.
func (d *Digest) Text(all ...string) {
	for _, s := range all {
		_, _ = d.hash.WriteString(s) // It never fails.
		_ = d.hash.WriteByte('\n')   // Likewise.
	}
}

// Number adds a number.
func (d *Digest) Number(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	_, _ = d.hash.Write(b[:]) // It never fails.
}
