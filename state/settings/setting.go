package settings

// Setting is a value in the configuration file: the parts of its name, and what is written
// of it as TOML.
type Setting struct {
	Path  []string
	Value string
}
