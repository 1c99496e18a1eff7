package main

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/internal/config"
)

const settingsHead = `# Settings

Made by ` + "`make docs`" + ` from the program. The file is TOML at ` + "`$XDG_CONFIG_HOME/cardtop/config.toml`" + ` or where ` + "`--config`" + `
says; every setting may be left out. A star stands for a name of yours. Amounts are USD, as strings, so that no cent is lost.

Editors that know TOML (taplo, Even Better TOML) complete and check the file by its schema: write it beside the file with
` + "`cardtop config schema > config.schema.json`" + ` and begin the file with ` + "`#:schema ./config.schema.json`" + `.
`

// settings is the page of all settings, a table for each part of the file.
func settings() string {
	var page strings.Builder
	page.WriteString(settingsHead)
	last := "-"
	for _, s := range config.Reference() {
		part, _, dotted := strings.Cut(s.Name, ".")
		if !dotted {
			part = ""
		}
		if part != last {
			last = part
			head := "In no table"
			switch {
			case strings.HasPrefix(s.Name, part+".*."):
				head = "[" + part + ".*]"
			case dotted:
				head = "[" + part + "]"
			}
			fmt.Fprintf(&page, "\n## %s\n\n| setting | type | default | example | meaning |\n|---|---|---|---|---|\n", head)
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", code(s.Name), s.Type(), code(s.Default), code(s.Example), cell(s.Doc))
	}
	return page.String()
}

// cell keeps text within its cell of a table.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "*", `\*`).Replace(text) }

// code is text as it is typed; nothing when there is none.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}
