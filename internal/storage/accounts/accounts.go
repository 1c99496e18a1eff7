// Package accounts finds the folders of an account. An account is what one API key reaches: neither a
// profile, which is a name in the configuration, nor an address, which two accounts of one provider share.
// Operations, caps, history, plans and caches belong to it.
//
// Each folder has a file account.json that lists the keys it was opened with, as salted hashes. A folder of
// an earlier version has none: it is named by profile, mode and base URL.
package accounts

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/format"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

const (
	fileName = "account.json"
	// idName holds a random name of the account.
	idName = "account.id"
	// LockName is the file that is locked while others are written.
	LockName = "accounts.lock"
	// version is that of account.json, to be raised when its meaning changes.
	version = 1
	// lockWait bounds the wait for another program that writes the record of an account.
	lockWait = 30 * time.Second
)

// Login is how an account is reached.
type Login struct {
	Profile string // A name, which may change.
	Mode    string // A test and a live key are of two accounts.
	BaseURL string
	Key     api.APIKey
}

// Folder has the directories of an account.
type Folder struct {
	State, Cache string
	about        document
	recorded     bool   // account.json is there.
	id           string // See ID.
}

// document is account.json.
type document struct {
	Version int      `json:"version"`
	Profile string   `json:"profile"` // The last one it was opened by.
	Mode    string   `json:"mode"`
	BaseURL string   `json:"base_url"`
	Salt    string   `json:"salt"`
	Keys    []string `json:"keys"` // The newest last.
	// Others are keys of which the user said that they reach another account.
	Others []string `json:"others,omitempty"`
}

// Profile returns the name of the profile that opened the account last.
func (f Folder) Profile() string { return f.about.Profile }

// Mode returns the mode of the account's keys.
func (f Folder) Mode() string { return f.about.Mode }

// Registry finds and makes folders below the program's directories for state and cache.
type Registry struct{ State, Cache string }

// Recorded reports whether a key was recorded in the folder.
func (f Folder) Recorded() bool { return f.recorded }

// Opened reports whether the key of a login opened the folder, at whatever address.
func (f Folder) Opened(l Login) bool { return f.of(l) }

// Find returns the folder of the account that a key reaches; false when the key is new.
func (r Registry) Find(l Login) (Folder, bool, error) {
	all, err := r.all()
	if err != nil {
		return Folder{}, false, err
	}
	for _, f := range all {
		if !f.of(l) || f.about.BaseURL != trimmed(l.BaseURL) {
			continue
		}
		return f, true, alone(f, all)
	}
	return Folder{}, false, nil
}

// Open is Find for a program that writes. A folder whose id was lost gets a new one before anything more is written there:
// what was bound to the lost id is damaged, and is told as that. A folder that cannot be written stays without.
func (r Registry) Open(l Login) (Folder, bool, error) {
	f, ok, err := r.Find(l)
	if !ok || err != nil || f.id != "" {
		return f, ok, err
	}
	unlock, err := r.lock()
	if err == nil {
		defer unlock()
		err = makeID(f.State)
	}
	if err != nil && !fsafe.Unwritable(err) {
		return Folder{}, false, fmt.Errorf("name an account: %w", err)
	}
	f.id, err = ID(f.State)
	return f, true, err
}

// alone returns an error where a folder is there twice. What one of the two counts and resolves, the other does
// not know of.
func alone(f Folder, all []Folder) error {
	for _, other := range all {
		if other.id == f.id && f.id != "" && other.State != f.State {
			return fmt.Errorf("%s and %s belong to one account: one is a copy; move the copy to another place", f.State, other.State)
		}
	}
	return nil
}

// Candidates returns the folders that a new key may belong to: those of the same address, and those that the
// same key opened at another address. The one that was written last comes first; one that the user ruled out is none.
func (r Registry) Candidates(l Login) ([]Folder, error) {
	all, err := r.all()
	if err != nil {
		return nil, err
	}
	var found []Folder
	for _, f := range all {
		switch {
		case f.recorded && (f.about.Mode != l.Mode || f.about.BaseURL != trimmed(l.BaseURL) && !f.of(l)):
		case !f.recorded && firstName(f) != legacyName(f.about.Profile, l.Mode, l.BaseURL), f.Excludes(l):
		default:
			if err := alone(f, all); err != nil {
				return nil, err
			}
			f.about.Mode = l.Mode
			found = append(found, f)
		}
	}
	written := make(map[string]time.Time, len(found))
	for _, f := range found {
		written[f.State] = lastWritten(f.State)
	}
	slices.SortStableFunc(found, func(a, b Folder) int { return written[b.State].Compare(written[a.State]) })
	return found, nil
}

