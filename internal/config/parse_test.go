package config_test

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

const full = `
profile = "main"
theme = "dark"
language = "uk"
motion = "reduced"
mouse = false
log_level = "debug"
campaign = "*-*"

[reveal]
seconds = 20
[clipboard]
number_seconds = 0x1e
cvv_seconds = 5
code_seconds = 120
copy_armed = false
osc52 = true
[idle]
mask_minutes = 0
lock_minutes = 30
[confirm]
type_twice_from = 1_000.10
[fund]
presets = [1, "2.50", 5000, 10.1]
[copy]
template = "{number}\t{month}/{year2}\n{name}"
[notifications]
level = "command"
on_event = "notify-send cardtop"
[guardrails]
max_operation = "$250.00"
max_hour = 1000
max_day = "5000"
max_bulk = 10
confirm_labels = ["fb/*", "gg/brand"]
[keys]
freeze = "F"
card.fund = ["+", "ctrl+f"]
quit = ""
[alerts]
wallet_below = 1000
cards_below = "0"
declines = false
deposit_minutes = 90
limit_percent = [100, 80, 100]
expiry_days = [60, 14]
low."fb/*" = "20.50"
low.2039 = 5
wallet_hours = 48
campaign_hours = 0
card_hours = 3
hours."fb/spring" = 12
decline_percent = []
decline_attempts = 50
decline."fb/*" = [20, 10]
spike_times = 5
spike_above = "250"
spike.2039 = 0
storms = false
countries = false
quiet = "23:00-07:30"
quiet_except = "wallet low"
[spending]
requests_per_hour = 200
[profiles.main]
base_url = "https://api.example.com/v1"
api_key_command = "pass show cardtop"
reveal = false
read_only = true
ca_file = "ca.pem"
[profiles]
local = { base_url = "http://127.0.0.1:8787/v1", api_key = "sk_test_abc" }
[commands.ads]
run = "jq . >> ads"
key = "Alt+O"
help = "keep the card"
where = "transactions"
confirm = true
reads = true
[commands]
report.run = "make '{{report}}'"
[guardrails.labels."fb/*"]
max_day = "500"
max_operation = 100
[guardrails.labels]
gg.max_hour = "50"
[guardrails.live]
max_day = "2500"
max_bulk = 5
confirm_labels = "*"
labels."fb/x.y/*".max_day = "20"
`

