package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

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
