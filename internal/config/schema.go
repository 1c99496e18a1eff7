package config

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

// Bounds of the amounts. A funding is 1.00 to 5000.00 USD by the contract; the
// other bound only refuses nonsense.
const (
	minFund   = api.Dollar
	maxFund   = 5000 * api.Dollar
	maxAmount = 10_000_000 * api.Dollar
)

// Setting describes one line that the configuration file may hold.
type Setting struct {
	Name    string // Dotted; a star stands for a name of the user's.
	Default string // As TOML; empty when there is none.
	Example string // As TOML: another value that is allowed.
	Doc     string // One line.
	takes
}

// Type is what its value is in TOML.
func (s Setting) Type() string {
	switch s.Example[0] {
	case '"':
		return "string"
	case '[':
		if s.Example[1] != '"' {
			return "list of integers"
		}
		return "list of strings"
	case 't', 'f':
		return "true or false"
	}
	return "integer"
}

// Reference lists every setting, for documentation and for the check of
// names. The order is that of the documentation.
func Reference() []Setting {
	return slices.Concat(general(), guarding(), guardrails(), personal(), templates(), ruleSettings(), userCommands())
}

func general() []Setting {
	return []Setting{
		{"profile", "", `"team"`, lang.N("profile to use when none is asked for"), text(named(), func(t *target) *string { return &t.DefaultProfile })},
		{"theme", `"auto"`, `"light"`, lang.N("name of a theme; auto follows the terminal's background"), text(oneOf(Themes()...), func(t *target) *string { return &t.Theme })},
		{"language", `"auto"`, `"uk"`, lang.N("language of the screen: auto, en, ru or uk; auto follows LC_ALL, LC_MESSAGES and LANG; scripts read English"), text(oneOf(append(lang.Names(), lang.Auto)...), func(t *target) *string { return &t.Language })},
		{"motion", `"auto"`, `"reduced"`, lang.N("auto, full or reduced: no spinner and no shrinking bar; auto is reduced where NO_MOTION is set"), text(oneOf(string(settings.MotionAuto), string(settings.MotionFull), string(settings.MotionReduced)), func(t *target) *string { return (*string)(&t.Motion) })},
		{"mouse", "true", "false", lang.N("take the mouse; without it the terminal selects text"), switchOff(func(t *target) *bool { return &t.NoMouse })},
		{"campaign", `"*/*"`, `"metadata:campaign"`, lang.N("what the campaign of a card is: a pattern of its label, in which * is up to the text after it, or metadata:KEY; metadata is read card by card, as spending.requests_per_hour allows"), text(campaignRule(), func(t *target) *string { return &t.Campaign })},
		{"log_level", `"info"`, `"debug"`, lang.N("debug, info, warn or error"), logLevel()},
		{"profiles.*.base_url", "", `"https://api.example.com/v1"`, lang.N("address of the API, ends in /v1"), needed(text(baseURL(), func(t *target) *string { return &t.profile.BaseURL }))},
		{"profiles.*.api_key_command", "", `"pass show cards/team"`, lang.N("shell line that prints the API key"), text(filled(), func(t *target) *string { return &t.profile.APIKeyCommand })},
		{"profiles.*.api_key", "", `"sk_test_…"`, lang.N("the API key itself; the file must be 0600"), apiKey()},
		{"profiles.*.read_only", "false", "true", lang.N("refuse every write"), flag(func(t *target) *bool { return &t.profile.ReadOnly })},
		{"profiles.*.reveal", "true", "false", lang.N("show and copy numbers, CVVs and addresses; false never asks for them, read-only or not"), switchOff(func(t *target) *bool { return &t.profile.NoReveal })},
		{"profiles.*.push_listen", "", `"127.0.0.1:8420"`, lang.N("host and port at which webhooks are received, so that less is polled; see PUSH.md"), text(listenAddress(), func(t *target) *string { return &t.profile.Push.Listen })},
		{"profiles.*.push_url", "", `"https://hooks.example.com/cardtop"`, lang.N("the address that leads there from outside; it is registered as a webhook once"), text(pushURL(), func(t *target) *string { return &t.profile.Push.URL })},
		{"profiles.*.push_header", "", `"X-Signature"`, lang.N("header of the signature of a webhook; without it any header may carry it"), text(headerName(), func(t *target) *string { return &t.profile.Push.Header })},
		{"profiles.*.ca_file", "", `"/etc/ssl/proxy.pem"`, lang.N("PEM file of an extra certificate authority"), text(filled(), func(t *target) *string { return &t.profile.CAFile })},
		{"profiles.*.fingerprint", "", `"sha256:0000000000000000000000000000000000000000000000000000000000000000"`, lang.N("the one certificate that is accepted, by its SHA-256 as cardtop hub prints it"), text(matching(`^sha256:[0-9a-fA-F:]{64,95}$`, "must be sha256: and 64 hexadecimal digits"), func(t *target) *string { return &t.profile.Fingerprint })},
	}
}

