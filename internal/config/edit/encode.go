package edit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// encode returns a value as TOML text and as the decoder gives it back.
func encode(value any) (text string, plain any, err error) {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return "", nil, fmt.Errorf("a text that is not UTF-8")
		}
		return quote(v), v, nil
	case bool:
		return strconv.FormatBool(v), v, nil
	case int:
		return strconv.Itoa(v), int64(v), nil
	case int64:
		return strconv.FormatInt(v, 10), v, nil
	case []string:
		return encodeList(v)
	case []int:
		return encodeList(v)
	}
	return "", nil, fmt.Errorf("cannot write a %T", value)
}

func encodeList[T any](items []T) (text string, plain any, err error) {
	texts, plains := make([]string, len(items)), make([]any, len(items))
	for i, item := range items {
		if texts[i], plains[i], err = encode(item); err != nil {
			return "", nil, err
		}
	}
	return "[" + strings.Join(texts, ", ") + "]", plains, nil
}

// quote is a basic string. TOML knows fewer escapes than Go.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// key writes a path as a dotted key, quoting what is no plain word.
func key(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = quote(part)
		}
	}
	return strings.Join(parts, ".")
}