func TestParseEverySetting(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("config.toml", []byte("\ufeff"+full))
	must(t, err)
	want := config.Settings{
		DefaultProfile: "main",
		Profiles: map[string]config.Profile{
			"main": {
				Name: "main", BaseURL: "https://api.example.com/v1", APIKeyCommand: "pass show cardtop",
				ReadOnly: true, NoReveal: true, CAFile: "ca.pem",
			},
			"local": {Name: "local", BaseURL: "http://127.0.0.1:8787/v1", APIKey: api.NewAPIKey("sk_test_abc")},
		},
		LogLevel: slog.LevelDebug,
		OSC52:    true,
		Reloadable: settings.Reloadable{
			Theme: "dark", Language: "uk", Motion: settings.MotionReduced, NoMouse: true,
			Reveal: 20 * time.Second, CopyNumber: 30 * time.Second, CopyCVV: 5 * time.Second, CopyCode: 2 * time.Minute,
			IdleLock:     30 * time.Minute,
			Campaign:     "*-*",
			SpendHourly:  200,
			Presets:      []api.USD{api.Dollar, 2*api.Dollar + 50*api.Cent, 5000 * api.Dollar, 10*api.Dollar + 10*api.Cent},
			CopyTemplate: "{number}\t{month}/{year2}\n{name}",
			Notify:       settings.NotifyCommand, OnEvent: "notify-send cardtop",
			Guard: guard.Guard{
				MaxOperation: 250 * api.Dollar, MaxHour: 1000 * api.Dollar, MaxDay: 5000 * api.Dollar,
				MaxBulk: 10, ConfirmLabels: []string{"fb/*", "gg/brand"},
				Labels: []guard.LabelCap{
					{Labels: "fb/*", MaxOperation: 100 * api.Dollar, MaxDay: 500 * api.Dollar},
					{Labels: "gg", MaxHour: 50 * api.Dollar},
				},
				TypeTwice: 1000*api.Dollar + 10*api.Cent,
			},
			Alerts: alert.Rules{
				Wallet: 1000 * api.Dollar, Deposit: 90 * time.Minute, Idle: 7 * 24 * time.Hour, Limit: []int{80, 100}, Expiry: []int{14, 60},
				WalletLasts: 48 * time.Hour, CampaignLasts: 0, CardLasts: 3 * time.Hour, Lasts: []alert.Own[time.Duration]{{Of: "fb/spring", Line: 12 * time.Hour}},
				Rate: []int{}, RateFrom: 50, Rates: []alert.Own[[]int]{{Of: "fb/*", Line: []int{10, 20}}},
				Spike: 5, SpikeFrom: 250 * api.Dollar, Spikes: []alert.Own[int]{{Of: "2039", Line: 0}}, Storms: false, Countries: false,
				Quiet: alert.Hours{From: 23 * time.Hour, To: 7*time.Hour + 30*time.Minute, Except: []alert.Kind{alert.WalletLow}},
				Low:   []alert.Own[api.USD]{{Of: "fb/*", Line: 20*api.Dollar + 50*api.Cent}, {Of: "2039", Line: 5 * api.Dollar}},
			},
			Commands: []settings.Command{
				{Name: "ads", Line: "jq . >> ads", Where: settings.OnTransaction, Confirm: true, Reads: true},
				{Name: "report", Line: "make '{{report}}'"},
			},
		},
		LiveGuard: guard.Guard{
			MaxDay: 2500 * api.Dollar, MaxBulk: 5, ConfirmLabels: []string{"*"},
			Labels: []guard.LabelCap{{Labels: "fb/x.y/*", MaxDay: 20 * api.Dollar}},
		},
		Keys: []config.KeyBinding{
			{Action: "freeze", Keys: []string{"F"}, Line: 37, Column: 1},
			{Action: "card.fund", Keys: []string{"+", "ctrl+f"}, Line: 38, Column: 1},
			{Action: "quit", Keys: []string{}, Line: 39, Column: 1},
		},
		CommandKeys: []config.CommandKeys{{Keys: []string{"Alt+O"}, Help: "keep the card", Line: 75, Column: 1}, {}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Parse = %+v\nwant %+v", got, want)
	}
}

func TestParseNothingIsTheDefaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "[clipboard]\n[keys]\n[profiles]\n"} {
		got, err := config.Parse("config.toml", []byte(text))
		must(t, err)
		got.Profiles = nil
		if want := config.Defaults(); !reflect.DeepEqual(got, want) {
			t.Errorf("Parse(%q) = %+v, want the defaults", text, got)
		}
	}
}

// TestReferenceIsTheTruth holds that what the documentation calls the default
// is the default, and that every setting says what it does.
func TestReferenceIsTheTruth(t *testing.T) {
	t.Parallel()
	lines, examples := []string{}, []string{}
	for _, s := range config.Reference() {
		if strings.HasPrefix(s.Name, "rules[].") {
			continue // TestRulesAreRead has them: each needs a whole rule.
		}
		if s.Doc == "" || strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: doc %q", s.Name, s.Doc)
		}
		if s.Example == s.Default {
			t.Errorf("%s: the example is the default", s.Name)
		}
		if runtime.GOOS == "windows" && s.Name == "commands.*.run" {
			s.Example = `"explorer https://ads.example.com/"` // No field is taken there.
		}
		if !strings.HasSuffix(s.Name, ".api_key") { // A profile has one of the two.
			examples = append(examples, strings.ReplaceAll(s.Name, "*", "team")+" = "+s.Example)
		}
		if s.Default != "" && !strings.Contains(s.Name, "*") {
			lines = append(lines, s.Name+" = "+s.Default)
		}
	}
	if _, err := config.Parse("examples.toml", []byte(strings.Join(examples, "\n"))); err != nil {
		t.Error(err)
	}
	got, err := config.Parse("reference.toml", []byte(strings.Join(lines, "\n")))
	must(t, err)
	want := config.Defaults()
	want.Profiles = got.Profiles
	want.Guard.ConfirmLabels, want.LiveGuard.ConfirmLabels = []string{}, []string{}
	want.Columns = got.Columns
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the documented defaults give %+v\nwant %+v", got, want)
	}
}

func TestParseProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown setting", "\npol = 1", []string{`2:1: unknown setting "pol"`}},
		{"misspelt", "themes = 'x'", []string{`1:1: unknown setting "themes" (did you mean "theme"?)`}},
		{"misspelt in a table", "[clipboard]\n  numer_seconds = 9", []string{`2:3: unknown setting "clipboard.numer_seconds" (did you mean "clipboard.number_seconds"?)`}},
		{"under the wrong table", "osc52 = true", []string{`1:1: unknown setting "osc52" (did you mean "clipboard.osc52"?)`}},
		{"misspelt in a profile", "profiles.a = {base_url='https://a/v1', read_olny=true}", []string{`1:40: unknown setting "profiles.a.read_olny" (did you mean "profiles.a.read_only"?)`}},
		{"misspelt table, told once", "[clipbord]\nosc52 = true\ncvv_seconds = 1", []string{`1:2: unknown table "clipbord" (did you mean "clipboard"?)`}},
		{"list of tables", "[[profiles]]\nbase_url = 'x'", []string{`1:3: profiles is a table: write [profiles]`}},
		{"value in place of a table", "idle = 3", []string{`1:1: idle is a table: write [idle]`}},
		{"table in place of a value", "[theme]\na = 1", []string{`1:2: theme is a value, not a table`}},
		{"several, in order", "a_a = 1\ntheme = 3\n[idle]\nlock_minutes = 9999\n", []string{
			`1:1: unknown setting "a_a"`, `2:9: theme must be a string, not an integer`, `4:16: idle.lock_minutes must be 0 to 1440, not 9999`,
		}},
		{"seconds too small", "reveal.seconds = 0", []string{`1:18: reveal.seconds must be 1 to 120, not 0`}},
		{"seconds too large for any integer", "reveal.seconds = 99999999999", []string{`1:18: reveal.seconds must be 1 to 120, not 99999999999`}},
		{"seconds with decimals", "reveal.seconds = 1.5", []string{`1:18: reveal.seconds must be a whole number from 1 to 120, not a decimal number`}},
		{"word", "log_level = 'inf'", []string{`1:13: log_level must be one of debug, info, warn, error, not "inf" (did you mean "info"?)`}},
		{"not a bool", "clipboard.osc52 = 'yes'", []string{`1:19: clipboard.osc52 must be true or false, not a string`}},
		{"column of no width", "columns.cards = ['label', 'card:0']", []string{`1:1: columns.cards must be a name, or a name and a width of 1 to 200 as in label:30, not "card:0"`}},
		{"three decimals", "guardrails.max_day = 1.001", []string{`1:22: guardrails.max_day must be an amount in USD with at most two decimals, such as "12.50"`}},
		{"decimals beyond any float", "guardrails.max_day = 100.00000000000000000001", []string{`1:22: guardrails.max_day must be an amount in USD with at most two decimals, such as "12.50"`}},
		{"exponent", "guardrails.max_day = 1e3", []string{`1:22: guardrails.max_day must be an amount in USD with at most two decimals, such as "12.50"`}},
		{"not a number", "guardrails.max_day = nan", []string{`1:22: guardrails.max_day must be an amount in USD with at most two decimals, such as "12.50"`}},
		{"hexadecimal amount", "guardrails.max_day = 0xff", []string{`1:22: guardrails.max_day must be an amount in USD with at most two decimals, such as "12.50"`}},
		{"negative amount", "guardrails.max_day = -1", []string{`1:22: guardrails.max_day must be 0.00 to 10,000,000.00 USD, not -1.00`}},
		{"preset below the contract", "fund.presets = [5,\n 0.99]", []string{`2:2: fund.presets must be 1.00 to 5,000.00 USD, not 0.99`}},
		{"preset above the contract", "fund.presets = ['5000.01']", []string{`1:17: fund.presets must be 1.00 to 5,000.00 USD, not 5,000.01`}},
		{"too many presets", "fund.presets = [1,1,1,1,1,1,1,1,1,1]", []string{`1:1: fund.presets holds more than 9 amounts`}},
		{"template", "copy.template = '{number} {cvc}'", []string{`1:17: copy.template has an unknown field "cvc" (did you mean "cvv"?); fields: number, last4, month, year, year2, cvv, name, address, label`}},
		{"open brace", "copy.template = 'a {cvv'", []string{`1:17: copy.template has a { without a }`}},
		{"closing brace", "copy.template = 'a} {cvv}'", []string{`1:17: copy.template has a } without a {`}},
		{"escape in a template", `copy.template = "\u001b[2J{cvv}"`, []string{`1:17: copy.template holds a control character`}},
		{"escape in a text", `notifications.on_event = "a\u0007"`, []string{`1:26: notifications.on_event holds a control character`}},
		{"key that is no text", "keys.freeze = 1", []string{`1:15: keys.freeze must be a string or a list of strings, not an integer`}},
		{"command without a command", "[notifications]\nlevel = 'command'", []string{`2:1: notifications.level is "command" and notifications.on_event is not set`}},
		{"mask after lock", "[idle]\nmask_minutes = 20", []string{`2:1: idle.mask_minutes must not be above idle.lock_minutes (20 and 15)`}},
		{"profile that is not there", "profile = 'x'", []string{`1:1: profile "x" is not in the file: add [profiles.x]`}},
		{"profile without a URL", "[profiles.x]\nread_only = true", []string{`1:2: profile "x" has no base_url`}},
		{"in the order of the file", "              [profiles.x]\nread_only = 3", []string{
			`1:16: profile "x" has no base_url`, `2:13: profiles.x.read_only must be true or false, not an integer`,
		}},
		{"near nothing", "[profiles.x]\nbase_url = 'https://a/v1'\nq = 3", []string{`3:1: unknown setting "profiles.x.q"`}},
		{"profile with a path for a name", "[profiles.'../x']\nbase_url = 'https://a/v1'", []string{
			`1:2: the name of a profile must be 1 to 64 letters, digits, dots, dashes or underscores and start with a letter or digit`,
		}},
		{"profile named like a key", "[profiles.sk_test_1]\nbase_url = 'https://a/v1'", []string{`1:2: the name of a profile must not be an API key`}},
		{"base URL", "[profiles.x]\nbase_url = 'http://example.com/v1'", []string{`2:12: profiles.x.base_url is no base URL: http is for loopback only: use https`}},
		{"two keys", "[profiles.x]\nbase_url = 'https://a/v1'\napi_key = 'sk_test_a'\napi_key_command = 'x'", []string{`3:1: profile "x" has api_key and api_key_command: keep one`}},
		{"live key at home", "[profiles.x]\nbase_url = 'https://localhost/v1'\napi_key = 'sk_live_a'", []string{`3:1: profile "x" sends a live key to this machine`}},
		{"command of no line", "[commands.ads]\nkey = 'alt+o'", []string{`1:2: command "ads" has no run`}},
		{"command of an empty line", "[commands.ads]\nrun = ' '", []string{`2:7: commands.ads.run must not be empty`}},
		{"command of a bad name", "[commands.'a b']\nrun = 'x'", []string{`1:2: the name of a command must be 1 to 64 letters, digits, dots, dashes or underscores and start with a letter or digit`}},
		{"misspelt in a command", "[commands.ads]\nrun = 'x'\nconfrm = true", []string{`3:1: unknown setting "commands.ads.confrm" (did you mean "commands.ads.confirm"?)`}},
		{"place of a command", "[commands.ads]\nrun = 'x'\nwhere = 'card'", []string{`3:9: commands.ads.where must be one of cards, transactions, anywhere, not "card" (did you mean "cards"?)`}},
		{"command in place of a table", "commands.ads = 'x'", []string{`1:1: command "ads" has no run`, `1:1: commands.ads is a table: write [commands.ads]`}},
		{"pair of a template", "[templates.a]\nmetadata = ['team']", []string{`2:1: templates.a.metadata must be lines of key=value, such as "team=growth"`}},
		{"key twice in a template", "[templates.a]\nmetadata = ['a=1', 'a=2']", []string{`2:1: templates.a.metadata has the key "a" twice`}},
		{"label of a template", "[templates.a]\nlabel = 'x{m}'", []string{`2:9: templates.a.label {m} is not known: {n}, {n:02} are`}},
		{"amount of a template", "[templates.a]\namount = 0.5", []string{`2:10: templates.a.amount must be 1.00 to 5,000.00 USD, not 0.50`}},
		{"name of a template", "[templates.'a b']\namount = 5", []string{`1:2: the name of a template must be 1 to 64 letters, digits, dots, dashes or underscores and start with a letter or digit`}},
		{"field in backticks", "[commands.ads]\nrun = 'echo `echo {id}`'", []string{"2:1: commands.ads.run has the field {id} within ` `: put it outside, or in $( )"}},
		{"set twice", "theme = 'a'\ntheme = 'b'", []string{`2:1: read TOML: …`}},
		{"no TOML", "theme = \n", []string{`1:9: read TOML: …`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Parse("config.toml", []byte(tt.text))
			var problems config.ProblemErrors
			if !errors.As(err, &problems) {
				t.Fatalf("Parse = %v, want ProblemErrors", err)
			}
			if len(problems) != len(tt.want) {
				t.Fatalf("Parse = %v\nwant %q", err, tt.want)
			}
			for i, want := range tt.want {
				beginning, open := strings.CutSuffix(want, "…")
				got := strings.TrimPrefix(problems[i].Error(), "config.toml:")
				if got != want && (!open || !strings.HasPrefix(got, beginning)) || strings.Contains(got, "\n") {
					t.Errorf("problem %d = %s\nwant %s", i, got, want)
				}
			}
		})
	}
}

