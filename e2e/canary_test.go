package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// canary is a secret that is looked for, in every shape that programs give to
// what they write down.
type canary struct{ name, text string }

// encodings are the ten shapes. Each gives what to look for; gzip is undone by
// unpacked.
func encodings() map[string]func(string) []string {
	return map[string]func(string) []string{
		"plain":  func(s string) []string { return []string{s} },
		"spaced": func(s string) []string { return []string{chunked(s, 4, " "), chunked(s, 3, " ")} },
		"dashed": func(s string) []string { return []string{chunked(s, 4, "-"), chunked(s, 3, "-")} },
		"base64": inBase64,
		"hex":    func(s string) []string { x := hex.EncodeToString([]byte(s)); return []string{x, strings.ToUpper(x)} },
		"URL": func(s string) []string {
			return []string{url.QueryEscape(s), eachByte(s, "%%%02X"), eachByte(s, "%%%02x")}
		},
		"JSON":     func(s string) []string { return []string{eachByte(s, `\u%04x`), eachByte(s, `\u%04X`)} },
		"UTF-16":   inUTF16,
		"reversed": func(s string) []string { b := []byte(s); slices.Reverse(b); return []string{string(b)} },
		"gzip":     func(string) []string { return nil },
	}
}

func chunked(s string, n int, sep string) string {
	var parts []string
	for part := range slices.Chunk([]byte(s), n) {
		parts = append(parts, string(part))
	}
	return strings.Join(parts, sep)
}

func eachByte(s, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// inBase64 gives the part that is the same whatever stands before and after.
func inBase64(s string) []string {
	var out []string
	for before := range 3 {
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString(append(make([]byte, before), s...))
			whole := (before + len(s)) * 8 / 6
			out = append(out, text[(before*8+5)/6:whole])
		}
	}
	return out
}

func inUTF16(s string) []string {
	var little, big []byte
	for _, u := range utf16.Encode([]rune(s)) {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	return []string{string(little), string(big)}
}

// unpacked gives what the gzip streams in data hold.
func unpacked(data []byte) []byte {
	var out []byte
	for i := 0; ; i += 3 {
		n := bytes.Index(data[i:], []byte{0x1f, 0x8b, 8})
		if n < 0 {
			return out
		}
		i += n
		if r, err := gzip.NewReader(bytes.NewReader(data[i:])); err == nil {
			text, _ := io.ReadAll(io.LimitReader(r, 16<<20)) // What comes before a broken end counts.
			out = append(out, text...)
		}
	}
}

// found names the canaries in data and their shapes.
func found(data []byte, canaries []canary) []string {
	var out []string
	inside := unpacked(data)
	for _, c := range canaries {
		for shape, needles := range encodings() {
			for _, needle := range needles(c.text) {
				if bytes.Contains(data, []byte(needle)) {
					out = append(out, c.name+" "+shape)
				}
			}
		}
		if bytes.Contains(inside, []byte(c.text)) {
			out = append(out, c.name+" gzip")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestCanariesAreFound holds that the search would find what it looks for.
func TestCanariesAreFound(t *testing.T) {
	t.Parallel()
	const secret = "4242420993639194"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, "before "+secret+" after"); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	hay := map[string][]string{"gzip": {packed.String()}}
	for shape, needles := range encodings() {
		hay[shape] = append(hay[shape], needles(secret)...)
	}
	for before := range 4 {
		hay["base64"] = append(hay["base64"], base64.StdEncoding.EncodeToString([]byte("wxyz"[:before]+secret+"tail")))
	}
	for shape, texts := range hay {
		for _, text := range texts {
			data := []byte("noise " + text + " noise")
			if got := found(data, []canary{{"number", secret}}); !slices.Contains(got, "number "+shape) {
				t.Errorf("%s: found %v in %q", shape, got, data)
			}
		}
	}
	if got := found([]byte("4242 4209 9363 9195 nothing"), []canary{{"number", secret}}); len(got) != 0 {
		t.Errorf("found %v where nothing is", got)
	}
}
