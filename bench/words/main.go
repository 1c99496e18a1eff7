// Command words keeps the translations under internal/lang/po in step with the code: a text
// that is new comes in without a translation, one that nobody shows any more goes, and the
// order is that of the texts.
//
//	go run ./bench/words
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/cardtop/cardtop/internal/lang"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	used, err := texts(root)
	if err != nil {
		return err
	}
	for _, name := range []string{lang.Russian, lang.Ukrainian} {
		missing, err := sync(filepath.Join(root, "internal", "lang", "po"), name, used)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%s: %d texts, %d without a translation\n", name, len(used), missing) //nolint:forbidigo // for the person who runs it
	}
	return nil
}

// sync writes the translations of a language anew, and returns how many are missing.
func sync(dir, name string, used map[string]text) (missing int, err error) {
	known := make(map[string]lang.Entry)
	if err := lang.Entries(os.DirFS(dir), ".", name, func(e lang.Entry) {
		if old, twice := known[e.Key()]; !twice || slices.Contains(old.Forms, "") {
			known[e.Key()] = e
		}
	}); err != nil {
		return 0, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, header, name)
	for _, key := range slices.Sorted(maps.Keys(used)) {
		u := used[key]
		e := known[key]
		forms := e.Forms
		if len(forms) == 0 {
			forms = make([]string, u.forms())
		}
		if slices.Contains(forms, "") {
			missing++
		}
		b.WriteByte('\n')
		write(&b, u, forms)
	}
	files, err := filepath.Glob(filepath.Join(dir, name+"*.po"))
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			return 0, err
		}
	}
	return missing, os.WriteFile(filepath.Join(dir, name+".po"), b.Bytes(), 0o644) //nolint:gosec // a source file
}

const header = `msgid ""
msgstr ""
"Language: %s\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n%%10==1 && n%%100!=11 ? 0 : n%%10>=2 && n%%10<=4 && (n%%100<12 || n%%100>14) ? 1 : 2);\n"
`

// write writes an entry as gettext does.
func write(b *bytes.Buffer, t text, forms []string) {
	fmt.Fprintf(b, "#: %s\n", t.file)
	if t.context != "" {
		fmt.Fprintf(b, "msgctxt %s\n", quote(t.context))
	}
	fmt.Fprintf(b, "msgid %s\n", quote(t.id))
	if t.plural == "" {
		fmt.Fprintf(b, "msgstr %s\n", quote(forms[0]))
		return
	}
	fmt.Fprintf(b, "msgid_plural %s\n", quote(t.plural))
	for i, f := range forms {
		fmt.Fprintf(b, "msgstr[%d] %s\n", i, quote(f))
	}
}

// quote is strconv.Quote with letters of every language as they are.
func quote(text string) string { return strconv.QuoteToGraphic(text) }
