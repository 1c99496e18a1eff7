// Package api is the contract of the virtual card service in types: its resources, its
// errors, the queries of its lists and the builders of its writes. It sends nothing: package
// client does.
//
// Conventions:
//
//   - Money is [USD], an integer number of millionths of a dollar, so that a
//     figure is exactly as it was sent (ASSUMED 3). Times are UTC, the zero time is
//     an absent one.
//   - Text that comes from the service is [Text]: it passed [Clean] while it
//     was decoded and cannot act on a terminal.
//   - Card numbers, codes and keys are distinct types around [Secret], which
//     no formatter, logger or encoder can print.
//   - An optional field is a pointer (or an empty list): null and absent mean
//     the same (ASSUMED 2). Unknown fields never fail a decode; a missing
//     identifier, status or amount that decisions need does.
//   - A write is first built, by a pure function, as a [Write] with its exact
//     bytes, then sent under an [IdempotencyKey]. The client never repeats a
//     write and never creates a key: [Outcome] says whether it was done,
//     refused, or cannot be known.
//   - An error is an [Error]; errors.Is compares it to the sentinels. A value
//     beyond a limit of the contract is ErrInvalid, and nothing is sent.
package api

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Call is one request that is over. It has nothing secret: no body, no query, no
// header but the date and the request id.
type Call struct {
	Method    string
	Route     string // template, such as /cards/{card_id}
	Status    int    // 0: no answer
	Took      time.Duration
	RequestID Text
	Date      time.Time // the service's clock, UTC; zero: not sent
	Err       error
	Unread    []Unread // items of a list that could not be read
}

// IsLoopback reports whether a host is a loopback address or localhost; no other name
// is resolved.
func IsLoopback(u *url.URL) bool {
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}
