# Packs files of the workspace, whose paths the input names with a NUL after each. Argument: most bytes of them together. The first line of the
# answer is `taken` with the archive behind it, or what stood in the way.
cd /workspace || exit 1
own=$state/take.$$
trap 'rm -rf "$own"' EXIT
mkdir -p "$own" && cat >"$own/paths" || exit 1
while IFS= read -r -d '' path; do
  why=
  if [ ! -e "./$path" ] && [ ! -L "./$path" ]; then why='there is no such file'
  elif [ -d "./$path" ] && [ ! -L "./$path" ]; then why='it is a folder'
  elif [ -L "./$path" ]; then why='it is a link'
  elif [ ! -f "./$path" ]; then why='it is no file'
  elif [ ! -r "./$path" ]; then why='its permissions do not allow to read it'
  fi
  if [ -n "$why" ]; then
    printf 'refused\n%s: %s\n' "$path" "$why"
    exit 0
  fi
done <"$own/paths"
bytes=$(($(xargs -0 -r stat -c %s -- <"$own/paths" | paste -sd+ -) + 0))
if [ "$bytes" -gt "$1" ]; then
  printf 'refused\nThe files have %s bytes, more than %s\n' "$bytes" "$1"
  exit 0
fi
echo taken
exec tar -c --null --no-recursion -T "$own/paths" -f -
