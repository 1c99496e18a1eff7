// Command site makes the documentation as plain HTML pages: the README and everything
// under docs. It is a module of its own, so that cardtop does not depend on what reads
// Markdown.
//
//	go run . [-root ../..] [-out ../../dist/site]
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", "../..", "folder of the repository")
	out := flag.String("out", "../../dist/site", "folder of the pages")
	flag.Parse()
	n, err := build(*root, *out)
	if err == nil {
		n.links, err = check(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages and %d pictures in %s, %d links lead somewhere\n", n.pages, n.pictures, *out, n.links) //nolint:forbidigo // what a command says
}
