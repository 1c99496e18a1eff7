package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/cardtop/cardtop/api"
)

// node is a part of a JSON schema (draft 2020-12), as far as settings need it.
type node struct {
	Dialect       string           `json:"$schema,omitempty"`
	Title         string           `json:"title,omitempty"`
	Description   string           `json:"description,omitempty"`
	Type          string           `json:"type,omitempty"`
	Enum          []string         `json:"enum,omitempty"`
	Pattern       string           `json:"pattern,omitempty"`
	MinLength     int              `json:"minLength,omitempty"`
	MaxLength     int              `json:"maxLength,omitempty"`
	Minimum       any              `json:"minimum,omitempty"`
	Maximum       any              `json:"maximum,omitempty"`
	Items         *node            `json:"items,omitempty"`
	MaxItems      int              `json:"maxItems,omitempty"`
	AnyOf         []node           `json:"anyOf,omitempty"`
	Properties    map[string]*node `json:"properties,omitempty"`
	PropertyNames *node            `json:"propertyNames,omitempty"`
	Required      []string         `json:"required,omitempty"`
	Additional    any              `json:"additionalProperties,omitempty"` // false, or a node
	Default       any              `json:"default,omitempty"`
	Examples      []any            `json:"examples,omitempty"`
}

// dollars is an amount in USD: digits in a string, or a number. What a string
// may come to only the program checks.
func dollars(low, high api.USD) node {
	return node{AnyOf: []node{
		{Type: "string", Pattern: `^\$?(0|[1-9][0-9]*)(\.[0-9]{1,2})?$`},
		{Type: "number", Minimum: low, Maximum: high},
	}}
}

// textOrList is a list of texts, or one by itself; an empty one is an empty
// list.
func textOrList(limit int, each node) node {
	return node{AnyOf: []node{{Type: "string", MaxLength: each.MaxLength}, {Type: "array", Items: &each, MaxItems: limit}}}
}

// JSONSchema describes the configuration file for editors. What needs more
// than one setting to be judged only the program checks.
func JSONSchema() ([]byte, error) {
	root := table()
	root.Dialect, root.Title = "https://json-schema.org/draft/2020-12/schema", "cardtop configuration"
	for _, s := range Reference() {
		root.add(s)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(root)
	return out.Bytes(), err
}

// table is one that holds nothing yet.
func table() *node {
	return &node{Type: "object", Properties: map[string]*node{}, Additional: false}
}

// add puts a setting in its place.
func (n *node) add(s Setting) {
	path := strings.Split(s.Name, ".")
	last := len(path) - 1
	for i, part := range path[:last] {
		n = n.within(part, i == 1)
	}
	leaf := s.schema
	leaf.Description, leaf.Default, leaf.Examples = s.Doc, literal(s.Default), []any{literal(s.Example)}
	if path[last] == "*" { // A name with dots in it may be written as tables.
		n.Additional = node{AnyOf: []node{leaf, {Type: "object", Additional: leaf}}}
		return
	}
	n.Properties[path[last]] = &leaf
	if s.needed {
		n.Required = append(n.Required, path[last])
		slices.Sort(n.Required)
	}
}

// within returns a table of a table; a star is one for every name. Those of
// profiles and commands are plain words, a label may be any text.
func (n *node) within(part string, plain bool) *node {
	if part == ruleTable {
		return n.list("rules", maxRules)
	}
	if part == "*" {
		if each, ok := n.Additional.(*node); ok {
			return each
		}
		each := table()
		if n.Additional = each; plain {
			names := named().schema
			n.PropertyNames = &names
		}
		return each
	}
	if n.Properties[part] == nil {
		n.Properties[part] = table()
	}
	return n.Properties[part]
}

// list returns the table that each item of a list is.
func (n *node) list(name string, most int) *node {
	if n.Properties[name] == nil {
		n.Properties[name] = &node{Type: "array", Items: table(), MaxItems: most}
	}
	return n.Properties[name].Items
}

// literal reads a value as it is written in TOML; nil for none.
func literal(text string) any {
	var doc struct{ V any }
	if text == "" || toml.Unmarshal([]byte("V = "+text), &doc) != nil {
		return nil
	}
	return doc.V
}
