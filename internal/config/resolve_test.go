package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
)

func TestParseOrigin(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, want, refused string }{
		{"https://api.example.com/v1", "https://api.example.com:443", ""},
		{"HTTPS://API.Example.com:8443/x/v1", "https://api.example.com:8443", ""},
		{"http://127.0.0.1/v1", "http://127.0.0.1:80", ""},
		{"http://localhost:8787/v1", "http://localhost:8787", ""},
		{"http://[::1]:1/v1", "http://[::1]:1", ""},
		{"http://127.9.9.9/v1", "http://127.9.9.9:80", ""},

		{"", "", "no host"},
		{"api.example.com/v1", "", "no host"},
		{"https:///v1", "", "no host"},
		{"https:opaque/v1", "", "no host"},
		{"https://a/v2", "", "end in /v1"},
		{" https://a/v1/ ", "https://a:443", ""},
		{"https://a/v1//", "https://a:443", ""},
		{"https://a:0/v1", "", "its port is not one of 1 to 65535"},
		{"https://a:65536/v1", "", "its port is not one of 1 to 65535"},
		{"https://a:65535/v1", "https://a:65535", ""},
		{"https://a", "", "end in /v1"},
		{"https://a/x%2fv1", "", "end in /v1"},
		{"https://a/v1?x=1", "", "query"},
		{"https://a/v1?", "", "query"},
		{"https://a/v1#", "", "query"},
		{"https://user@a/v1", "", "user"},
		{"https://user:pw@a/v1", "", "user"},
		{"http://example.com/v1", "", "loopback"},
		{"http://127.0.0.1.example.com/v1", "", "loopback"},
		{"http://localhost.example.com/v1", "", "loopback"},
		{"http://10.0.0.1/v1", "", "loopback"},
		{"ftp://a/v1", "", "https://"},
		{"https://a b/v1", "", "not a URL"},
	}
	for _, tt := range tests {
		got, err := config.ParseOrigin(tt.url)
		if tt.refused != "" {
			if err == nil || !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("ParseOrigin(%q) = %v, %v, want an error with %q", tt.url, got, err, tt.refused)
			}
			continue
		}
		if err != nil || got.String() != tt.want {
			t.Errorf("ParseOrigin(%q) = %v, %v, want %s", tt.url, got, err, tt.want)
		}
	}
}

func profiles(names ...string) config.Settings {
	s := config.Defaults()
	s.Profiles = map[string]config.Profile{}
	for _, name := range names {
		s.Profiles[name] = config.Profile{
			Name: name, BaseURL: "https://" + name + ".example.com/v1", ReadOnly: name == "ro",
			CAFile: "/ca/" + name, APIKey: api.NewAPIKey("sk_test_" + name),
		}
	}
	return s
}

