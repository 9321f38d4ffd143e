-- Says which line of a bank's export an entry came from, so that it is not taken twice. It stays as the entry is edited.
ALTER TABLE entries ADD COLUMN import_key TEXT;
CREATE UNIQUE INDEX entries_import_key ON entries (import_key);

CREATE TABLE rules (
    pattern TEXT PRIMARY KEY,
    category TEXT NOT NULL
);

CREATE TABLE import_profiles (
    name TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
