CREATE TABLE budgets (
    category TEXT PRIMARY KEY,
    cents INTEGER NOT NULL CHECK (typeof(cents) = 'integer' AND cents > 0)
);
