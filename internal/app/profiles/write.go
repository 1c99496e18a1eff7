package profiles

import "github.com/cardtop/cardtop/internal/config/edit"

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
