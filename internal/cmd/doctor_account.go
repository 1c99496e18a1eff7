package cmd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/state/errtext"
)

func checkConfiguration(paths config.Paths, run config.Resolved) finding {
	where := paths.Config
	if _, err := os.Stat(where); err != nil {
		where = "no file; defaults (" + where + ")"
	}
	what := "profile " + run.Profile
	if run.Sandbox {
		what = "embedded sandbox: no profile and no key"
	}
	return well("configuration", where+"; "+what)
}

// checkFolders checks the folders of the program's files: that they can be written to, and are private.
func checkFolders(paths config.Paths) (found []finding) {
	var private []string
	for _, folder := range []struct {
		path, lost string
		grade      grade
	}{{paths.State, "operations cannot be recorded, and none is sent", bad}, {paths.Cache, "nothing is saved for the next start", warn}} {
		err := fsafe.MkdirAll(folder.path)
		if err == nil {
			err = tryDisk(folder.path)
		}
		var refused *fsafe.TrustError
		switch {
		case errors.As(err, &refused):
			found = append(found, finding{bad, "permissions", err.Error(), adviceOnDisk(folder.path, err)})
		case err != nil:
			found = append(found, finding{folder.grade, "disk", folder.lost + ": " + err.Error(), adviceOnDisk(folder.path, err)})
		default:
			if f := checkReaders(folder.path); f.grade != good {
				found = append(found, f)
				continue
			}
			private = append(private, folder.path)
		}
	}
	if len(private) > 0 {
		found = append(found, well("permissions", "private: "+strings.Join(private, ", ")))
	}
	return found
}

// checkReaders checks that nobody else may use a folder.
func checkReaders(dir string) finding {
	others, err := fsafe.Readers(dir)
	switch {
	case err != nil:
		return finding{warn, "permissions", err.Error(), "keep " + dir + " on a disk with permissions"}
	case len(others) > 0:
		return finding{warn, "permissions", "others may use " + dir + " (" + strings.Join(others, ", ") + ")", `icacls "` + dir + `" /inheritance:r /grant:r "%USERNAME%:(OI)(CI)F"`}
	}
	return well("permissions", dir)
}

// diskTried is how much is written to try a disk, in bytes: as much as an operation's record and its answer need.
const diskTried = 64 << 10

// tryDisk writes a file into a folder and removes it.
func tryDisk(dir string) error {
	path := filepath.Join(dir, ".doctor-"+rand.Text())
	return errors.Join(fsafe.WriteFile(path, make([]byte, diskTried)), removed(os.Remove(path)))
}

// removed forgives that a file was not there.
func removed(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lockTried is how long a lock may be busy that is taken to write a file.
const lockTried = time.Second

// checkLocks finds the locks of files that another program does not release. The system releases those of a program
// that ended in any way, so one that lives holds them: it is stopped, or its disk does not answer. Other locks are
// held for as long as a program runs.
func checkLocks(dir string) (found []finding) {
	err := filepath.WalkDir(dir, func(path string, at fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{history.LockName, views.LockName, accounts.LockName, addresses.LockName}, at.Name()) {
			return removed(err)
		}
		if fsafe.Busy(path, lockTried) {
			found = append(found, finding{bad, "locks", "another program does not release " + path, "end or continue it: lsof " + path + " names it"})
		}
		return nil
	})
	if err != nil {
		found = append(found, finding{warn, "locks", err.Error(), adviceOnDisk(dir, err)})
	}
	return found
}

// checkRecords checks what is on disk of the operations of an account; nothing is said of
// records that are as they were written.
func (p program) checkRecords(paths config.Paths, run config.Resolved) (found []finding) {
	if run.Sandbox {
		return nil
	}
	damaged, err := p.Damage(paths, run)
	for _, d := range damaged {
		found = append(found, finding{bad, "records", d.Text(nil), "cardtop operations list has what is open"})
	}
	if err != nil {
		found = append(found, finding{bad, "records", errtext.Explain(nil, err), "move the file away when its operations are settled"})
	}
	return found
}

