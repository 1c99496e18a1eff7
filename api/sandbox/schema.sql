-- Amounts are cents of USD, times are milliseconds of the Unix epoch in UTC.
-- Identifiers, card numbers and names are computed from the seed and the row.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

-- One row. The sums over all cards are kept here, so that reading the wallet
-- does not add up every card.
CREATE TABLE wallet (
    id              INTEGER PRIMARY KEY CHECK (id = 1),
    balance         INTEGER NOT NULL CHECK (balance >= 0),
    total_deposited INTEGER NOT NULL,
    total_spent     INTEGER NOT NULL,
    cards_active    INTEGER NOT NULL,
    cards_balance   INTEGER NOT NULL
);

CREATE TABLE cards (
    seq            INTEGER PRIMARY KEY,
    bin_id         TEXT NOT NULL,
    status         TEXT NOT NULL,
    balance        INTEGER NOT NULL CHECK (balance >= 0),
    held           INTEGER NOT NULL CHECK (held >= 0),
    spending_limit INTEGER NOT NULL,
    total_spent    INTEGER NOT NULL,
    txn_count      INTEGER NOT NULL,
    month          INTEGER NOT NULL,
    month_spent    INTEGER NOT NULL,
    label          TEXT NOT NULL,
    label_key      TEXT NOT NULL,
    categories     TEXT NOT NULL,
    auto_freeze_at INTEGER NOT NULL,
    metadata       TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    last_used      INTEGER NOT NULL,
    frozen_at      INTEGER NOT NULL
);

CREATE TABLE merchants (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    name_key TEXT NOT NULL,
    category TEXT NOT NULL,
    mcc      TEXT NOT NULL,
    country  TEXT NOT NULL,
    UNIQUE (name, category, mcc, country)
);

-- Append-only, and created_at never falls from one row to the next: the order
-- of rows is the order of time, and of identifiers.
CREATE TABLE transactions (
    seq            INTEGER PRIMARY KEY,
    card           INTEGER NOT NULL,
    type           INTEGER NOT NULL,
    amount         INTEGER NOT NULL,
    merchant       INTEGER NOT NULL,
    balance_after  INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    root           INTEGER NOT NULL,
    three_ds       INTEGER NOT NULL,
    decline_reason TEXT NOT NULL
);

-- What approved authorizations still keep reserved.
CREATE TABLE holds (
    auth     INTEGER PRIMARY KEY,
    card     INTEGER NOT NULL,
    merchant INTEGER NOT NULL,
    amount   INTEGER NOT NULL
);

CREATE TABLE challenges (
    seq        INTEGER PRIMARY KEY,
    card       INTEGER NOT NULL,
    merchant   INTEGER NOT NULL,
    amount     INTEGER NOT NULL,
    otp        TEXT NOT NULL,
    status     TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE deposits (
    seq           INTEGER PRIMARY KEY,
    currency      TEXT NOT NULL,
    amount_crypto TEXT NOT NULL,
    amount        INTEGER NOT NULL,
    fee           INTEGER NOT NULL,
    status        TEXT NOT NULL,
    confirmations INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    confirmed_at  INTEGER NOT NULL
);

CREATE TABLE webhooks (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    url        TEXT NOT NULL,
    events     TEXT NOT NULL,
    secret     TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

-- Events and what is left to deliver of them, written together with the change
-- that they tell of.
CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE deliveries (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook  INTEGER NOT NULL,
    event    INTEGER NOT NULL,
    object   TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due      INTEGER NOT NULL
);

-- What the world does later by itself.
CREATE TABLE jobs (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    due    INTEGER NOT NULL,
    kind   TEXT NOT NULL,
    object INTEGER NOT NULL,
    amount INTEGER NOT NULL
);

-- The first answer of every write that carried an idempotency key.
CREATE TABLE answers (
    account TEXT NOT NULL,
    path    TEXT NOT NULL,
    key     TEXT NOT NULL,
    body    BLOB NOT NULL,
    status  INTEGER NOT NULL,
    answer  BLOB NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, path, key)
) WITHOUT ROWID;
