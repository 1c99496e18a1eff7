package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"golang.org/x/net/html"
)

//go:embed page.html
var pageHTML string

//go:embed style.css
var style []byte

// count is what was made.
type count struct{ pages, pictures, links int }

// page is what a page shows.
type page struct {
	Title, Top string // Top leads to the folder of the site
	Body       template.HTML
	Sections   []section
	Path       string
}

// build writes every page and picture into a folder.
func build(root, out string) (n count, err error) {
	layout, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return n, err
	}
	if err := write(filepath.Join(out, "style.css"), style); err != nil {
		return n, err
	}
	convert := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	files, err := sources(root)
	if err != nil {
		return n, err
	}
	titles := make(map[string]string)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(root, f)) //nolint:gosec // a file of the repository
		if err != nil {
			return n, err
		}
		if strings.HasSuffix(f, ".md") {
			titles[target(f)] = title(text)
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(root, f)) //nolint:gosec // as above
		if err != nil {
			return n, err
		}
		to := target(f)
		if !strings.HasSuffix(f, ".md") {
			n.pictures++
			if err := write(filepath.Join(out, to), text); err != nil {
				return n, err
			}
			continue
		}
		var body, whole bytes.Buffer
		if err := convert.Convert(text, &body); err != nil {
			return n, fmt.Errorf("%s: %w", f, err)
		}
		p := page{Title: titles[to], Top: strings.Repeat("../", strings.Count(to, "/")), Path: to, Sections: sections(titles)}
		p.Body = template.HTML(relink(root, body.String(), f)) //nolint:gosec // our own pages
		if err := layout.Execute(&whole, p); err != nil {
			return n, fmt.Errorf("%s: %w", f, err)
		}
		n.pages++
		if err := write(filepath.Join(out, to), whole.Bytes()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// tops are the pages that are not below docs.
func tops() []string { return []string{"README.md", "CHANGELOG.md", ".github/SECURITY.md"} }

// sources are the pages and pictures, relative to the root.
func sources(root string) ([]string, error) {
	files := tops()
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, err := filepath.Rel(root, path); err == nil {
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	return files, err
}

// target is where a file of the repository stands on the site: the README is its first
// page, and docs and .github are its top.
func target(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	file = strings.TrimPrefix(strings.TrimPrefix(file, "docs/"), ".github/")
	if name, ok := strings.CutSuffix(file, ".md"); ok {
		return strings.ToLower(name) + ".html"
	}
	return file
}

var link = regexp.MustCompile(`(href|src)="([^":#]+)(#[^"]*)?"`)

// repository is where the files are that are no pages.
const repository = "https://github.com/cardtop/cardtop/blob/main/"

// relink turns links between files of the repository into those between pages. Links to
// files that are no pages lead to the repository.
func relink(root, body, file string) string {
	here := filepath.ToSlash(filepath.Dir(file))
	return link.ReplaceAllStringFunc(body, func(s string) string {
		m := link.FindStringSubmatch(s)
		to := filepath.ToSlash(filepath.Join(here, m[2]))
		if !slices.Contains(tops(), to) && !strings.HasPrefix(to, "docs/") {
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				return s // To nowhere, as check says.
			}
			return m[1] + `="` + repository + to + m[3] + `"`
		}
		from := filepath.Dir(target(file))
		rel, err := filepath.Rel(from, target(to))
		if err != nil {
			return s
		}
		return m[1] + `="` + filepath.ToSlash(rel) + m[3] + `"`
	})
}

// title is a page's first heading.
func title(text []byte) string {
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "#"))
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // pages for everybody
		return err
	}
	return os.WriteFile(path, data, 0o644) //nolint:gosec // as above
}

// section is some pages in the list of all.
type section struct {
	Title string
	Pages []entry
}

type entry struct{ Title, Path string }

// order is the pages in the order that one reads them. What it does not name comes last.
func order() []struct {
	title string
	pages []string
} {
	return []struct {
		title string
		pages []string
	}{
		{"Begin", []string{"index", "install", "first-minute", "day"}},
		{"Use", []string{"checkout", "lists", "money", "insight", "alerts", "rules", "many-cards", "accounts", "scripts", "mcp"}},
		{"Together", []string{"push", "hub"}},
		{"Look up", []string{"keys", "config", "sandbox", "troubleshooting", "safety", "security", "support", "limits", "speed", "proofs", "changelog"}},
		{"Build", []string{"architecture", "contributing", "releasing", "assumptions"}},
	}
}

// sections arranges pages by their paths, with their titles.
func sections(titles map[string]string) []section {
	left := maps.Clone(titles)
	var all []section
	for _, o := range order() {
		s := section{Title: o.title}
		for _, name := range o.pages {
			path := name + ".html"
			if t, ok := left[path]; ok {
				s.Pages = append(s.Pages, entry{t, path})
				delete(left, path)
			}
		}
		all = append(all, s)
	}
	more, decisions := section{Title: "More"}, section{Title: "Decisions"}
	for _, path := range slices.Sorted(maps.Keys(left)) {
		if strings.HasPrefix(path, "adr/") {
			decisions.Pages = append(decisions.Pages, entry{left[path], path})
		} else {
			more.Pages = append(more.Pages, entry{left[path], path})
		}
	}
	return slices.DeleteFunc(append(all, more, decisions), func(s section) bool { return len(s.Pages) == 0 })
}

// check follows every link of every page in a folder and returns how many there are.
// Addresses of other sites are not followed.
func check(dir string) (links int, err error) {
	ids := make(map[string]map[string]bool) // of each page
	to := make(map[string][]string)         // the links of each page
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		data, err := os.ReadFile(path) //nolint:gosec // our own page
		if err != nil {
			return err
		}
		root, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		ids[path] = make(map[string]bool)
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					ids[path][a.Val] = true
				case (a.Key == "href" || a.Key == "src") && !strings.Contains(a.Val, ":"):
					to[path] = append(to[path], a.Val)
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	var wrong []error
	for page, all := range to {
		for _, l := range all {
			links++
			file, id, _ := strings.Cut(l, "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				wrong = append(wrong, fmt.Errorf("%s leads to %s, which is not there", page, l))
			} else if id != "" && !ids[target][id] {
				wrong = append(wrong, fmt.Errorf("%s leads to %s, which has no such heading", page, l))
			}
		}
	}
	return links, errors.Join(wrong...)
}
