// Package sync measures how the program keeps up with the server, in virtual
// time against the embedded sandbox: how old a code is when it shows, what an
// hour of requests goes to, what a day full of faults loses. Its tests run
// short counts; bench/sync.sh runs the whole ones and prints the figures of
// docs/SPEED.md. It holds no code of the program's.
package sync
