package pass

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
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

// version is that of the messages.
const version = 2

// requestHead is a request but for its body.
type requestHead struct {
	Version int `json:"v"`
	// ID is random; the answer belongs to it.
	ID string `json:"id"`
	// Key is public, made for this request.
	Key []byte `json:"key"`
	// Left is for how long the asker waits, in milliseconds: the leader does not go on
	// later. It is a time span, as the clocks of two hubs may differ.
	Left int64 `json:"left_ms"`
	stamp
	Request
}

func (h requestHead) left() time.Duration { return time.Duration(h.Left) * time.Millisecond }

// replyHead is an answer but for its body.
type replyHead struct {
	// Refused reports that this hub did not take the request: it leads no more.
	Refused bool `json:"refused,omitempty"`
	Answer
}

var errFrame = errors.New("a message between hubs is cut short")

// lengthSize is the size of the number before a head.
const lengthSize = 4

// frame is a head as JSON and a body as it is. The body is not put into JSON: copies of
// it would stay in memory.
func frame(head any, body []byte) ([]byte, error) {
	data, err := json.Marshal(head)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	out := make([]byte, lengthSize, lengthSize+len(data)+len(body))
	binary.BigEndian.PutUint32(out, uint32(len(data)))
	return append(append(out, data...), body...), nil
}

// unframe decodes the head, and returns the body, which is a part of data.
func unframe(data []byte, head any) (body []byte, err error) {
	if len(data) < lengthSize {
		return nil, errFrame
	}
	n := int(binary.BigEndian.Uint32(data))
	data = data[lengthSize:]
	if n > len(data) {
		return nil, errFrame
	}
	if err := json.Unmarshal(data[:n], head); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return data[n:], nil
}