// TestACommandTakesTheFieldsOfItsPlace holds what a line may name, also before
// it says where.
func TestACommandTakesTheFieldsOfItsPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ run, where, want string }{
		{"x {id} {last4} {label} {status} {balance} {bin} {expiry} {profile}", "cards", ""},
		{"x {id} {card_id} {last4} {label} {merchant} {amount} {type} {time} {profile}", "transactions", ""},
		{"x {profile}", "anywhere", ""},
		{"awk '{print $1} {{print}}' ${HOME} {} {a,b}", "anywhere", ""},
		{"x {lable}", "cards", `unknown field {lable} (did you mean "label"?); fields with where = "cards": id, last4, label, status, balance, bin, expiry, profile; {{lable}} is text`},
		{"x {Label}", "cards", `unknown field {Label} (did you mean "label"?)`},
		{"x {merchant}", "cards", "unknown field {merchant};"},
		{"x {balance}", "transactions", "unknown field {balance};"},
		{"x {id}", "anywhere", "unknown field {id};"},
		{"x {number}", "cards", "unknown field {number};"},
		{"x {cvv}", "cards", "unknown field {cvv};"},
		{"x {code}", "transactions", "unknown field {code};"},
	} {
		_, err := config.Parse("config.toml", []byte("[commands.x]\nrun = \""+c.run+"\"\nwhere = '"+c.where+"'"))
		if runtime.GOOS == "windows" && strings.Contains(c.run, "x {") {
			c.want = "no shell of this system takes safely"
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), "config.toml:2:1: commands.x.run has ") || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.run, err)
		}
	}
}

