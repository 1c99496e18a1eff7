// Package prove holds the proof that a copied secret leaves the clipboard and
// the screen whatever happens to the programs involved: it kills, freezes and
// races them under a real X server, a real Wayland compositor and tmux.
//
// Plain `go test` skips it. run.sh installs what it needs and runs it.
package prove