func guarding() []Setting {
	return []Setting{
		{"reveal.seconds", "15", "10", lang.N("how long a revealed card stays on screen"), span(time.Second, 1, 120, func(s *Settings) *time.Duration { return &s.Reveal })},
		{"clipboard.number_seconds", "30", "20", lang.N("how long a card number stays on the clipboard"), span(time.Second, 5, 120, func(s *Settings) *time.Duration { return &s.CopyNumber })},
		{"clipboard.cvv_seconds", "20", "10", lang.N("how long a CVV stays on the clipboard"), span(time.Second, 5, 120, func(s *Settings) *time.Duration { return &s.CopyCVV })},
		{"clipboard.code_seconds", "30", "20", lang.N("how long a one-time code stays on the clipboard, at most"), span(time.Second, 5, 120, func(s *Settings) *time.Duration { return &s.CopyCode })},
		{"clipboard.copy_armed", "true", "false", lang.N("copy the code of an armed checkout by itself"), flag(func(t *target) *bool { return &t.CopyArmed })},
		{"clipboard.osc52", "false", "true", lang.N("let the terminal copy where no clipboard tool can; clearing cannot be verified"), flag(func(t *target) *bool { return &t.OSC52 })},
		{"idle.mask_minutes", "5", "10", lang.N("hide amounts and codes after; 0 is never"), span(time.Minute, 0, 1440, func(s *Settings) *time.Duration { return &s.IdleMask })},
		{"idle.lock_minutes", "15", "30", lang.N("lock the screen after; 0 is never"), span(time.Minute, 0, 1440, func(s *Settings) *time.Duration { return &s.IdleLock })},
		{"confirm.type_twice_from", `"500"`, `"250"`, lang.N("amount in USD from which it is typed twice on LIVE"), amount(func(t *target, usd api.USD) { t.Guard.TypeTwice = usd })},
	}
}

