# Records the workspace's files as one commit on top of a base and writes a bundle of it. Arguments: base, most bytes of the
# bundle. The first line of the answer is `snapshot COMMIT BYTES` with the bundle behind it, or what stood in the way.
#
# It works in a repository of its own that only borrows the workspace's objects: nothing that an agent configured (hooks,
# filters, fsmonitor, an index with hidden entries) has a say, and a full workspace is no hindrance.
base=$1 most_bytes=$2
for folder in "$state"/snapshot.*; do
  [ -d "/proc/${folder##*.}" ] || rm -rf "$folder"
done
own=$state/snapshot.$$
trap 'rm -rf "$own"' EXIT
export GIT_DIR=$own/git GIT_WORK_TREE=/workspace GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null LC_ALL=C

# answer WORD: says what stood in the way, in git's words.
answer() {
  if [ "$1" != nested ] && grep -qi 'no space left' "$own/complaints"; then
    set -- full
  fi
  echo "$1"
  cat "$own/complaints"
  exit 0
}

mkdir -p "$own" || exit 1
: >"$own/complaints"
exec 2>>"$own/complaints"
# Only where the base has it: the git of an image may be too old to know the option.
format=
[ "${#base}" -ne 64 ] || format=--object-format=sha256
git init -q --template= $format || answer failed
if [ ! -d /workspace/.git ] || [ -L /workspace/.git ]; then
  echo 'There is no folder .git in the workspace.' >&2
  answer damaged
fi
echo /workspace/.git/objects >"$GIT_DIR/objects/info/alternates" || answer failed
[ ! -f /workspace/.git/shallow ] || cp /workspace/.git/shallow "$GIT_DIR/shallow"
cd /workspace || answer failed
git cat-file -e "$base^{commit}" && git read-tree "$base" || answer damaged

if ! git add -A .; then
  if grep -q 'does not have a commit checked out' "$own/complaints"; then
    grep -o "'.*' does not have a commit checked out" "$own/complaints" | while read -r line; do
      line=${line#\'}
      echo "${line%%/\' does not*}"
    done >"$own/nested"
    mv "$own/nested" "$own/complaints"
    answer nested
  fi
  grep -q ': Permission denied$' "$own/complaints" || answer failed
  : >"$own/complaints"
  git add -A --ignore-errors .
fi
# Of a folder that cannot be read git only warns.
if grep -q ': Permission denied$' "$own/complaints"; then
  sed -n -e 's/^error: open("\(.*\)"): Permission denied$/\1/p' -e "s/^warning: could not open directory '\(.*\)': Permission denied$/\1/p" \
    -e '/^\(error\|warning\|fatal\): /!s/: Permission denied$//p' "$own/complaints" | sort -u | head -n 20 >"$own/unreadable"
  mv "$own/unreadable" "$own/complaints"
  answer unreadable
fi
git -c core.quotePath=false diff-index --cached "$base" >"$own/changes" || answer damaged
: >"$own/complaints"
while IFS=$'\t' read -r facts path; do
  case $facts in
    :160000*) ;;
    :??????' 160000 '*) echo "$path" >&2 ;;
  esac
done <"$own/changes"
[ ! -s "$own/complaints" ] || answer nested

seconds=$(git show -s --format=%ct "$base") && tree=$(git write-tree) || answer damaged
export GIT_AUTHOR_NAME=Longhaul GIT_AUTHOR_EMAIL=longhaul@longhaul.invalid GIT_AUTHOR_DATE="$seconds +0000"
export GIT_COMMITTER_NAME=Longhaul GIT_COMMITTER_EMAIL=longhaul@longhaul.invalid GIT_COMMITTER_DATE="$seconds +0000"
commit=$(git commit-tree "$tree" -p "$base" -m 'Snapshot of the workspace') && git update-ref refs/longhaul/snapshot "$commit" || answer failed
git bundle create -q "$own/bundle" refs/longhaul/snapshot "^$base" || answer damaged
bytes=$(stat -c %s "$own/bundle") || answer failed
if [ "$bytes" -gt "$most_bytes" ]; then
  echo "$bytes" >&2
  answer too-large
fi
echo "snapshot $commit $bytes"
cat "$own/bundle"
