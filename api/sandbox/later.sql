-- Tables that a file of an earlier version lacks. They are made when a file is opened.

-- What the API shows of a transaction beyond its row: the amount in another currency
-- than USD, in hundredths of it and signed like the row's, and the free text of a
-- decline. Most transactions have no line here.
CREATE TABLE IF NOT EXISTS txn_extras (
    txn          INTEGER PRIMARY KEY,
    currency     TEXT NOT NULL,
    amount       INTEGER NOT NULL,
    decline_text TEXT NOT NULL
);