func personal() []Setting {
	return []Setting{
		{"fund.presets", `["25", "50", "100", "250"]`, `["20", "50", "100"]`, lang.N("amounts in USD on the keys of the fund dialog"), amounts(9, minFund, maxFund, func(s *Settings) *[]api.USD { return &s.Presets })},
		{"alerts.wallet_below", `"0"`, `"1000"`, lang.N("USD below which the wallet alerts; 0 is never"), amount(func(t *target, usd api.USD) { t.Alerts.Wallet = usd })},
		{"alerts.cards_below", `"10"`, `"25"`, lang.N("USD below which an active card alerts; 0 is never"), amount(func(t *target, usd api.USD) { t.Alerts.Cards = usd })},
		{"alerts.low.*", "", `"50"`, lang.N("USD below which the cards alert whose label, last four digits or id the name is; * stands for any text"), amount(setLow)},
		{"alerts.wallet_hours", "24", "48", lang.N("alert when the wallet lasts fewer hours, with what is on the cards or at the rate that cards are funded; 0 is never"), span(time.Hour, 0, alert.MaxHours, func(s *Settings) *time.Duration { return &s.Alerts.WalletLasts })},
		{"alerts.campaign_hours", "6", "12", lang.N("alert when the cards of a campaign last less long at its rate; 0 is never"), span(time.Hour, 0, alert.MaxHours, func(s *Settings) *time.Duration { return &s.Alerts.CampaignLasts })},
		{"alerts.card_hours", "1", "3", lang.N("alert when an active card lasts fewer hours at its rate; 0 is never"), span(time.Hour, 0, alert.MaxHours, func(s *Settings) *time.Duration { return &s.Alerts.CardLasts })},
		{"alerts.hours.*", "", "12", lang.N("the same for the campaigns and cards whose label, last four digits or id the name is; * stands for any text"), own(whole(0, alert.MaxHours), func(r *alert.Rules) *[]alert.Own[time.Duration] { return &r.Lasts }, func(n int) time.Duration { return time.Duration(n) * time.Hour })},
		{"alerts.decline_percent", "[15, 25]", "[10, 20, 30]", lang.N("decline rates over 7 days, in percent, that a card, a campaign, a BIN and the account alert at; [] is never"), percents(alert.MaxLines, func(s *Settings) *[]int { return &s.Alerts.Rate })},
		{"alerts.decline_attempts", "20", "50", lang.N("payments tried in 7 days from which a decline rate alerts"), count(1, 100_000, func(s *Settings) *int { return &s.Alerts.RateFrom })},
		{"alerts.decline.*", "", "[10, 20]", lang.N("alerts.decline_percent for the campaigns and cards whose label, last four digits or id the name is; * stands for any text"), own(percentList(alert.MaxLines), func(r *alert.Rules) *[]alert.Own[[]int] { return &r.Rates }, func(list []int) []int { return list })},
		{"alerts.spike_times", "3", "5", lang.N("alert when a card or a campaign spends so many times its usual hour of the last day; 0 is never"), count(0, alert.MaxTimes, func(s *Settings) *int { return &s.Alerts.Spike })},
		{"alerts.spike_above", `"100"`, `"500"`, lang.N("USD that an hour has to come to for that"), amount(func(t *target, usd api.USD) { t.Alerts.SpikeFrom = usd })},
		{"alerts.spike.*", "", "5", lang.N("alerts.spike_times for the campaigns and cards whose label, last four digits or id the name is; * stands for any text"), own(whole(0, alert.MaxTimes), func(r *alert.Rules) *[]alert.Own[int] { return &r.Spikes }, func(n int) int { return n })},
		{"alerts.storms", "true", "false", lang.N("alert once to three declines of a card at a merchant within 10 minutes"), flag(func(t *target) *bool { return &t.Alerts.Storms })},
		{"alerts.countries", "true", "false", lang.N("alert to a merchant country that neither the card nor its campaign was used in before, as far back as is read, 7 days at least"), flag(func(t *target) *bool { return &t.Alerts.Countries })},
		{"alerts.quiet", `""`, `"23:00-07:00"`, lang.N("local hours in which alerts are listed and nobody is called; empty is never"), quietHours()},
		{"alerts.quiet_except", "[]", `["key refused", "wallet low"]`, lang.N("kinds of alerts that call in quiet hours all the same"), quietExcept()},
		{"alerts.limit_percent", "[75, 90, 100]", "[80, 100]", lang.N("parts of its monthly limit, in percent, that an active card alerts at; [] is never"), percents(9, func(s *Settings) *[]int { return &s.Alerts.Limit })},
		{"alerts.declines", "true", "false", lang.N("alert to declined payments"), flag(func(t *target) *bool { return &t.Alerts.Declines })},
		{"alerts.deposit_minutes", "60", "120", lang.N("alert to a deposit that is pending for longer; 0 is never"), span(time.Minute, 0, 10080, func(s *Settings) *time.Duration { return &s.Alerts.Deposit })},
		{"alerts.expiry_days", "[7, 30]", "[14]", lang.N("days before its end that a card alerts at, all cards in one, and when one has expired with a balance; [] is never, and then no card is read for when it expires"), percents(9, func(s *Settings) *[]int { return &s.Alerts.Expiry })},
		{"alerts.idle_days", "7", "14", lang.N("alert to active cards with a balance that were not used for as many days, all in one; 0 is never"), span(24*time.Hour, 0, 30, func(s *Settings) *time.Duration { return &s.Alerts.Idle })},
		{"spending.requests_per_hour", "1000", "200", lang.N("how many requests an hour may read past transactions, and metadata that tells campaigns, for the sums of spending; 0 is none"), count(0, 5000, func(s *Settings) *int { return &s.SpendHourly })},
		{"copy.template", `"{number}|{month}|{year}|{cvv}|{name}"`, `"{number} {month}/{year} {cvv}"`, lang.N("what the copy of a whole card looks like"), template()},
		{"notifications.level", `"desktop"`, `"command"`, lang.N("off, bell, terminal, desktop (over SSH the terminal) or command"), text(oneOf(notifyLevels()...), func(t *target) *string { return (*string)(&t.Notify) })},
		{"notifications.on_event", "", `"jq -r .merchant >> merchants.txt"`, lang.N("shell line that gets each event as JSON on standard input"), text(filled(), func(t *target) *string { return &t.OnEvent })},
		{"columns.cards", "[]", `["status", "label:30", "balance"]`, lang.N("columns of the card list, such as label or label:30 for 30 cells; a choice made with , goes first"), columns(settings.CardList)},
		{"columns.transactions", "[]", `["time", "merchant", "amount"]`, lang.N("columns of the transactions, likewise"), columns(settings.FeedList)},
		{"keys.*", "", `["f", "alt+f"]`, lang.N("key or list of keys for an action; an empty string takes its key away"), lines(maxKeys, setKeys)},
	}
}