// lastWritten is when something was last written into a folder; zero where that cannot be told.
func lastWritten(dir string) (last time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return last
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// Excludes reports whether the user said that the key of a login reaches another account.
func (f Folder) Excludes(l Login) bool {
	return f.recorded && !l.Key.IsZero() && slices.Contains(f.about.Others, f.about.hash(l.Key))
}

// Excluded reports whether the user said so of any folder.
func (r Registry) Excluded(l Login) (bool, error) {
	all, err := r.all()
	return slices.ContainsFunc(all, func(f Folder) bool { return f.Excludes(l) }), err
}

// Exclude records that the key of a login does not reach the account of a folder that has a record.
func (r Registry) Exclude(l Login, f Folder) error {
	unlock, err := r.lock()
	if err != nil {
		return fmt.Errorf("record whose a key is not: %w", err)
	}
	defer unlock()
	if f.about, err = read(f.State); err != nil {
		return err
	}
	others := append(f.about.Others, f.about.hash(l.Key))
	f.about.Others = others[max(len(others)-maxKeys, 0):]
	return f.write()
}

// Named returns the folders that a profile opened, for programs that have no key. Without one of that name it
// returns the folder of the address, when there is one alone: the profile was renamed. Where there is none at
// all it is the folder that the first account of the profile would get.
func (r Registry) Named(profile, mode, baseURL string) ([]Folder, error) {
	there, err := r.Candidates(Login{Profile: profile, Mode: mode, BaseURL: baseURL})
	if err != nil {
		return nil, err
	}
	named := slices.DeleteFunc(slices.Clone(there), func(f Folder) bool { return f.about.Profile != profile })
	switch {
	case len(named) > 0:
		return named, nil
	case len(there) == 1:
		return there, nil
	}
	first := r.folder(legacyName(profile, mode, baseURL))
	first.about = document{Profile: profile, Mode: mode, BaseURL: trimmed(baseURL)}
	return []Folder{first}, nil
}

// Settle records whose a new key is: that of its folder, or of a new account when there is none. candidates are
// those that it was asked of; false means that they are others by now, and the key has to be asked of anew.
// A login that another program has just recorded has the folder that it got.
func (r Registry) Settle(l Login, candidates []Folder, its *Folder) (Folder, bool, error) {
	unlock, err := r.lock()
	if err != nil {
		return Folder{}, false, fmt.Errorf("find the account of a key: %w", err)
	}
	defer unlock()
	if f, ok, err := r.Find(l); ok || err != nil {
		return f, ok, err
	}
	now, err := r.Candidates(l)
	if err != nil || !slices.EqualFunc(now, candidates, Folder.equal) {
		return Folder{}, false, err
	}
	if its != nil {
		f := *its
		return f, true, f.link(l)
	}
	for n := 1; ; n++ {
		f := r.folder(nameOf(l, n))
		switch _, err := os.Lstat(f.State); {
		case errors.Is(err, fs.ErrNotExist):
			return f, true, f.link(l)
		case err != nil:
			return Folder{}, false, err
		}
	}
}

// Forget takes the key of a login out of the record of a folder. Without a key the folder is as before its first.
func (r Registry) Forget(l Login) error {
	unlock, err := r.lock()
	if err != nil {
		return fmt.Errorf("forget a key: %w", err)
	}
	defer unlock()
	f, ok, err := r.Find(l)
	if !ok || err != nil {
		return err
	}
	hash := f.about.hash(l.Key)
	if f.about.Keys = slices.DeleteFunc(f.about.Keys, func(k string) bool { return k == hash }); len(f.about.Keys) > 0 {
		return f.write()
	}
	if err := os.Remove(filepath.Join(f.State, fileName)); err != nil {
		return fmt.Errorf("forget a key: %w", err)
	}
	return nil
}

// equal reports whether nothing was recorded in a folder between two looks.
func (f Folder) equal(other Folder) bool {
	return f.State == other.State && f.recorded == other.recorded && slices.Equal(f.about.Keys, other.about.Keys) && slices.Equal(f.about.Others, other.about.Others)
}

func (r Registry) folder(name string) Folder {
	return Folder{State: filepath.Join(r.State, "profiles", name), Cache: filepath.Join(r.Cache, "profiles", name)}
}

// lock has one program at a time record whose a new key is: two at once would each make a folder of the same
// account. It is held while files are written, never while the API or the user is asked. Where files cannot be
// locked, the last one wins.
func (r Registry) lock() (unlock func(), err error) {
	dir := filepath.Join(r.State, "profiles")
	if err := fsafe.MkdirAll(dir); err != nil {
		return nil, err
	}
	lock, err := fsafe.Lock(filepath.Join(dir, LockName), lockWait)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return func() {}, nil
	case err != nil:
		return nil, err
	}
	return func() { _ = lock.Close() }, nil // Nothing was written to it.
}

