// Package profiles tests, stores and removes the accounts of the configuration:
// the profile goes into the file, its key into the keyring.
package profiles

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/edit"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
)

// tryFor is how long the test of an account may take, after its key is there.
const tryFor = 20 * time.Second

// Profiles implements [dialog.Profiles].
type Profiles struct {
	Source config.Source
	// State is the folder of operations and histories.
	State string
	Keys  config.KeyStore
	// Authorities reads the ca_file of a profile.
	Authorities func(file string) (*x509.CertPool, error)
	UserAgent   string
	// Count counts a request in the hour that the programs with a key share.
	Count func(origin string, key api.APIKey) error
	// Account lists a profile for the screen.
	Account func(config.Profile) dialog.Account
}

// draft is a profile as the form has it, and the one that it replaces.
type draft struct {
	accounts.Draft
	profile, before config.Profile
	run             config.Resolved
}

// Try implements dialog.Profiles.
func (p Profiles) Try(ctx context.Context, form accounts.Draft) (accounts.Found, error) {
	defer form.Key.Wipe()
	d, err := p.check(form)
	if err != nil {
		return accounts.Found{}, err
	}
	key, err := p.Keys.LoadKey(ctx, d.run)
	if err != nil {
		return accounts.Found{}, keyError(form, err)
	}
	defer key.APIKey.Wipe()
	cfg := client.Config{BaseURL: d.run.BaseURL, Key: key.APIKey, ReadOnly: true, NoDetails: true, UserAgent: p.UserAgent, Fingerprint: d.profile.Fingerprint}
	if cfg.RootCAs, err = p.Authorities(d.profile.CAFile); err != nil {
		return accounts.Found{}, at(accounts.FieldAddress, err)
	}
	c, err := client.New(cfg)
	if err != nil {
		return accounts.Found{}, at(accounts.FieldAddress, err)
	}
	defer c.ResetConnections()
	if err := p.Count(c.Origin(), key.APIKey); err != nil {
		return accounts.Found{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	wallet, err := c.WalletBalance(ctx)
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return accounts.Found{}, keyError(form, errors.New(form.Words.T("the API refused the key")))
	case err != nil:
		return accounts.Found{}, at(accounts.FieldAddress, errors.New(errtext.Explain(form.Words, err)))
	}
	return accounts.Found{Mode: string(d.run.Mode(key.APIKey)), Wallet: wallet.Balance, Cards: wallet.CardsActive}, nil
}

// Save implements dialog.Profiles. The key is stored first: a profile without
// one would not open. It is removed again when the file cannot be written.
func (p Profiles) Save(ctx context.Context, form accounts.Draft) (dialog.Account, error) {
	defer form.Key.Wipe()
	d, err := p.check(form)
	if err != nil {
		return dialog.Account{}, err
	}
	takeBack, err := p.storeKey(ctx, &d)
	if err != nil {
		return dialog.Account{}, err
	}
	err = p.Source.Change(func(doc []byte) ([]byte, error) { return write(doc, d) })
	if err != nil {
		return dialog.Account{}, errors.Join(err, takeBack())
	}
	if err := p.removeKeyFile(d.before.APIKeyCommand); err != nil {
		return dialog.Account{}, errors.New(form.Words.Tf("saved, but the old key is still in its file: %s", err.Error()))
	}
	if form.Changes && d.before.BaseURL != d.profile.BaseURL {
		if err := p.forgetProfile(ctx, d.before); err != nil {
			return dialog.Account{}, errors.New(form.Words.Tf("saved, but the key for the old address is still in the keyring: %s", err.Error()))
		}
	}
	return p.Account(d.profile), nil
}

// Keyring implements dialog.Profiles.
func (p Profiles) Keyring(ctx context.Context) error { return p.Keys.CheckKeyring(ctx) }

// Remove implements dialog.Profiles.
func (p Profiles) Remove(ctx context.Context, w *lang.Words, name string) (told string, err error) {
	settings, err := p.Source.Load()
	if err != nil {
		return "", err
	}
	profile, ok := settings.Profiles[name]
	if !ok {
		return "", errors.New(w.Tf("%s is not in the configuration any more", name))
	}
	err = p.Source.Change(func(doc []byte) ([]byte, error) {
		doc, err := edit.Remove(doc, []string{"profiles", name})
		if err == nil && settings.DefaultProfile == name {
			doc, err = edit.Remove(doc, []string{"profile"})
		}
		return doc, err
	})
	if err != nil {
		return "", err
	}
	if err := p.removeKeyFile(profile.APIKeyCommand); err != nil {
		return w.Tf("removed %s, but its key is still in its file: %s", name, err.Error()), nil
	}
	if err := p.forgetProfile(ctx, profile); err != nil && profile.APIKeyCommand == "" && profile.APIKey.IsZero() {
		return w.Tf("removed %s, but its key may still be in the keyring: %s", name, err.Error()), nil
	}
	return w.Tf("removed %s", name), nil
}

// Files implements dialog.Profiles.
func (p Profiles) Files(name string) string { return filepath.Join(p.State, "profiles", name+"-*") }

// check resolves a draft; its error says which field is wrong.
func (p Profiles) check(form accounts.Draft) (draft, error) {
	d := draft{Draft: form}
	if err := config.CheckName(form.Name); err != nil {
		return d, at(accounts.FieldName, err)
	}
	if form.Name == config.DefaultProfile || form.Name == "sandbox" {
		return d, at(accounts.FieldName, errors.New(form.Words.T("this name stands for an account without a profile")))
	}
	settings, err := p.Source.Load()
	if err != nil {
		return d, err
	}
	var known bool
	d.before, known = settings.Profiles[form.Name]
	switch {
	case known && !form.Changes:
		return d, at(accounts.FieldName, errors.New(form.Words.Tf("there is a profile %s", form.Name)))
	case !known && form.Changes:
		return d, at("", errors.New(form.Words.Tf("%s is not in the configuration any more", form.Name)))
	}
	d.profile = d.before
	d.profile.Name, d.profile.BaseURL, d.profile.APIKeyCommand, d.profile.ReadOnly = form.Name, form.Address, form.Command, form.ReadOnly
	if _, err := config.ParseOrigin(form.Address); err != nil {
		return d, at(accounts.FieldAddress, err)
	}
	if strings.Contains(form.Command, "sk_live_") || strings.Contains(form.Command, "sk_test_") {
		return d, at(accounts.FieldCommand, errors.New(form.Words.T("it holds a key: type it as the key instead")))
	}
	env := config.Env{}
	if !form.Key.IsZero() {
		if env.APIKey, err = config.NewKey(form.Key.Bytes()); err != nil {
			return d, at(accounts.FieldKey, fmt.Errorf("the key %w", err))
		}
	}
	if d.run, err = resolved(d.profile, env); err != nil {
		return d, err
	}
	// A key goes only where it was meant for: the one in the file is not shown.
	own, err := config.ParseOrigin(d.before.BaseURL)
	if !d.before.APIKey.IsZero() && form.Key.IsZero() && form.Command == "" && (err != nil || own != d.run.Origin) {
		return d, at(accounts.FieldKey, errors.New(form.Words.Tf("the key in the file is for %s: type the one for here", own.Host)))
	}
	return d, nil
}

// resolved is the run of a profile by itself.
func resolved(profile config.Profile, env config.Env) (config.Resolved, error) {
	return config.Resolve(config.Settings{Profiles: map[string]config.Profile{profile.Name: profile}}, env, config.Flags{Profile: profile.Name})
}

// forgetProfile removes the key of a profile from the keyring.
func (p Profiles) forgetProfile(ctx context.Context, profile config.Profile) error {
	run, err := resolved(profile, config.Env{})
	if err != nil {
		return nil //nolint:nilerr // an address that is none has no key
	}
	return p.forget(ctx, run)
}

func (p Profiles) forget(ctx context.Context, run config.Resolved) error {
	if err := p.Keys.DeleteKey(ctx, run); err != nil && !errors.Is(err, config.ErrNoKey) {
		return err
	}
	return nil
}

// keyError says that the key is wrong, or the command that prints it.
func keyError(form accounts.Draft, err error) error {
	switch {
	case form.Command != "":
		return at(accounts.FieldCommand, err)
	case errors.Is(err, config.ErrNoKey):
		return at(accounts.FieldKey, errors.New(form.Words.T("type the key, or a command that prints it")))
	}
	return at(accounts.FieldKey, err)
}

func at(field string, err error) error {
	return &accounts.FieldError{Field: field, Reason: err.Error()}
}

// write puts a profile into the file: what differs from before, key by key.
func write(doc []byte, d draft) ([]byte, error) {
	var err error
	set := func(name string, value any) {
		if err == nil {
			doc, err = edit.Set(doc, []string{"profiles", d.Name, name}, value)
		}
	}
	remove := func(name string) {
		if err == nil {
			doc, err = edit.Remove(doc, []string{"profiles", d.Name, name})
		}
	}
	if d.profile.BaseURL != d.before.BaseURL {
		set("base_url", d.profile.BaseURL)
	}
	switch d.profile.APIKeyCommand {
	case d.before.APIKeyCommand:
	case "":
		remove("api_key_command")
	default:
		set("api_key_command", d.profile.APIKeyCommand)
	}
	switch {
	case d.profile.ReadOnly == d.before.ReadOnly:
	case d.profile.ReadOnly:
		set("read_only", true)
	default:
		remove("read_only")
	}
	if !d.Key.IsZero() || d.profile.APIKeyCommand != "" {
		remove("api_key") // One in plain text would be a second key, or the old one.
	}
	return doc, err
}
