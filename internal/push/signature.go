package push

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// DefaultHeader carries the signature where nothing says otherwise.
const DefaultHeader = "X-Signature"

// Sign returns the signature of a body: the HMAC-SHA256 in lowercase hex (contract:
// Events).
func Sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// signed reports whether a header of a delivery is the signature of its body.
// Every header is compared when the name is empty, because the contract does not give
// it. Comparisons take the same time for every value of the right length.
func signed(h http.Header, name string, secret, body []byte) bool {
	want := []byte(Sign(secret, body))
	found := false
	for key, values := range h {
		if name != "" && !strings.EqualFold(key, name) {
			continue
		}
		for _, v := range values {
			// Some services name the algorithm before the digest.
			found = hmac.Equal([]byte(strings.TrimPrefix(v, "sha256=")), want) || found
		}
	}
	return found
}
