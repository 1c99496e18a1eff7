// Package pages runs the commands of the pages: every block of them in the README and in
// docs. It has tests only.
package pages
