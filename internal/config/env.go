package config

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Names of the environment variables that the program reads.
const (
	EnvBaseURL = "CARDTOP_BASE_URL"
	EnvAPIKey  = "CARDTOP_API_KEY" //nolint:gosec // the name of a variable, not a key
	EnvProfile = "CARDTOP_PROFILE"
	EnvConfig  = "CARDTOP_CONFIG"
	EnvNoColor = "NO_COLOR"
	// EnvNoMotion asks programs for reduced motion.
	EnvNoMotion = "NO_MOTION"
)

// Env is what the environment sets.
type Env struct {
	BaseURL string
	APIKey  api.APIKey
	// Found is the key that this process found for the account before, however; it is not looked for again.
	Found   api.APIKey
	Profile string
	Config  string
	// NoColor is set by NO_COLOR and for a terminal that TERM calls dumb.
	NoColor bool
	// NoMotion asks for reduced motion.
	NoMotion bool
	// Language is that of the screen.
	Language string
	// Proxy is why the address of a proxy is none; nil where there is nothing wrong.
	Proxy error
}

// TakeEnv reads the environment once and removes the API key from it, so that
// no child inherits it. An empty variable counts as not set. The key is
// removed also when there is an error.
func TakeEnv() (Env, error) {
	env := Env{
		BaseURL: os.Getenv(EnvBaseURL),
		Profile: os.Getenv(EnvProfile),
		Config:  os.Getenv(EnvConfig),
		NoColor: os.Getenv(EnvNoColor) != "" || os.Getenv("TERM") == "dumb", NoMotion: os.Getenv(EnvNoMotion) != "",
		Language: lang.FromEnvironment(os.Getenv),
		Proxy:    checkProxies(os.Getenv),
	}
	key := os.Getenv(EnvAPIKey)
	if err := os.Unsetenv(EnvAPIKey); err != nil {
		return Env{}, fmt.Errorf("unset %s: %w", EnvAPIKey, err)
	}
	if key == "" {
		return env, nil
	}
	var err error
	if env.APIKey, err = NewKey([]byte(key)); err != nil {
		return Env{}, fmt.Errorf("%s %w", EnvAPIKey, err)
	}
	return env, nil
}

// checkProxies refuses an address of a proxy that is none: net/http would ignore it and connect past the
// proxy.
func checkProxies(lookup func(string) string) error {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		value := lookup(name)
		if value == "" {
			continue
		}
		if !strings.Contains(value, "://") {
			value = "http://" + value
		}
		u, err := url.Parse(value)
		if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
			return fmt.Errorf("%s is no address of a proxy: write http://HOST:PORT, or unset it", name)
		}
	}
	return nil
}
