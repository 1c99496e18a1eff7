package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
)

// Line is what the checksum of a line of an append-only file says about it.
type Line int

// What a line can be. One without a checksum is of a release that wrote none, or it lost
// it: strict decoding tells more.
const (
	Intact Line = iota
	Unsealed
	Damaged
)

// The checksum is the last member of a line's object. An older program skips it.
const (
	sumName   = `,"sum":"`
	sumLength = 16 // hex digits
	sumEnd    = `"}`
)

// Seal returns a JSON object with at least one member as a line: with a checksum of its
// bytes and of the account that it belongs to, and an end. A line of another account is then
// like a damaged one. The account is empty for a file that belongs to none.
func Seal(object []byte, account string) []byte {
	body := bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}"))
	line := make([]byte, 0, len(body)+len(sumName)+sumLength+len(sumEnd)+1)
	line = append(line, body...)
	line = append(line, sumName...)
	line = append(line, sum(body, account)...)
	return append(line, sumEnd+"\n"...)
}

// CheckLine checks a line of an account without its end.
func CheckLine(line []byte, account string) Line {
	at := len(line) - len(sumName) - sumLength - len(sumEnd)
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(sumName)) || !bytes.HasSuffix(line, []byte(sumEnd)) {
		return Unsealed
	}
	if string(line[at+len(sumName):len(line)-len(sumEnd)]) != sum(line[:at], account) {
		return Damaged
	}
	return Intact
}

func sum(body []byte, account string) string {
	h := sha256.New()
	h.Write([]byte(account))
	h.Write(body)
	all := h.Sum(nil)
	return hex.EncodeToString(all[:sumLength/2])
}

// IsCut reports whether a line is the beginning of one: a write that was cut short. What
// it would have recorded was never acted on.
func IsCut(line []byte) bool {
	var object json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&object), io.ErrUnexpectedEOF)
}

// Strict decodes a line that has no checksum. What it does not know is an error: in a
// damaged line the name of the checksum would be.
func Strict(line []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more follows")
	}
	return nil
}

// Legible returns which card and which amount can still be read in a damaged line; empty
// for none.
func Legible(line []byte) (card, amount string) {
	first := func(pattern string) string {
		if m := regexp.MustCompile(pattern).FindSubmatch(line); m != nil {
			return string(m[1])
		}
		return ""
	}
	return first(`"card":"([A-Za-z0-9_-]{1,64})"`), first(`"amount":"?([0-9.]{1,20})"?[,}]`)
}
