# Says what the files of the workspace are. Input: paths that count in any case, with a NUL after each. Arguments: most files, then names that are left
# out. The first line of the answer is `files COPY BYTES`; behind it come that many bytes of entries (`x`, `-` or `l` and a path, for `l` its target),
# and the sums of the files, all with a NUL after each.
most=$1
shift
cd /workspace || exit 1
export LC_ALL=C
own=$state/look.$$
trap 'rm -rf "$own"' EXIT
mkdir -p "$own" && cat >"$own/known" || exit 1
list_others() {
  local name options=() names=()
  if command -v rg >/dev/null; then
    for name in "$@"; do options+=(--glob "!$name"); done
    rg --files --null --hidden --no-config --no-require-git --no-ignore-global --no-ignore-parent --no-ignore-dot --no-ignore-exclude --no-messages "${options[@]}"
  else
    for name in "$@"; do names+=(-name "$name" -o); done
    find . -mindepth 1 \( "${names[@]}" -false \) -prune -o -type f -printf '%P\0'
  fi
}
{ cat "$own/known"; list_others "$@"; } | sort -zu >"$own/paths"
count=$(tr -dc '\0' <"$own/paths" | wc -c)
if [ "$count" -gt "$most" ]; then
  printf 'refused\nThe workspace has %s files besides those that its .gitignore names, more than %s\n' "$count" "$most"
  exit 0
fi
: >"$own/files"
while IFS= read -r -d '' path; do
  path=${path#./}
  if [ -L "$path" ]; then
    printf 'l%s\0%s\0' "$path" "$(readlink -- "$path")"
  elif [ -f "$path" ]; then
    mark=-
    [ ! -x "$path" ] || mark=x
    printf '%s%s\0' "$mark" "$path"
    printf './%s\0' "$path" >>"$own/files"
  fi
done <"$own/paths" >"$own/entries"
if ! xargs -0 -r sha256sum -z -- <"$own/files" >"$own/sums" 2>"$own/complaints"; then
  echo refused
  head -n 5 "$own/complaints"
  exit 0
fi
copy=-
[ ! -s "$state/copy" ] || read -r copy <"$state/copy"
printf 'files %s %s\n' "$copy" "$(stat -c %s "$own/entries")"
cat "$own/entries" "$own/sums"