// checkAPI sends one request: whether the API answers, accepts the key, and its
// time.
func (p program) checkAPI(ctx context.Context, run config.Resolved, keys config.KeyStore) []finding {
	if run.Sandbox {
		return []finding{well("API", "embedded sandbox, in this process")}
	}
	key, err := p.LoadKey(ctx, run, keys.AtTerminal())
	if err != nil {
		what, _, _ := strings.Cut(err.Error(), ": set "+config.EnvAPIKey) // The advice has the rest.
		return []finding{{bad, "key", what, adviceOnNoKey(err, run, keys.CheckKeyring(ctx))}}
	}
	found := []finding{keyFinding(run, key)}
	cfg := client.Config{BaseURL: run.BaseURL, Key: key.APIKey, ReadOnly: true, NoDetails: true, UserAgent: app.UserAgent(), Fingerprint: run.Fingerprint, Transport: p.Transport}
	if cfg.RootCAs, err = app.Authorities(run.CAFile); err != nil {
		return append(found, finding{bad, "API", err.Error(), "set ca_file to a file of certificates in PEM"})
	}
	var call api.Call
	cfg.Observe = func(c api.Call) { call = c }
	cl, err := client.New(cfg)
	if err != nil {
		return append(found, finding{bad, "API", err.Error(), "check base_url"})
	}
	defer cl.ResetConnections()
	_, err = cl.WalletBalance(ctx)
	at := p.Now()
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		found = append(found, finding{bad, "API", cl.Origin() + " answers and refuses the key", adviceOnKey(run, key.Source)})
	case err != nil:
		return append(found, finding{bad, "API", cl.Origin() + ": " + errtext.Explain(nil, err), adviceOnAPI(err, cl.Proxy())})
	default:
		found = append(found, well("API", fmt.Sprintf("%s answers in %d ms", cl.Origin(), call.Took.Milliseconds())))
	}
	if proxy := cl.Proxy(); proxy != "" {
		found = append(found, well("proxy", "requests go through "+proxy+" by CONNECT; it does not see the key"))
	}
	found = append(found, clockFinding(call.Date, at))
	return append(found, p.checkPush(ctx, run, cfg, cl, keys)...)
}

// checkPush checks the address of webhooks; nothing when there is none.
func (p program) checkPush(ctx context.Context, run config.Resolved, cfg client.Config, c *client.Client, keys config.KeyStore) []finding {
	if run.Push == (config.Push{}) {
		return nil
	}
	hooks, err := c.ListWebhooks(ctx)
	if err != nil {
		return []finding{{warn, "push", "webhooks not read: " + errtext.Explain(nil, err), adviceOnAPI(err, c.Proxy())}}
	}
	text, err := p.CheckPush(ctx, run, cfg, hooks.Data, keys)
	if err != nil {
		return []finding{{warn, "push", err.Error(), "check push of the profile, and cardtop webhooks list"}}
	}
	return []finding{well("push", text)}
}

func keyFinding(run config.Resolved, key config.Key) finding {
	text := fmt.Sprintf("%s key from the %s, for %s only", run.Mode(key.APIKey), key.Source, run.Origin)
	switch {
	case key.Source == config.KeyFromPlainFile:
		return finding{warn, "key", text + "; stored in a file as plain text", "cardtop keyring set --profile " + run.Profile + ", then remove api_key"}
	case key.Notice != "":
		return finding{warn, "key", text + "; " + key.Notice, "unlock the keyring, or set api_key_command"}
	}
	return well("key", text)
}

// tolerance is how far the clocks may differ: the Date header counts whole
// seconds.
const tolerance = 2 * time.Second

func clockFinding(server, local time.Time) finding {
	if server.IsZero() {
		return finding{warn, "clock", "the API sends no time, and countdowns use this machine's clock", "keep it right: timedatectl set-ntp true, or your system's way"}
	}
	skew := local.Sub(server).Round(time.Second)
	if skew.Abs() <= tolerance {
		return well("clock", "same as the API's")
	}
	return finding{warn, "clock", fmt.Sprintf("%s off the API's; countdowns use the API's", skew), "set it: timedatectl set-ntp true, or your system's way"}
}
