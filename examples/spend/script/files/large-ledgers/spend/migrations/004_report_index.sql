-- Holds all that a report reads, in the order in which it reads it: a month is summed without touching the table.
CREATE INDEX entries_report ON entries (day, category, cents);