func TestResolve(t *testing.T) {
	t.Parallel()
	key := api.NewAPIKey("sk_test_env")
	chosen := profiles("a", "b", "ro")
	chosen.DefaultProfile = "b"
	tests := []struct {
		name     string
		settings config.Settings
		env      config.Env
		flags    config.Flags
		profile  string
		origin   string // Empty: the embedded sandbox.
		refused  string
	}{
		{"nothing", profiles(), config.Env{}, config.Flags{}, "sandbox", "", ""},
		{"sandbox by flag, whatever else", chosen, config.Env{APIKey: key, Profile: "a", BaseURL: "https://x/v1"}, config.Flags{Sandbox: true}, "sandbox", "", ""},
		{"sandbox and profile", chosen, config.Env{}, config.Flags{Sandbox: true, Profile: "a"}, "", "", "leave --profile"},
		{"sandbox and URL", chosen, config.Env{}, config.Flags{Sandbox: true, BaseURL: "https://a/v1"}, "", "", "leave --profile"},
		{"the only profile", profiles("a"), config.Env{}, config.Flags{}, "a", "https://a.example.com:443", ""},
		{"blanks and a slash around the URL", profiles(), config.Env{BaseURL: " https://x/v1/ ", APIKey: key}, config.Flags{}, "default", "https://x:443", ""},
		{"a proxy that is none", profiles("a"), config.Env{Proxy: errors.New("HTTPS_PROXY is none")}, config.Flags{}, "", "", "HTTPS_PROXY is none"},
		{"a proxy that is none, and loopback", profiles(), config.Env{BaseURL: "http://localhost/v1", APIKey: key, Proxy: errors.New("HTTPS_PROXY is none")}, config.Flags{}, "default", "http://localhost:80", ""},
		{"several, none chosen", profiles("b", "a"), config.Env{}, config.Flags{}, "", "", "choose a profile (a, b)"},
		{"several, none chosen, and an account in the environment", profiles("b", "a"), config.Env{BaseURL: "https://x/v1", APIKey: key}, config.Flags{}, "", "", "choose a profile (a, b)"},
		{"several, and the account of the environment", profiles("b", "a"), config.Env{BaseURL: "https://x/v1", APIKey: key}, config.Flags{NoProfile: true}, "default", "https://x:443", ""},
		{"file chooses", chosen, config.Env{}, config.Flags{}, "b", "https://b.example.com:443", ""},
		{"environment chooses", chosen, config.Env{Profile: "a"}, config.Flags{}, "a", "https://a.example.com:443", ""},
		{"flag chooses", chosen, config.Env{Profile: "a"}, config.Flags{Profile: "ro"}, "ro", "https://ro.example.com:443", ""},
		{"misspelt profile", profiles("main"), config.Env{}, config.Flags{Profile: "mian"}, "", "", `"mian" is not in the configuration (did you mean "main"?); known: main`},
		{"misspelt profile with a URL", profiles("main"), config.Env{BaseURL: "https://x/v1"}, config.Flags{Profile: "mian"}, "", "", `is not in the configuration`},
		{"a profile without a file", profiles(), config.Env{Profile: "ops", BaseURL: "https://x/v1", APIKey: key}, config.Flags{}, "", "", `"ops" is not in the configuration, which has none`},
		{"the default one without a file", profiles(), config.Env{Profile: "default", BaseURL: "https://x/v1", APIKey: key}, config.Flags{}, "default", "https://x:443", ""},
		{"URL and key by environment", profiles(), config.Env{BaseURL: "https://x/v1", APIKey: key}, config.Flags{}, "default", "https://x:443", ""},
		{"URL without a key", profiles(), config.Env{BaseURL: "https://x/v1"}, config.Flags{}, "default", "https://x:443", ""},
		{"key without a URL", profiles(), config.Env{APIKey: key}, config.Flags{}, "", "", "CARDTOP_API_KEY is set without a base URL: set CARDTOP_BASE_URL or --base-url"},
		{"name without a URL", profiles(), config.Env{Profile: "default"}, config.Flags{}, "", "", `profile "default" has no base URL: set base_url under [profiles.default]`},
		{"flag's URL first", chosen, config.Env{BaseURL: "https://env/v1"}, config.Flags{BaseURL: "https://flag/v1"}, "default", "https://flag:443", ""},
		{"profile by flag, account in the environment", chosen, config.Env{BaseURL: "https://x/v1", APIKey: key}, config.Flags{Profile: "a"}, "a", "https://a.example.com:443", ""},
		{"profile by flag at another URL by flag", chosen, config.Env{}, config.Flags{Profile: "a", BaseURL: "https://x/v1"}, "", "", `profile "a" is at https://a.example.com/v1 and --base-url is https://x/v1: leave one of them out`},
		{"profile by flag at its URL by flag", chosen, config.Env{}, config.Flags{Profile: "a", BaseURL: "https://a.example.com/v1"}, "a", "https://a.example.com:443", ""},
		{"profile and URL of the environment disagree", chosen, config.Env{Profile: "a", BaseURL: "https://x/v1"}, config.Flags{}, "", "", `profile "a" is at https://a.example.com/v1 and CARDTOP_BASE_URL is https://x/v1: leave one of them out`},
		{"URL of the environment, another default profile", chosen, config.Env{BaseURL: "https://x/v1", APIKey: key}, config.Flags{}, "default", "https://x:443", ""},
		{"URL of the environment, that of the default profile", chosen, config.Env{BaseURL: "https://b.example.com/v1", APIKey: key}, config.Flags{}, "b", "https://b.example.com:443", ""},
		{"bad URL by flag", chosen, config.Env{}, config.Flags{BaseURL: "http://x/v1"}, "", "", "read --base-url: http is for loopback only"},
		{"bad URL by environment", chosen, config.Env{BaseURL: "x"}, config.Flags{}, "", "", "read CARDTOP_BASE_URL:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Resolve(tt.settings, tt.env, tt.flags)
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) || strings.Contains(err.Error(), "\n") {
					t.Fatalf("Resolve = %v, want one line with %q", err, tt.refused)
				}
				return
			}
			must(t, err)
			if got.Profile != tt.profile || got.Sandbox != (tt.origin == "") {
				t.Errorf("Resolve = profile %q, sandbox %v", got.Profile, got.Sandbox)
			}
			if tt.origin != "" && got.Origin.String() != tt.origin {
				t.Errorf("Resolve = %s, want %s", got.Origin, tt.origin)
			}
			if want := got.Profile == "ro"; got.ReadOnly != want {
				t.Errorf("read only = %v, want %v", got.ReadOnly, want)
			}
			for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s"} {
				text := fmt.Sprintf(verb, got)
				if strings.Contains(text, "sk_test") || strings.Contains(text, "736b5f74657374") {
					t.Errorf("%s shows a key: %s", verb, text)
				}
			}
		})
	}
}

