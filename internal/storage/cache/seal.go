package cache

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// Account is the account of a cache.
type Account struct {
	Origin string // scheme, host and port of the server
	Mode   string
	Key    api.APIKey
}

// seal closes files of a kind for an account, and opens those that were closed for
// the same one.
type seal struct {
	magic string // begins the file, and ends in a space, the version and a line feed
	tag   []byte // tells accounts apart
	key   []byte // of the seal, made of the account's
}

const tagSize = 16

func sealOf(a Account, magic string) seal {
	derive := func(purpose string) []byte {
		mac := hmac.New(sha256.New, a.Key.Bytes())
		mac.Write([]byte("cardtop cache " + purpose + "\n" + a.Origin + "\n" + a.Mode))
		return mac.Sum(nil)
	}
	return seal{magic: magic, tag: derive("tag")[:tagSize], key: derive("seal")}
}

// header begins a file. The records follow; close completes it.
func (s *seal) header() []byte {
	return append(append([]byte(s.magic), s.tag...), make([]byte, sha256.Size)...)
}

// close writes the seal into a file that begins with a header.
func (s *seal) close(file []byte) []byte {
	at := len(s.magic) + tagSize
	copy(file[at:], s.sum(file[at+sha256.Size:]))
	return file
}

func (s *seal) sum(records []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(s.magic))
	mac.Write(records)
	return mac.Sum(nil)
}

// open returns the records of a file.
func (s *seal) open(data []byte) (records string, err error) {
	if err := sameVersion(data, s.magic); err != nil {
		return "", err
	}
	_, _ = take(&data, len(s.magic))
	tag, _ := take(&data, tagSize)
	sum, ok := take(&data, sha256.Size)
	switch {
	case !ok:
		return "", ErrDamaged
	case !hmac.Equal(tag, s.tag):
		return "", ErrAccount
	case !hmac.Equal(sum, s.sum(data)):
		return "", ErrDamaged
	}
	return string(data), nil
}

// sameVersion returns why what begins a file is not a magic: another version of it, a
// later one, or none at all.
func sameVersion(data []byte, magic string) error {
	if bytes.HasPrefix(data, []byte(magic)) {
		return nil
	}
	kind := magic[:strings.LastIndexByte(magic, ' ')+1]
	first, _, _ := strings.Cut(string(data[:min(len(data), 2*len(magic))]), "\n")
	digits, ok := strings.CutPrefix(first, kind)
	has, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return ErrDamaged
	}
	reads, err := strconv.Atoi(strings.TrimSpace(magic[len(kind):]))
	if err != nil {
		return ErrDamaged
	}
	return cmp.Or(format.Check(has, reads), ErrVersion)
}

// replaceable is an error when a newer program wrote a file. Anything else may be
// replaced.
func (s *seal) replaceable(path string) error {
	f, err := fsafe.Open(path)
	if err != nil {
		return nil //nolint:nilerr // what cannot be read is not used either
	}
	first := make([]byte, 2*len(s.magic))
	n, _ := io.ReadFull(f, first) // A shorter file is none of ours.
	if err := f.Close(); err != nil {
		return err
	}
	if err := sameVersion(first[:n], s.magic); errors.Is(err, format.ErrNewer) {
		return named(path, err)
	}
	return nil
}

func take(data *[]byte, n int) ([]byte, bool) {
	if len(*data) < n {
		return nil, false
	}
	front := (*data)[:n]
	*data = (*data)[n:]
	return front, true
}
