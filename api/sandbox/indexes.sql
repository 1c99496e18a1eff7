-- Made after the world is filled, which is faster than keeping them up to date
-- meanwhile. Every index ends in the row number, which is the order of time.

CREATE INDEX cards_by_status         ON cards (status);
CREATE INDEX cards_by_bin            ON cards (bin_id);
CREATE INDEX cards_by_balance        ON cards (balance);
CREATE INDEX cards_by_use            ON cards (last_used);
CREATE INDEX cards_by_status_balance ON cards (status, balance);
CREATE INDEX cards_by_status_use     ON cards (status, last_used);
CREATE INDEX cards_by_bin_balance    ON cards (bin_id, balance);
CREATE INDEX cards_by_bin_use        ON cards (bin_id, last_used);

CREATE INDEX transactions_by_card     ON transactions (card);
CREATE INDEX transactions_by_type     ON transactions (type);
CREATE INDEX transactions_by_merchant ON transactions (merchant);
CREATE INDEX transactions_by_time     ON transactions (created_at);
CREATE INDEX transactions_by_amount   ON transactions (amount);
CREATE INDEX transactions_by_root     ON transactions (root) WHERE root > 0;

CREATE INDEX holds_by_card       ON holds (card, merchant);
CREATE INDEX challenges_by_end   ON challenges (expires_at);
CREATE INDEX deposits_by_status  ON deposits (status);
CREATE INDEX deliveries_by_event  ON deliveries (event);
CREATE INDEX deliveries_by_object ON deliveries (webhook, object);
CREATE INDEX jobs_by_due         ON jobs (due);
CREATE INDEX jobs_by_object      ON jobs (kind, object);
CREATE INDEX answers_by_time     ON answers (at);
