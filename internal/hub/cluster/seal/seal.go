// Package seal encrypts what the hubs tell one another and nobody else on the bus may
// read, and signs what others may read and not write. The hubs share a key file. Each
// cluster has keys of its own, which are derived from it.
//
// Each value is sealed with AES-256-GCM under a random nonce, together with what it is
// about, so that one cannot be passed off as another. Card numbers and CVVs are not on
// the bus, sealed or not.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

const (
	keySize = 32 // bytes
	version = 1  // the first byte of what is sealed
	maxKeys = 8  // in a file
)

// Errors of this package. None has a key or what is sealed.
var (
	ErrKey    = errors.New("the key file has no valid key: a line is to have 32 bytes in base64")
	ErrShared = errors.New("others may read the key file")
	ErrSeal   = errors.New("it was sealed with another key, or altered")
	ErrSign   = errors.New("it is not signed with a key of the hubs, or was altered or moved")
)

// Sealed is an encrypted value.
type Sealed []byte

// Keys seals and signs with the first key of a file, and opens and verifies with any. It
// prints as nothing.
type Keys struct {
	ciphers []cipher.AEAD
	signing [][]byte
}

// NewKey returns a line for the key file.
func NewKey() (string, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	return base64.StdEncoding.EncodeToString(key), nil
}

// Load reads a key file for a cluster: a key on each line, the newest first. To change the key, add
// the new one below the old on every hub, then swap them, then remove the old one.
func Load(path, cluster string) (*Keys, error) {
	file, err := fsafe.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read key file: %w", err)
	}
	if file.CheckSecret() != nil {
		return nil, fmt.Errorf("read key file: %w", ErrShared)
	}
	keys, err := parse(string(file.Data), cluster)
	clear(file.Data)
	if err != nil {
		return nil, fmt.Errorf("read key file: %w", err)
	}
	return keys, nil
}

func parse(text, cluster string) (*Keys, error) {
	var k Keys
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(key) != keySize || len(k.ciphers) == maxKeys {
			return nil, ErrKey
		}
		err = k.add(key, cluster)
		clear(key)
		if err != nil {
			return nil, ErrKey
		}
	}
	if len(k.ciphers) == 0 {
		return nil, ErrKey
	}
	return &k, nil
}

// add derives the keys of a cluster.
func (k *Keys) add(key []byte, cluster string) error {
	sealing, err := hkdf.Key(sha256.New, key, nil, "cardtop seals in "+cluster, keySize)
	if err != nil {
		return err
	}
	defer clear(sealing)
	signing, err := hkdf.Key(sha256.New, key, nil, "cardtop signs in "+cluster, keySize)
	if err != nil {
		return err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return err
	}
	k.ciphers, k.signing = append(k.ciphers, aead), append(k.signing, signing)
	return nil
}

// Seal encrypts a value. About is what it belongs to, such as the id of a challenge.
func (k *Keys) Seal(plain []byte, about string) Sealed {
	sealed := k.ciphers[0].Seal(nil, nil, plain, []byte(about)) //nolint:gosec // this cipher draws its own nonce and refuses another
	return append(Sealed{version}, sealed...)
}

// Open decrypts a value that was sealed about the same.
func (k *Keys) Open(s Sealed, about string) ([]byte, error) {
	if len(s) == 0 || s[0] != version {
		return nil, ErrSeal
	}
	for _, c := range k.ciphers {
		if plain, err := c.Open(nil, nil, s[1:], []byte(about)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrSeal
}

// Format writes "[keys]" for every verb.
func (k *Keys) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "[keys]") // fmt drops errors of its own state.
}

// LogValue returns "[keys]".
func (k *Keys) LogValue() slog.Value { return slog.StringValue("[keys]") }

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