// Themes are the names that a theme may have; auto follows the terminal.
func Themes() []string {
	return []string{
		"auto", "auto-colorblind", "dark", "light", "dark-colorblind", "light-colorblind",
		"catppuccin", "dracula", "gruvbox", "nord", "solarized-light", "plain",
	}
}

func notifyLevels() []string {
	return []string{string(settings.NotifyOff), string(settings.NotifyBell), string(settings.NotifyTerminal), string(settings.NotifyDesktop), string(settings.NotifyCommand)}
}

func logLevel() takes {
	var word string
	t := text(oneOf("debug", "info", "warn", "error"), func(*target) *string { return &word })
	read := t.set
	t.set = func(t *target, v value) error {
		if err := read(t, v); err != nil {
			return err
		}
		return t.LogLevel.UnmarshalText([]byte(word))
	}
	return t
}

// apiKey never quotes the value.
func apiKey() takes {
	set := func(t *target, v value) error {
		if v.kind != kindString {
			return wrongKind(v, "a string")
		}
		key, err := NewKey([]byte(v.text))
		if err != nil {
			return err
		}
		t.profile.APIKey = key
		return nil
	}
	return takes{set: set, schema: node{Type: "string", MinLength: 1}}
}

func setLow(t *target, usd api.USD) {
	t.Alerts.Low = append(t.Alerts.Low, alert.Own[api.USD]{Of: t.star, Line: usd})
}

// maxKeys bounds the keys of one action.
const maxKeys = 8

func setKeys(t *target, keys []string) {
	t.Keys = append(t.Keys, KeyBinding{Action: t.star, Keys: keys, Line: t.at.line, Column: t.at.column})
}

// maxColumns bounds the columns of a list, maxWidth the cells of each.
const (
	maxColumns = 40
	maxWidth   = 200
)