// TestParseNeverQuotesAKey puts a key where people put one by mistake.
func TestParseNeverQuotesAKey(t *testing.T) {
	t.Parallel()
	const key = "sk_live_0123456789abcdef"
	for _, format := range []string{
		"%s = 1", "%s", "api_key = %s", "api_key = '%s", "[%s]", "[profiles.%s]\nx=1", "profile = '%s'", "theme = '%s\x01'",
		"log_level = '%s'", "[profiles.x]\napi_key = ['%s']", "[profiles.x]\napi_key = '%s %[1]s'", "base_url = '%s'",
		"[profiles.x]\nbase_url = 'https://%s@a/v1'", "copy.template = '{%s}'", "guardrails.max_day = '%s'", "[keys]\n%s = 1",
		"[profiles.x]\nbase_url = '%s'", "a = 1\na = '%s'", "[profiles.x]\napi_key='%s'\napi_key='%[1]s'",
	} {
		settings, err := config.Parse("config.toml", fmt.Appendf(nil, format, key))
		if err == nil {
			t.Errorf("%s is accepted", format)
			continue
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, err) + fmt.Sprintf(verb, settings.Profiles); strings.Contains(text, "0123456789") {
				t.Errorf("%s gives %s", format, text)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("[profiles.x]\nbase_url = 1\n[[keys]]\na = [[{b = 1979-05-27}]]"))
	f.Add([]byte("a.b.c = {d = {e = 'f'}}\r\n[a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := config.Parse("f", slices.Clone(data))
		var problems config.ProblemErrors
		if err != nil && (!errors.As(err, &problems) || len(problems) == 0) {
			t.Errorf("Parse = %v, want problems", err)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || strings.ContainsAny(p.Text, "\n\r\x1b") {
				t.Errorf("problem %#v", p)
			}
		}
	})
}
