set -e
SPEND_DB=$(mktemp -u)
export SPEND_DB
python3 -m spend add -0.07 rent 'a "quoted", word' --date 2024-02-01 >/dev/null
python3 -m spend export --format csv | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert [(row["amount"], row["description"]) for row in rows] == [("-0.07", "a \"quoted\", word")], rows
'
