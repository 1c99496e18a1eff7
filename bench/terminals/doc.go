// Package terminals proves that the screen is right on real terminals: xterm, tmux,
// GNU screen, mosh, a slow line, a terminal that is stopped, a shell. bench/proof-screen.sh
// runs it. It has no code of the program.
package terminals
