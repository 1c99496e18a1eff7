package state

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// asCurl gives curl the key on its standard input: whoever may list processes
// reads the arguments of all of them.
const asCurl = `printf 'header = "Authorization: Bearer %s"\n' "$CARDTOP_API_KEY" | curl -K -`

// Curl is a request as a command of a shell's. The key of the API is the
// shell's to put in, as is the address. An idempotency key is in it, so that
// the command acts once however often it is run.
func Curl(method, path string, key api.IdempotencyKey, body json.RawMessage) string {
	parts := []string{asCurl + " -X " + method + ` "$CARDTOP_BASE_URL` + path + `"`}
	if key != "" {
		parts = append(parts, "-H "+shellWord("X-Idempotency-Key: "+string(key)))
	}
	if len(body) > 0 {
		parts = append(parts, "-H 'Content-Type: application/json'", "-d "+shellWord(string(body)))
	}
	return strings.Join(parts, " \\\n  ")
}

// shellWord makes one word of a shell's of a text.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// placeholder is what stands in a route for an id.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Curl is the request as a command. It is not known with which ids, query and
// body it was sent, so the command asks for them: ids by variables, without
// which it ends, and of a write the key and the body as well. So a write that
// is copied does nothing by itself.
func (r Request) Curl() string {
	path := placeholder.ReplaceAllStringFunc(r.Route, func(id string) string {
		return "${" + strings.ToUpper(strings.Trim(id, "{}")) + ":?}"
	})
	text := Curl(r.Method, path, "", nil)
	if r.Method == "GET" {
		return text
	}
	text += " \\\n  -H \"X-Idempotency-Key: ${IDEMPOTENCY_KEY:?}\""
	if r.Method != "DELETE" && !strings.HasSuffix(r.Route, "freeze") {
		text += " \\\n  -H 'Content-Type: application/json' -d @\"${BODY_FILE:?}\""
	}
	return text
}
