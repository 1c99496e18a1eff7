package hub

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/poll"
)

// walletBody is the wallet as the contract has it. Of who does not see all cards the
// sums are over those that they see, and the account's totals are unset.
type walletBody struct {
	Balance           api.USD  `json:"balance"`
	Currency          api.Text `json:"currency"`
	PendingDeposits   *api.USD `json:"pending_deposits"`
	TotalDeposited    *api.USD `json:"total_deposited"`
	TotalSpent        *api.USD `json:"total_spent"`
	CardsActive       *int     `json:"cards_active"`
	CardsTotalBalance *api.USD `json:"cards_total_balance"`
	// Scoped reports that the person does not see all cards.
	Scoped bool `json:"scoped,omitempty"`
}

// getWallet answers from memory.
func (s *Server) getWallet(r *request) (answer, error) {
	if err := s.waitReady(r.Context()); err != nil {
		return answer{}, err
	}
	complete, err := s.waitMoved(r.Context())
	if err != nil {
		return answer{}, err
	}
	var body walletBody
	var age time.Duration
	err = s.read(r.Context(), func(st *state.Store) {
		body = walletOf(st, r.person)
		age = s.ageOf(st, poll.Wallet)
	})
	if err != nil {
		return answer{}, err
	}
	a, err := fromMemory(body, age)
	a.memory = complete // The next who asks waits for what this one did not get.
	return a, err
}

// waitMoved returns when the balance includes what was moved until now, or false when it
// is not read in time: the answer to a write need not say what is in the wallet.
func (s *Server) waitMoved(ctx context.Context) (complete bool, err error) {
	var moved poll.Seq
	if err := s.read(ctx, func(st *state.Store) { moved = st.Wallets.Moved() }); err != nil || moved == 0 {
		return true, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = s.until(limited, func(st *state.Store) bool { return st.Wallets.Includes(moved) })
	if limited.Err() != nil {
		return false, ctx.Err()
	}
	return err == nil, err
}

// walletOf is the wallet as a person may see it.
func walletOf(st *state.Store, p *team.Person) walletBody {
	w, _ := st.Wallets.Balance()
	body := walletBody{Balance: w.Balance, Currency: w.Currency, Scoped: !p.SeesAll()}
	if p.SeesAll() {
		body.CardsActive, body.CardsTotalBalance, body.TotalSpent = w.CardsActive, w.CardsTotalBalance, w.TotalSpent
	} else {
		active, sum := 0, api.USD(0)
		cards := st.Cards.All()
		for i := range cards.Len() {
			if row := cards.Row(i); p.Sees(string(row.Label)) {
				sum += row.Balance
				if row.Status() == api.CardActive { // As the service counts, which has expired cards among them.
					active++
				}
			}
		}
		body.CardsActive, body.CardsTotalBalance = &active, &sum
	}
	if p.May(team.Admin) {
		body.PendingDeposits, body.TotalDeposited = w.PendingDeposits, w.TotalDeposited
	}
	return body
}

type depositItem struct {
	ID            api.DepositID     `json:"id"`
	Currency      api.Currency      `json:"currency"`
	AmountCrypto  api.Crypto        `json:"amount_crypto"`
	AmountUSD     *api.USD          `json:"amount_usd"`
	FeeUSD        *api.USD          `json:"fee_usd"`
	CreditedUSD   *api.USD          `json:"credited_usd"`
	Status        api.DepositStatus `json:"status"`
	TxHash        api.Text          `json:"tx_hash"`
	Confirmations *int              `json:"confirmations"`
	CreatedAt     any               `json:"created_at"`
	ConfirmedAt   any               `json:"confirmed_at,omitempty"`
}

// listDeposits answers admins from memory; others see an empty list, which says so.
func (s *Server) listDeposits(r *request) (answer, error) {
	q := r.URL.Query()
	status, err1 := word(q, "status", "pending", "confirmed", "expired")
	currency, err2 := word(q, "currency", "btc", "eth", "sol", "usdt")
	if err := errors.Join(err1, err2); err != nil {
		return answer{}, err
	}
	list := listOf[depositItem]{Data: []depositItem{}}
	if !r.person.May(team.Admin) {
		return withheld(needsAdmin)
	}
	if err := s.waitReady(r.Context()); err != nil {
		return answer{}, err
	}
	a := answer{}
	err := s.read(r.Context(), func(st *state.Store) {
		a.age, list.Unread = s.ageOf(st, poll.Deposits), unreadOf(st, poll.Deposits, r.person)
		for _, d := range st.Wallets.Deposits() {
			if status != "" && string(d.Status) != status || currency != "" && string(d.Currency) != currency {
				continue
			}
			list.Data = append(list.Data, depositItem{
				d.ID, d.Currency, d.AmountCrypto, d.AmountUSD, d.FeeUSD, d.CreditedUSD, d.Status, d.TxHash, d.Confirmations,
				stamp(d.CreatedAt), stamp(d.ConfirmedAt),
			})
		}
	})
	if err != nil {
		return answer{}, err
	}
	return jsonOf(list, a.age)
}

// getAddresses asks the service.
func (s *Server) getAddresses(r *request) (answer, error) {
	currency, err := word(r.URL.Query(), "currency", "btc", "eth", "sol", "usdt")
	if err != nil {
		return answer{}, err
	}
	q := url.Values{}
	if currency != "" {
		q.Set("currency", currency)
	}
	body, age, err := s.through(r.Context(), r.person, api.Read{Route: "/wallet/deposit-address", Query: q}, shortly)
	return answer{status: http.StatusOK, body: body, age: age}, err
}

// listBINs asks the service now and then.
func (s *Server) listBINs(r *request) (answer, error) {
	body, age, err := s.through(r.Context(), r.person, api.Read{Route: "/bins"}, forLong)
	return answer{status: http.StatusOK, body: body, age: age}, err
}

// listWebhooks asks the service: the list may have secrets, so it is not remembered.
func (s *Server) listWebhooks(r *request) (answer, error) {
	body, err := s.secretly(r.Context(), r.person, api.Read{Route: "/webhooks"})
	return answer{status: http.StatusOK, body: body, wipe: true, age: -1}, err
}
