set -e
SPEND_DB=$(mktemp -u)
export SPEND_DB
python3 -m spend add 1,000.05 Food >/dev/null
python3 -m spend add -0.06 food >/dev/null
python3 -m spend list | tail -n 1 | grep -Eq 'Total +999\.99$'
