CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    cents INTEGER NOT NULL CHECK (typeof(cents) = 'integer'),
    category TEXT NOT NULL CHECK (category <> ''),
    description TEXT NOT NULL DEFAULT ''
);
