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

// Foreign is an amount in another currency than USD, in hundredths of its unit. The zero
// Foreign is none.
type Foreign struct {
	Code   string
	Amount unit.Cents
}

// rate is the fixed price of one unit of a currency.
type rate struct {
	code  string
	price int64 // ten-thousandths of a USD
	whole bool  // it has no decimals
}

func rates() []rate {
	return []rate{{"EUR", 10_800, false}, {"GBP", 12_700, false}, {"JPY", 67, true}, {"MXN", 550, false}}
}

func rateOf(code string) rate {
	for _, r := range rates() {
		if r.code == code {
			return r
		}
	}
	return rate{}
}

// ForeignCodes returns the currencies that a merchant may charge in, but for USD.
func ForeignCodes() []string {
	var codes []string
	for _, r := range rates() {
		codes = append(codes, r.code)
	}
	return codes
}

// Exact reports whether the currency has the decimals of the amount.
func (f Foreign) Exact() bool { return !rateOf(f.Code).whole || f.Amount%100 == 0 }

// Fixed returns the amount with its currency, for messages.
func (f Foreign) Fixed() string { return f.Amount.Fixed() + " " + f.Code }

// USD returns what a positive amount costs, rounded to cents: at least one, and at most
// what is an amount.
func (f Foreign) USD() unit.Cents {
	const scale = 10_000
	price := unit.Cents(rateOf(f.Code).price)
	cost := f.Amount/scale*price + (f.Amount%scale*price+scale/2)/scale
	if f.Amount > 0 {
		cost = max(1, cost)
	}
	return min(cost, unit.MostCents)
}

// Negative returns the amount with the other sign.
func (f Foreign) Negative() Foreign { return Foreign{f.Code, -f.Amount} }
