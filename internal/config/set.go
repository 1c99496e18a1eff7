package config

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/internal/config/edit"
	"github.com/cardtop/cardtop/state/settings"
)

// Save sets settings in the file, which it makes when there is none. Comments and the
// order of lines stay. A file with a mistake is left as it is.
func (s Source) Save(changes []settings.Setting) error {
	return s.Change(func(doc []byte) ([]byte, error) {
		for _, c := range changes {
			value, err := decode(c.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", strings.Join(c.Path, "."), err)
			}
			if doc, err = edit.Set(doc, c.Path, value); err != nil {
				return nil, err
			}
		}
		return doc, nil
	})
}

// decode reads a value as it is written in a file: a text, a number, or a list of
// numbers.
func decode(text string) (any, error) {
	var doc map[string]any
	if err := toml.Unmarshal([]byte("value = "+text), &doc); err != nil || len(doc) != 1 {
		return nil, fmt.Errorf("%q is no value", text)
	}
	list, ok := doc["value"].([]any)
	if !ok {
		return doc["value"], nil
	}
	numbers := make([]int, len(list))
	for i, item := range list {
		n, ok := item.(int64)
		if !ok {
			return nil, fmt.Errorf("%q is no list of numbers", text)
		}
		numbers[i] = int(n)
	}
	return numbers, nil
}
