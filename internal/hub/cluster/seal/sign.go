package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Signed is a value in the clear and who vouches for it: a version, a tag of
// HMAC-SHA256, the value.
type Signed []byte

// Sign returns a value that Verify accepts about the same, such as where it is stored.
func (k *Keys) Sign(plain []byte, about string) Signed {
	return slices.Concat([]byte{version}, tag(k.signing[0], plain, about), plain)
}

// Verify returns a value that a hub signed about the same. It is a part of s.
func (k *Keys) Verify(s Signed, about string) ([]byte, error) {
	if len(s) < 1+sha256.Size || s[0] != version {
		return nil, ErrSign
	}
	got, plain := s[1:1+sha256.Size], s[1+sha256.Size:]
	for _, key := range k.signing {
		if hmac.Equal(got, tag(key, plain, about)) {
			return plain, nil
		}
	}
	return nil, ErrSign
}

// tag is over the length of about, about and the value, so that one does not pass for a
// part of the other.
func tag(key, plain []byte, about string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(about)))) // A hash never fails.
	_, _ = h.Write([]byte(about))                                          // as above
	_, _ = h.Write(plain)                                                  // as above
	return h.Sum(nil)
}