// columns reads names, each with a width behind a colon or without.
func columns(list settings.ListName) takes {
	set := func(t *target, v value) error {
		lines, err := v.lines(maxColumns)
		if err != nil {
			return err
		}
		var out []settings.ShownColumn
		for _, line := range lines {
			name, cells, sized := strings.Cut(line, ":")
			width, err := strconv.Atoi(cells)
			if sized && (err != nil || width < 1 || width > maxWidth) {
				return fmt.Errorf("must be a name, or a name and a width of 1 to %d as in label:30, not %q", maxWidth, line)
			}
			out = append(out, settings.ShownColumn{Name: name, Width: width})
		}
		if t.Columns == nil {
			t.Columns = make(map[settings.ListName][]settings.ShownColumn)
		}
		t.Columns[list] = out
		return nil
	}
	return takes{set: set, schema: textOrList(maxColumns, node{Type: "string", Pattern: "^[^:]+(:[0-9]+)?$", MaxLength: maxText})}
}

// template allows tabs and line breaks between the fields.
func template() takes {
	set := func(t *target, v value) error {
		if v.kind != kindString {
			return wrongKind(v, "a string")
		}
		if err := checkTemplate(v.text); err != nil {
			return err
		}
		t.CopyTemplate = v.text
		return nil
	}
	return takes{set: set, schema: node{Type: "string", MinLength: 1, MaxLength: maxText}}
}

// Settings is everything the configuration file can hold. Amounts are USD,
// durations are whole seconds or minutes in the file, and a zero cap is no cap.
// A value is never changed after it was read; a reload returns a new one.
type Settings struct {
	// Reloadable are the settings that may change while the program runs. Its
	// Guard is that of all modes: For adds LiveGuard.
	settings.Reloadable
	// LiveGuard holds on LIVE: what is set replaces the rule of that name, patterns
	// of labels are added.
	LiveGuard      guard.Guard
	DefaultProfile string // Profile to use when none is asked for; may be empty.
	Profiles       map[string]Profile
	LogLevel       slog.Level
	OSC52          bool                                         // Whether the terminal may be asked to copy.
	Columns        map[settings.ListName][]settings.ShownColumn // Those that lists show; none are the list's own.
	Keys           []KeyBinding                                 // In the order of the file.
	CommandKeys    []CommandKeys                                // A row for each of Commands.
}

// Profile is one account: where its API is and how its key is found.
type Profile struct {
	Name          string
	BaseURL       string // Ends in /v1; https, or http for loopback.
	APIKey        api.APIKey
	APIKeyCommand string // A shell line whose output is the key.
	ReadOnly      bool   // Every write is refused.
	NoReveal      bool   // No card's number, CVV or address is asked for.
	Fingerprint   string // sha256: and the SHA-256 of the one certificate that is accepted.
	Push          Push
	CAFile        string // PEM file of an extra certificate authority; a relative path starts at the configuration's directory.
}

// Push is where webhooks of a profile are delivered to.
type Push struct {
	Listen string // Host and port that are listened at; empty for nothing.
	URL    string // What leads there from outside: https, or http on loopback.
	Header string // Of the signature; empty for whichever has it.
}

// KeyBinding is one line of the keys table, as it is in the file. Whether the
// action and the keys exist is for the keymap to say, with the position.
type KeyBinding struct {
	Action string
	Keys   []string // Empty: the action has no key.
	Line   int      // From 1.
	Column int      // From 1, in bytes.
}

// CommandKeys is what the key table holds of a user command.
type CommandKeys struct {
	Keys   []string
	Help   string // What it does, in a line.
	Line   int    // Of its keys in the file, from 1; 0 without any.
	Column int    // From 1, in bytes.
}

// Defaults returns the settings of an empty file.
func Defaults() Settings {
	return Settings{Reloadable: settings.Defaults(), LogLevel: slog.LevelInfo}
}