// all returns every folder.
func (r Registry) all() ([]Folder, error) {
	entries, err := os.ReadDir(filepath.Join(r.State, "profiles"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("find the folders of accounts: %w", err)
	}
	var folders []Folder
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		f := r.folder(e.Name())
		switch f.about, err = read(f.State); {
		case err == nil:
			f.recorded = true
		case errors.Is(err, fs.ErrNotExist):
			at := strings.LastIndexByte(e.Name(), '-')
			f.about.Profile = e.Name()[:max(at, 0)]
		default:
			return nil, err
		}
		if f.id, err = ID(f.State); err != nil {
			return nil, err
		}
		folders = append(folders, f)
	}
	return folders, nil
}

// read returns a folder's account.json; the error is fs.ErrNotExist without one.
func read(dir string) (document, error) {
	path := filepath.Join(dir, fileName)
	file, err := fsafe.Read(path)
	if err != nil {
		return document{}, err
	}
	var doc document
	damaged := fmt.Errorf("read %s: it is damaged; move it away, and the next start asks whose the folder is: its operations stay", path)
	if err := json.Unmarshal(file.Data, &doc); err != nil {
		return document{}, damaged
	}
	if err := format.Check(doc.Version, version); err != nil {
		return document{}, fmt.Errorf("read %s: %w", path, err)
	}
	if doc.Salt == "" || len(doc.Keys) == 0 {
		return document{}, damaged
	}
	return doc, nil
}

// ID returns what tells the account of a folder from all others; empty for a folder of an earlier version.
// It stays when account.json is lost: what is on disk is bound to it.
func ID(dir string) (string, error) {
	file, err := fsafe.Read(filepath.Join(dir, idName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(file.Data)), err
}

// makeID gives a folder its id, once.
func makeID(dir string) error {
	id, err := ID(dir)
	if err != nil || id != "" {
		return err
	}
	return fsafe.WriteFile(filepath.Join(dir, idName), []byte(rand.Text()+"\n"))
}

// of reports whether the key of a login opened the folder before.
func (f Folder) of(l Login) bool {
	return f.about.Mode == l.Mode && !l.Key.IsZero() && slices.Contains(f.about.Keys, f.about.hash(l.Key))
}

// maxKeys bounds the keys that are recorded; older ones are forgotten.
const maxKeys = 20

// link records a key.
func (f *Folder) link(l Login) error {
	if f.about.Salt == "" {
		f.about.Salt = rand.Text()
	}
	f.about.Version, f.about.Mode, f.about.BaseURL, f.about.Profile = version, l.Mode, trimmed(l.BaseURL), l.Profile
	hash := f.about.hash(l.Key)
	keys := append(slices.DeleteFunc(f.about.Keys, func(k string) bool { return k == hash }), hash)
	f.about.Keys = keys[max(len(keys)-maxKeys, 0):]
	if err := fsafe.MkdirAll(f.State); err != nil {
		return fmt.Errorf("make the folder of an account: %w", err)
	}
	if err := makeID(f.State); err != nil {
		return fmt.Errorf("name an account: %w", err)
	}
	if err := f.write(); err != nil {
		return err
	}
	f.recorded = true
	return nil
}

// write writes account.json.
func (f *Folder) write() error {
	data, err := json.MarshalIndent(f.about, "", "  ")
	if err != nil {
		return err
	}
	if err := fsafe.WriteFile(filepath.Join(f.State, fileName), append(data, '\n')); err != nil {
		return fmt.Errorf("record the key of an account: %w", err)
	}
	return nil
}

// hash returns what is stored of a key, which is long and random: it cannot be guessed from a hash.
func (d document) hash(key api.APIKey) string {
	mac := hmac.New(sha256.New, []byte(d.Salt))
	mac.Write(key.Bytes())
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

func trimmed(baseURL string) string { return strings.TrimRight(baseURL, "/") }

// legacyName is the folder of a profile in versions that knew no accounts. The first account of a profile
// still gets it, so that either version finds the other's.
func legacyName(profile, mode, baseURL string) string {
	sum := sha256.Sum256([]byte(profile + "\n" + mode + "\n" + baseURL))
	return profile + "-" + hex.EncodeToString(sum[:6])
}

// firstName is the name of the folder of the profile's first account, by the name of one of its folders.
func firstName(f Folder) string {
	name := filepath.Base(f.State)
	end := name[strings.LastIndexByte(name, '-')+1:]
	hash, _, _ := strings.Cut(end, ".")
	return strings.TrimSuffix(name, end) + hash
}

// nameOf is the name of a profile's nth account.
func nameOf(l Login, n int) string {
	name := legacyName(l.Profile, l.Mode, l.BaseURL)
	if n > 1 {
		name += "." + strconv.Itoa(n)
	}
	return name
}
