package lang

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed po/*.po
var files embed.FS

// translations reads those of a language: by text, its forms.
func translations(name string) (map[string][]string, error) {
	texts := make(map[string][]string)
	err := Entries(files, "po", name, func(e Entry) {
		if e.Forms[0] != "" {
			texts[e.Key()] = e.Forms
		}
	})
	return texts, err
}

// Entries reads the translations of a language, those that are missing too.
func Entries(files fs.FS, dir, name string, each func(Entry)) error {
	all, err := fs.ReadDir(files, dir)
	if err != nil {
		return err
	}
	for _, f := range all {
		if !strings.HasPrefix(f.Name(), name) {
			continue
		}
		data, err := fs.ReadFile(files, path.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		if err := parse(data, each); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return nil
}

// Entry is a text and its translation.
type Entry struct {
	Context, ID, Plural string
	Forms               []string
	Fuzzy               bool // made by guessing: nobody has read it
}

// Key is what a text is found by.
func (e *Entry) Key() string {
	if e.Context == "" {
		return e.ID
	}
	return e.Context + between + e.ID
}

// parse reads a file as gettext writes them: one entry after another, the first of an
// empty text.
func parse(data []byte, each func(Entry)) error {
	var e Entry
	var into *string
	done := func() {
		if e.ID != "" && len(e.Forms) > 0 {
			each(e)
		}
		e, into = Entry{}, nil
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch {
		case word == "":
			done()
			continue
		case word == "#,":
			e.Fuzzy = e.Fuzzy || strings.Contains(rest, "fuzzy")
			continue
		case word[0] == '#':
			continue
		case word[0] == '"':
			rest = lines.Text()
		case word == "msgctxt":
			into = &e.Context
		case word == "msgid":
			into = &e.ID
		case word == "msgid_plural":
			into = &e.Plural
		case strings.HasPrefix(word, "msgstr"):
			e.Forms = append(e.Forms, "")
			into = &e.Forms[len(e.Forms)-1]
		default:
			return fmt.Errorf("line %d: %q", n, word)
		}
		text, err := strconv.Unquote(rest)
		if err != nil || into == nil {
			return fmt.Errorf("line %d: not a quoted text", n)
		}
		*into += text
	}
	done()
	return lines.Err()
}
