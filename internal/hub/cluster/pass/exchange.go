package pass

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

// keySize is that of AES-256, publicSize that of a public key, in bytes.
const (
	keySize    = 32
	publicSize = 32
)

// newKey makes a key pair for one request or one answer. A card's details pass under a
// key that two of them make: who learns the key of the hubs later cannot read them.
func newKey() (*ecdh.PrivateKey, error) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return key, nil
}

// agreed is the cipher of an answer.
func agreed(own *ecdh.PrivateKey, other []byte, id string) (cipher.AEAD, error) {
	public, err := ecdh.X25519().NewPublicKey(other)
	if err != nil {
		return nil, fmt.Errorf("agree on a key: %w", err)
	}
	shared, err := own.ECDH(public)
	if err != nil {
		return nil, fmt.Errorf("agree on a key: %w", err)
	}
	defer clear(shared)
	key, err := hkdf.Key(sha256.New, shared, nil, aboutAnswer(id), keySize)
	if err != nil {
		return nil, fmt.Errorf("agree on a key: %w", err)
	}
	defer clear(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("agree on a key: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// aboutAnswer is what an answer is sealed with: one to another request does not open.
func aboutAnswer(id string) string { return "answer to " + id }

// reply seals an answer. One that cannot be sealed is a byte that does not open: the
// asker takes it for unknown.
func (c *Channel) reply(to requestHead, a Answer, taken bool) []byte {
	sealed, err := c.sealed(to, a, taken)
	if err != nil {
		return []byte{0}
	}
	return sealed
}

func (c *Channel) sealed(to requestHead, a Answer, taken bool) ([]byte, error) {
	plain, err := frame(replyHead{Refused: !taken, Answer: a}, a.Body)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	own, err := newKey()
	if err != nil {
		return nil, err
	}
	aead, err := agreed(own, to.Key, to.ID)
	if err != nil {
		return nil, err
	}
	inner := append(own.PublicKey().Bytes(), aead.Seal(nil, nil, plain, nil)...) //nolint:gosec // this cipher draws its own nonce and refuses another
	return c.keys.Seal(inner, aboutAnswer(to.ID)), nil
}

// open opens an answer.
func (c *Channel) open(data []byte, own *ecdh.PrivateKey, id string) (a Answer, taken bool, err error) {
	inner, err := c.keys.Open(data, aboutAnswer(id))
	if err != nil {
		return a, false, err
	}
	if len(inner) < publicSize {
		return a, false, errFrame
	}
	aead, err := agreed(own, inner[:publicSize], id)
	if err != nil {
		return a, false, err
	}
	plain, err := aead.Open(nil, nil, inner[publicSize:], nil)
	if err != nil {
		return a, false, fmt.Errorf("open answer: %w", err)
	}
	var head replyHead
	head.Body, err = unframe(plain, &head)
	return head.Answer, !head.Refused, err
}