func TestResolveFlags(t *testing.T) {
	t.Parallel()
	got, err := config.Resolve(profiles("a"), config.Env{NoColor: true}, config.Flags{ReadOnly: true, Privacy: true, NoCache: true})
	must(t, err)
	if !got.ReadOnly || !got.Privacy || !got.NoCache || !got.NoColor || got.CAFile != "/ca/a" {
		t.Errorf("Resolve = %+v", got)
	}
}

// TestRevealIsSwitchedOffByItself joins the profile and the flag, read-only or
// not.
func TestRevealIsSwitchedOffByItself(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		profile, flag, want bool
	}{{false, false, false}, {true, false, true}, {false, true, true}} {
		s := profiles("a")
		p := s.Profiles["a"]
		p.NoReveal = tt.profile
		s.Profiles["a"] = p
		got, err := config.Resolve(s, config.Env{}, config.Flags{NoReveal: tt.flag})
		if err != nil || got.NoReveal != tt.want || got.ReadOnly {
			t.Errorf("%+v: %+v, %v", tt, got, err)
		}
	}
	if got, err := config.Resolve(config.Settings{}, config.Env{}, config.Flags{Sandbox: true, NoReveal: true}); err != nil || !got.NoReveal {
		t.Errorf("on the sandbox: %+v, %v", got, err)
	}
}

func TestMode(t *testing.T) {
	t.Parallel()
	run := config.Resolved{}
	for key, want := range map[string]config.Mode{
		"sk_live_x": config.ModeLive, "sk_test_x": config.ModeTest, "other": config.ModeLive, "": config.ModeLive,
	} {
		if got := run.Mode(api.NewAPIKey(key)); got != want {
			t.Errorf("Mode of %q = %s, want %s", key, got, want)
		}
	}
	if got := (config.Resolved{Sandbox: true}).Mode(api.NewAPIKey("sk_live_x")); got != config.ModeSandbox {
		t.Errorf("Mode on the sandbox = %s", got)
	}
}

