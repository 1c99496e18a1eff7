// Package views stores how the user views the lists: order, columns and tabs. The
// file holds filters, which may name cards, so it is private to the user.
package views

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

const (
	fileName = "views.json"
	// LockName is the file that is locked while others are written.
	LockName = "views.lock"
	// lockWait bounds the wait for another dashboard's write.
	lockWait = 2 * time.Second
)

// Bounds of what is read from a file.
const (
	maxColumns = 40
	maxWidth   = 200
)

// File is one profile's file of views. It may be used from several goroutines.
type File struct {
	path string // empty keeps nothing

	mu   sync.Mutex
	last poll.Seq
	base settings.Views // what this program read, or kept last
}

// Open uses a folder; without one nothing is stored. Nothing is read or made before
// Load and Keep.
func Open(dir string) *File {
	if dir == "" {
		return &File{}
	}
	return &File{path: filepath.Join(dir, fileName)}
}

// version is that of the file, to be raised when an older program would misread it.
const version = 1

// document is the file.
type document struct {
	Version int                        `json:"version"`
	Lists   map[settings.ListName]list `json:"lists"`
}

// list is a view in the file.
type list struct {
	Sort    string   `json:"sort,omitempty"`
	Desc    bool     `json:"descending,omitempty"`
	Columns []column `json:"columns,omitempty"`
	Group   string   `json:"group,omitempty"`
	Tabs    []tab    `json:"tabs,omitempty"`
}

type column struct {
	Name  string `json:"name"`
	Width int    `json:"width,omitempty"`
}

type tab struct {
	Name   string `json:"name"`
	Filter string `json:"filter"`
}

// Load returns the stored views; none when there are none.
func (f *File) Load() (settings.Views, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	views, err := f.load()
	if err != nil {
		return nil, fmt.Errorf("load views: %w", err)
	}
	f.base = views
	return views, nil
}

func (f *File) load() (settings.Views, error) {
	if f.path == "" {
		return nil, nil
	}
	file, err := fsafe.Read(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := f.decode(file.Data)
	if err != nil {
		return nil, err
	}
	out := make(settings.Views)
	for name, l := range doc.Lists {
		out[name] = l.view()
	}
	return out, nil
}

func (f *File) decode(data []byte) (doc document, err error) {
	if err := json.Unmarshal(data, &doc); err != nil {
		return doc, fmt.Errorf("%s is damaged", f.path)
	}
	if err := format.Check(doc.Version, version); err != nil {
		return doc, fmt.Errorf("%s: %w", f.path, err)
	}
	return doc, nil
}

func (l list) view() settings.View {
	v := settings.View{Sort: clean(l.Sort), Desc: l.Desc, Group: clean(l.Group)}
	for _, c := range l.Columns[:min(len(l.Columns), maxColumns)] {
		v.Columns = append(v.Columns, settings.ShownColumn{Name: clean(c.Name), Width: min(max(c.Width, 0), maxWidth)})
	}
	for _, t := range l.Tabs[:min(len(l.Tabs), settings.MaxTabs)] {
		v.Tabs = append(v.Tabs, settings.Tab{Name: clean(t.Name), Filter: clean(t.Filter)})
	}
	return v
}

func clean(s string) string { return string(api.Clean(s)) }

// Keep stores what was changed of the views since they were read or kept here, unless later
// ones are stored already. What other dashboards changed meanwhile stays.
func (f *File) Keep(seq poll.Seq, views settings.Views) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || seq <= f.last {
		return nil
	}
	if err := f.keep(views); err != nil {
		return fmt.Errorf("keep views: %w", err)
	}
	f.last, f.base = seq, views
	return nil
}

func (f *File) keep(views settings.Views) (err error) {
	dir := filepath.Dir(f.path)
	if err := fsafe.MkdirAll(dir); err != nil {
		return err
	}
	lock, err := fsafe.Lock(filepath.Join(dir, LockName), lockWait)
	switch {
	case errors.Is(err, errors.ErrUnsupported): // Then the last word counts.
	case err != nil:
		return err
	default:
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	stored, err := f.load()
	if errors.Is(err, format.ErrNewer) {
		return err // What cannot be read otherwise holds no views.
	}
	doc := document{version, make(map[settings.ListName]list)}
	for name, v := range merged(f.base, views, stored) {
		doc.Lists[name] = listOf(v)
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return fsafe.WriteFile(f.path, append(data, '\n'))
}

func listOf(v settings.View) list {
	l := list{Sort: v.Sort, Desc: v.Desc, Group: v.Group}
	for _, c := range v.Columns {
		l.Columns = append(l.Columns, column(c))
	}
	for _, t := range v.Tabs {
		l.Tabs = append(l.Tabs, tab(t))
	}
	return l
}

// merged returns the views that are stored with what changed from base to mine.
func merged(base, mine, stored settings.Views) settings.Views {
	out := maps.Clone(stored)
	if out == nil {
		out = make(settings.Views)
	}
	for name, v := range mine {
		out[name] = mergedView(base[name], v, stored[name])
	}
	return out
}

func mergedView(base, mine, stored settings.View) settings.View {
	out := stored
	if mine.Sort != base.Sort || mine.Desc != base.Desc {
		out.Sort, out.Desc = mine.Sort, mine.Desc
	}
	if mine.Group != base.Group {
		out.Group = mine.Group
	}
	if !slices.Equal(mine.Columns, base.Columns) {
		out.Columns = mine.Columns
	}
	switch {
	case slices.Equal(mine.Tabs, base.Tabs):
	case slices.Equal(stored.Tabs, base.Tabs):
		out.Tabs = mine.Tabs // Their order, too.
	default:
		out.Tabs = mergedTabs(base.Tabs, mine.Tabs, stored.Tabs)
	}
	return out
}

// mergedTabs takes away of the stored tabs those that are in base and not in mine, and adds
// or replaces those that are in mine and not so in base.
func mergedTabs(base, mine, stored []settings.Tab) []settings.Tab {
	named := func(name string) func(settings.Tab) bool { return func(t settings.Tab) bool { return t.Name == name } }
	out := slices.DeleteFunc(slices.Clone(stored), func(t settings.Tab) bool {
		return slices.ContainsFunc(base, named(t.Name)) && !slices.ContainsFunc(mine, named(t.Name))
	})
	for _, t := range mine {
		if slices.Contains(base, t) {
			continue
		}
		if i := slices.IndexFunc(out, named(t.Name)); i >= 0 {
			out[i] = t
		} else if len(out) < settings.MaxTabs {
			out = append(out, t)
		}
	}
	return out
}
