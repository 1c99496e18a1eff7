// Package e2e drives the real program, against the real sandbox, in
// virtual time: its tests type keys and read the screen of an emulated
// terminal. It holds no code of the program's.
package e2e
