//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDepositsAreFollowedToTheirEnd(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("d")
		d.see("1 Deposits", "BTC  bitcoin", "USDT erc-20", "confirmed")
		made := d.control(http.MethodPost, "/sandbox/deposits", map[string]any{"currency": "eth", "amount_usd": 300})
		// The wallet tells of it before the list is due.
		soon := func(notice string) {
			for i := 0; i < 13 && !strings.Contains(d.screen(), notice); i++ {
				d.wait(time.Second)
			}
		}
		soon("on its way")
		d.see("deposit of", "ETH is on its way", "2 pending")
		if row := d.cursor(); !strings.Contains(row, "ETH") || !strings.Contains(row, "of 12") || !strings.Contains(row, "297.00") {
			t.Errorf("the newest is not on top: %s", row)
		}
		d.control(http.MethodPost, "/sandbox/deposits/"+text(t, made["id"])+"/confirm", nil)
		soon("is confirmed, $")
		d.see("ETH is confirmed, $297.00 credited", "1 Deposits")
		if row := d.cursor(); !strings.Contains(row, "confirmed") || !strings.Contains(row, "297.00") {
			t.Errorf("it is not confirmed: %s", row)
		}
		d.press("y")
		d.see("transaction hash copied")
		d.press("esc")
		d.see("1 Cards")
	})
}

func TestADepositBelowTheMinimumIsToldInWords(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.control(http.MethodPost, "/sandbox/deposits", map[string]any{"currency": "usdt", "amount_usd": 300})
		d.control(http.MethodPost, "/sandbox/deposits", map[string]any{"currency": "usdt", "amount_usd": 5})
		d.wait(61 * time.Second)
		d.press("d")
		d.wait(time.Second)
		d.see("below minimum", "below the minimum 10 USDT: may never be credited")
		d.press("j")
		d.see("minimum 10 USDT")
		d.seeNot("below the")
	})
}

func TestTheAddressIsShownAndCopied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{dir: dir}, func(d *driver) {
		d.press("d", "enter")
		d.see("Deposit address", "first seen here", "Send only", "█")
		d.press("tab", "y")
		d.see("address copied")
		d.press("esc")
		d.see("1 Deposits")
	})
	if data, err := os.ReadFile(filepath.Join(dir, "addresses.json")); err != nil || !strings.Contains(string(data), `"btc"`) {
		t.Errorf("kept %s, %v", data, err)
	}
	story(t, options{dir: dir}, func(d *driver) {
		d.press("d", "enter")
		d.see("unchanged since")
	})
}

func TestAnAmountIsCheckedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			d.press("d", "enter")
			for !strings.Contains(d.screen(), "Send only USDT") {
				d.press("tab")
			}
			d.press("9", ".", "9", "9")
			d.see("to send   9.99", "✗ below the minimum of 10", "it may")
			d.press("backspace", "backspace", "backspace", "backspace", "1", "2")
			d.see("✓ 12 USDT is enough", "Send only USDT")
			d.press("esc")
			d.seeNot("to send")
			d.see("Deposit address")
			d.press("esc")
			d.see("1 Deposits")
			d.requests(0, "POST")
		})
	}
}

// TestTheWarningNeedsNoScrolling looks at every currency on the smallest
// screen.
func TestTheWarningNeedsNoScrolling(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		d.press("d", "enter")
		for range 4 {
			d.see("Send only", "nything else", "lost.", "↑↓ more", "esc back")
			d.press("tab")
		}
	})
}

func TestChangedAddressScreens(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			changedAddress(t, size[0], size[1], func(d *driver) {
				d.wait(1150 * time.Millisecond)
				d.drawn("address-changed")
			})
		})
	}
}

func TestAnAddressThatChangedStopsThePerson(t *testing.T) {
	t.Parallel()
	changedAddress(t, 100, 30, func(d *driver) {
		d.see("tb1q befo re")
		d.seeNot("█")
		d.press("y")
		d.see("trust it before it is copied")
		d.press("t")
		d.see("Trust the new BTC address")
		addresses, ok := d.api(http.MethodGet, "/wallet/deposit-address", nil)["addresses"].(map[string]any)
		if !ok {
			t.Fatal("the sandbox tells no addresses")
		}
		now := text(t, addresses["btc"])
		d.write(now[len(now)-6:])
		d.press("tab", "enter")
		d.see("is trusted", "unchanged since", "█")
		d.press("y")
		d.see("btc address copied")
	})
}

func TestAddressesThatCannotBeReadSayWhatToDo(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.calls.setDown(true)
		d.press("d", "enter")
		d.wait(6 * time.Second)
		d.see("cannot read the addresses", "r retry")
		d.calls.setDown(false)
		d.press("r")
		d.see("Send only")
	})
}