func TestDefaultPathsFollowXDG(t *testing.T) {
	base := t.TempDir()
	t.Cleanup(xdg.Reload) // Once the variables are back.
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "c"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(base, "s"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(base, "k"))
	xdg.Reload()
	got := config.DefaultPaths()
	want := config.Paths{
		Config: filepath.Join(base, "c/cardtop/config.toml"),
		State:  filepath.Join(base, "s/cardtop"),
		Cache:  filepath.Join(base, "k/cardtop"),
		Log:    filepath.Join(base, "s/cardtop/cardtop.log"),
		Home:   xdg.Home,
	}
	if got != want {
		t.Errorf("DefaultPaths = %+v, want %+v", got, want)
	}
	if entries, err := os.ReadDir(base); err != nil || len(entries) != 0 {
		t.Errorf("looking up paths made %v, %v", entries, err)
	}
}

// TestAnEmptyVariableIsNotSet, as in most programs.
func TestAnEmptyVariableIsNotSet(t *testing.T) {
	for _, name := range []string{config.EnvBaseURL, config.EnvAPIKey, config.EnvProfile, config.EnvConfig, config.EnvNoColor, config.EnvNoMotion} {
		t.Setenv(name, "")
	}
	env, err := config.TakeEnv()
	env.Language = ""
	if err != nil || !reflect.DeepEqual(env, config.Env{}) {
		t.Errorf("%+v, %v", env, err)
	}
}

func TestTakeEnv(t *testing.T) {
	t.Setenv("CARDTOP_BASE_URL", "https://x/v1")
	t.Setenv("CARDTOP_API_KEY", " sk_test_env\n")
	t.Setenv("CARDTOP_PROFILE", "p")
	t.Setenv("CARDTOP_CONFIG", "f")
	t.Setenv("NO_COLOR", "1")
	t.Setenv("NO_MOTION", "1")
	env, err := config.TakeEnv()
	must(t, err)
	if env.BaseURL != "https://x/v1" || env.Profile != "p" || env.Config != "f" || !env.NoColor || !env.NoMotion || env.APIKey.Expose() != "sk_test_env" {
		t.Errorf("TakeEnv = %+v", env)
	}
	if value, set := os.LookupEnv("CARDTOP_API_KEY"); set {
		t.Errorf("the key is left in the environment: %d bytes", len(value))
	}
	for _, bad := range []string{"q z", "sk_test_é", strings.Repeat("x", 513), "q\nz"} {
		t.Setenv("CARDTOP_API_KEY", bad)
		_, err := config.TakeEnv()
		if err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("TakeEnv with a bad key = %v", err)
		}
		if _, set := os.LookupEnv("CARDTOP_API_KEY"); set {
			t.Error("a bad key is left in the environment")
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if env, err := config.TakeEnv(); err != nil || !env.NoColor {
		t.Errorf("a dumb terminal gets colours: %v", err)
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_MOTION", "")
	t.Setenv("CARDTOP_API_KEY", "")
	if env, err := config.TakeEnv(); err != nil || !env.APIKey.IsZero() || env.NoColor || env.NoMotion {
		t.Errorf("TakeEnv of empty variables = %+v, %v", env, err)
	}
}

func TestAProxyThatIsNoneIsNamed(t *testing.T) {
	for _, name := range []string{config.EnvBaseURL, config.EnvAPIKey, config.EnvProfile, config.EnvConfig} {
		t.Setenv(name, "")
	}
	for value, ok := range map[string]bool{
		"": true, "http://proxy:3128": true, "proxy:3128": true, "socks5://127.0.0.1:1080": true, "http://user:pw@proxy:3128": true,
		"http://": false, "ftp://proxy": false, "http://proxy:port": false, ":3128": false, "http://[::1": false,
	} {
		t.Setenv("HTTPS_PROXY", value)
		env, err := config.TakeEnv()
		if err != nil || (env.Proxy == nil) != ok {
			t.Errorf("%q: %v, %v", value, env.Proxy, err)
		}
		if env.Proxy != nil && (strings.Contains(env.Proxy.Error(), "pw") || !strings.Contains(env.Proxy.Error(), "HTTPS_PROXY")) {
			t.Errorf("%q: %v", value, env.Proxy)
		}
	}
}
