package client_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// A write is built once and sent under one key; only the outcome says whether
// it may be sent again.
func ExampleSend() {
	c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(os.Getenv("KEY"))})
	if err != nil {
		return
	}
	write, err := api.FundWrite("card_8fj2", 25*api.Dollar)
	if err != nil {
		return
	}
	key := api.NewIdempotencyKey()
	result, call := client.Send[api.FundResult](context.Background(), c, write, key)
	switch api.Outcome(call.Err) {
	case api.Done:
		fmt.Println("balance", result.NewBalance)
	case api.Refused:
		fmt.Println("nothing moved:", call.Err)
	case api.Unknown:
		fmt.Println("send the same write under the same key again:", call.Err)
	}
}
