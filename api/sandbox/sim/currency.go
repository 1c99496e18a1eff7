package sim

import (
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Currency is one of the contract's crypto currencies.
type Currency struct {
	Code, Network string
	Address       string     // well-formed, owned by nobody (ASSUMED 28)
	Minimum       string     // in the crypto unit
	rate          unit.Cents // invented price of one unit
	decimals      int
	Confirmations int64        // confirmations until a deposit counts
	Block         unit.Instant // time between two blocks, sped up
}

// Currencies returns all currencies.
func Currencies() []Currency {
	return []Currency{
		{
			Code: "btc", Network: "bitcoin", Address: "tb1qqelt2avyuphssx0vmksdcrlnghvn8vaz47w45x",
			Minimum: "0.0001", rate: 6_400_000, decimals: 8, Confirmations: 3, Block: 40 * unit.Second,
		},
		{
			Code: "eth", Network: "ethereum", Address: "0x53ef73aaef87adde9bad6b55cfa95e21ff17015d",
			Minimum: "0.005", rate: 310_000, decimals: 18, Confirmations: 12, Block: 12 * unit.Second,
		},
		{
			Code: "sol", Network: "solana", Address: "BxZddXqSds8foVQfwHzA9srp92b3PnCKmQFk8pPGjTZN",
			Minimum: "0.1", rate: 14_500, decimals: 9, Confirmations: 32, Block: 2 * unit.Second,
		},
		{
			Code: "usdt", Network: "erc-20", Address: "0x9ecc9bbb1f41cb16de6f66c96278270297b6d095",
			Minimum: "10", rate: 100, decimals: 6, Confirmations: 12, Block: 12 * unit.Second,
		},
	}
}

// CurrencyOf returns the currency of a code, or the zero Currency.
func CurrencyOf(code string) Currency {
	for _, c := range Currencies() {
		if c.Code == code {
			return c
		}
	}
	return Currency{}
}

// Units returns the crypto amount that is worth an amount of USD, as decimal text,
// rounded down.
func (c Currency) Units(amount unit.Cents) string {
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

// Hash returns an invented on-chain transaction of a deposit, in the form of the
// currency's chain.
func (c Currency) Hash(w World, seq int64) string {
	sum := w.Digest("tx "+c.Code, seq)
	switch c.Code {
	case "btc":
		return hex.EncodeToString(sum[:])
	case "sol":
		more := w.Digest("tx2 "+c.Code, seq)
		return base58(append(sum[:], more[:]...))
	default:
		return "0x" + hex.EncodeToString(sum[:])
	}
}

// base58 encodes bytes in the alphabet of Solana signatures.
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
