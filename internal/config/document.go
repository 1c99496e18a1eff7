package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// position is a place in a file; both count from 1, columns in bytes.
type position struct{ line, column int }

// entry is one key of a file, or the head of a table, under its full name.
type entry struct {
	path  []string
	at    position
	value value
}

func (e entry) name() string { return strings.Join(e.path, ".") }

// heading is the name of a table as it is written: what is no plain word is
// quoted.
func heading(path []string) string {
	parts := slices.Clone(path)
	for i, part := range parts {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// kind is what a TOML value is, as far as settings tell them apart.
type kind string

const (
	kindTable   kind = "a table"
	kindTables  kind = "a list of tables"
	kindList    kind = "a list"
	kindString  kind = "a string"
	kindInteger kind = "an integer"
	kindDecimal kind = "a decimal number"
	kindBool    kind = "true or false"
	kindDate    kind = "a date"
)

// value keeps numbers as the text they were written in, so that an amount is
// never a binary fraction.
type value struct {
	kind  kind
	at    position
	text  string
	items []value
}

// syntaxError is a text that is not TOML.
type syntaxError struct {
	at   position
	text string
}

func (e *syntaxError) Error() string { return e.text }

// readDocument lists the keys and tables of a TOML text in their order. Its
// error is a *syntaxError.
func readDocument(data []byte) ([]entry, error) {
	// The decoder knows the rules that span lines, such as keys set twice; the
	// parser knows where things are and how numbers were written.
	if err := toml.Unmarshal(data, new(map[string]any)); err != nil {
		return nil, explainSyntax(err)
	}
	r := reader{}
	r.parser.Reset(data)
	var table []string
	for r.parser.NextExpression() {
		node := r.parser.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			head := r.head(node)
			table = head.path
			r.entries = append(r.entries, head)
		case unstable.KeyValue:
			r.keyValue(table, node)
		default:
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, explainSyntax(err)
	}
	return r.entries, nil
}

// explainSyntax takes the message alone: the library's long form quotes lines
// of the file, which may hold a key.
func explainSyntax(err error) *syntaxError {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return &syntaxError{position{1, 1}, "read TOML: not valid"}
	}
	line, column := decode.Position()
	return &syntaxError{position{line, column}, "read TOML: " + inOurWords(strings.TrimPrefix(decode.Error(), "toml: "))}
}

// inOurWords replaces texts of the library that name its own code or
// do not say how to fix the file.
func inOurWords(text string) string {
	switch {
	case strings.Contains(text, "parse float"):
		return "the number is too large"
	case strings.Contains(text, "at start of value"), strings.Contains(text, "expected keyword"):
		return `a value is a "text" in quotes, a number, true, false or a [list]`
	}
	return text
}

type reader struct {
	parser  unstable.Parser
	entries []entry
}

func (r *reader) head(node *unstable.Node) entry {
	path, at := r.key(node)
	k := kindTable
	if node.Kind == unstable.ArrayTable {
		k = kindTables
	}
	return entry{path: path, at: at, value: value{kind: k, at: at}}
}

// key returns the parts of a key and where it starts.
func (r *reader) key(node *unstable.Node) (path []string, at position) {
	parts := node.Key()
	for parts.Next() {
		part := parts.Node()
		if len(path) == 0 {
			at = r.place(part, position{1, 1})
		}
		path = append(path, string(part.Data))
	}
	return path, at
}

// keyValue adds a key; an inline table counts as the keys it holds.
func (r *reader) keyValue(table []string, node *unstable.Node) {
	key, at := r.key(node)
	path := slices.Concat(table, key)
	v := r.value(node.Value(), at)
	r.entries = append(r.entries, entry{path: path, at: at, value: v})
	if v.kind != kindTable {
		return
	}
	for inner := node.Value().Children(); inner.Next(); {
		r.keyValue(path, inner.Node())
	}
}

func (r *reader) value(node *unstable.Node, key position) value {
	v := value{at: r.place(node, key)}
	switch node.Kind {
	case unstable.InlineTable:
		v.kind = kindTable
	case unstable.Array:
		v.kind = kindList
		for items := node.Children(); items.Next(); {
			v.items = append(v.items, r.value(items.Node(), v.at))
		}
	case unstable.String:
		v.kind, v.text = kindString, string(node.Data)
	case unstable.Integer:
		v.kind, v.text = kindInteger, string(node.Data)
	case unstable.Float:
		v.kind, v.text = kindDecimal, string(node.Data)
	case unstable.Bool:
		v.kind, v.text = kindBool, string(node.Data)
	default:
		v.kind = kindDate
	}
	return v
}

// place is where a node starts, or another place when the parser keeps none.
func (r *reader) place(node *unstable.Node, otherwise position) position {
	if node.Raw.Length == 0 {
		return otherwise
	}
	start := r.parser.Shape(node.Raw).Start
	return position{start.Line, start.Column}
}

// Origin is where a key may be sent: scheme, host and port. Two base URLs
// with the same origin share it.
type Origin struct {
	Scheme string
	Host   string // Lower case, without brackets.
	Port   string // Always set.
}

// ParseOrigin checks a base URL and returns its origin. The URL is https, or
// http for loopback; it holds no user, query or fragment, and its path ends in
// /v1 as the contract's does; blanks around it and slashes behind it do not count. Errors do not quote the
// URL.
func ParseOrigin(baseURL string) (Origin, error) {
	u, err := url.Parse(trimBaseURL(baseURL))
	if err != nil {
		return Origin{}, errors.New("not a URL")
	}
	if u.User != nil {
		return Origin{}, errors.New("a user or password does not belong in it")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(baseURL, "#") {
		return Origin{}, errors.New("a query or fragment does not belong in it")
	}
	if u.Hostname() == "" || u.Opaque != "" {
		return Origin{}, errors.New("it has no host: write https://HOST/v1")
	}
	if !strings.HasSuffix(u.Path, "/v1") || u.RawPath != "" {
		return Origin{}, errors.New("its path must end in /v1")
	}
	if n, err := strconv.ParseUint(u.Port(), 10, 16); u.Port() != "" && (err != nil || n == 0) {
		return Origin{}, errors.New("its port is not one of 1 to 65535")
	}
	o := Origin{Scheme: strings.ToLower(u.Scheme), Host: strings.ToLower(u.Hostname()), Port: u.Port()}
	switch o.Scheme {
	case "https":
		if o.Port == "" {
			o.Port = "443"
		}
	case "http":
		if !o.Loopback() {
			return Origin{}, errors.New("http is for loopback only: use https")
		}
		if o.Port == "" {
			o.Port = "80"
		}
	default:
		return Origin{}, errors.New("it must start with https://")
	}
	return o, nil
}

// trimBaseURL removes what is often copied with an address.
func trimBaseURL(baseURL string) string { return strings.TrimRight(strings.TrimSpace(baseURL), "/") }

// Loopback reports whether the origin is this machine.
func (o Origin) Loopback() bool {
	if o.Host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(o.Host)
	return err == nil && addr.Unmap().IsLoopback()
}

// String is the origin as a URL without a path, the port always in it.
func (o Origin) String() string {
	return fmt.Sprintf("%s://%s", o.Scheme, net.JoinHostPort(o.Host, o.Port))
}

// ProblemError is one thing that is wrong in a configuration file.
type ProblemError struct {
	File   string // Base name.
	Line   int    // From 1.
	Column int    // From 1, in bytes.
	Text   string // Lower case, one line, without secrets.
}

// Error is the position and the text, as in
// config.toml:2:1: unknown setting "pol" (did you mean "poll"?).
func (e *ProblemError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// ProblemErrors is everything that is wrong in a file, in its order.
type ProblemErrors []*ProblemError

// Error is one line for each problem.
func (es ProblemErrors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems one by one to errors.As.
func (es ProblemErrors) Unwrap() []error {
	errs := make([]error, len(es))
	for i, e := range es {
		errs[i] = e
	}
	return errs
}
