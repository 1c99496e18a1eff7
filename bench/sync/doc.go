// Package sync measures how the program keeps up with the server, in virtual time
// against the embedded sandbox: the age of a code when it is shown and the requests of
// an hour, polled and with webhooks. Its tests, of the tag long, run short counts; bench/sync.sh runs the full ones and prints the figures of docs/SPEED.md. It
// has no code of the program.
package sync
