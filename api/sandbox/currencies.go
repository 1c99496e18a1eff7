package sandbox

import (
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// currency is one of the contract's crypto currencies.
type currency struct {
	code, network string
	address       string     // well-formed, owned by nobody (ASSUMED 28)
	minimum       string     // in the crypto unit
	rate          unit.Cents // invented price of one unit
	decimals      int
	depth         int64        // confirmations until a deposit counts
	block         unit.Instant // time between two blocks, sped up
}

func allCurrencies() []currency {
	return []currency{
		{
			code: "btc", network: "bitcoin", address: "tb1qqelt2avyuphssx0vmksdcrlnghvn8vaz47w45x",
			minimum: "0.0001", rate: 6_400_000, decimals: 8, depth: 3, block: 40 * unit.Second,
		},
		{
			code: "eth", network: "ethereum", address: "0x53ef73aaef87adde9bad6b55cfa95e21ff17015d",
			minimum: "0.005", rate: 310_000, decimals: 18, depth: 12, block: 12 * unit.Second,
		},
		{
			code: "sol", network: "solana", address: "BxZddXqSds8foVQfwHzA9srp92b3PnCKmQFk8pPGjTZN",
			minimum: "0.1", rate: 14_500, decimals: 9, depth: 32, block: 2 * unit.Second,
		},
		{
			code: "usdt", network: "erc-20", address: "0x9ecc9bbb1f41cb16de6f66c96278270297b6d095",
			minimum: "10", rate: 100, decimals: 6, depth: 12, block: 12 * unit.Second,
		},
	}
}

// currencyOf gives the currency of a code, or one without a code.
func currencyOf(code string) currency {
	for _, c := range allCurrencies() {
		if c.code == code {
			return c
		}
	}
	return currency{}
}

// units gives what an amount is worth as decimal text, rounded down.
func (c currency) units(amount unit.Cents) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.decimals)), nil)
	n := scale.Mul(scale, big.NewInt(int64(amount)))
	digits := n.Div(n, big.NewInt(int64(c.rate))).String()
	if missing := c.decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, part := digits[:len(digits)-c.decimals], strings.TrimRight(digits[len(digits)-c.decimals:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// hash invents the on-chain transaction of a deposit, in its chain's form.
func (c currency) hash(w world, seq int64) string {
	sum := w.digest("tx "+c.code, seq)
	switch c.code {
	case "btc":
		return hex.EncodeToString(sum[:])
	case "sol":
		more := w.digest("tx2 "+c.code, seq)
		return base58(append(sum[:], more[:]...))
	default:
		return "0x" + hex.EncodeToString(sum[:])
	}
}

// base58 writes bytes in the alphabet of Solana signatures.
func base58(data []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	n, radix, digit := new(big.Int).SetBytes(data), big.NewInt(58), new(big.Int)
	var text []byte
	for n.Sign() > 0 {
		n.DivMod(n, radix, digit)
		text = append([]byte{alphabet[digit.Int64()]}, text...)
	}
	return string(text)
}
