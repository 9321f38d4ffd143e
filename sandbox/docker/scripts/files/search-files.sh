# Finds the lines that PATTERN matches in the files below a path, of the names that GLOB matches; LIMIT of them and BYTES at most.
[ -e "$real" ] || refuse_missing
cd /workspace || exit 1
target=$(realpath --relative-to=/workspace -- "$real")
set -o pipefail
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
if command -v rg >/dev/null; then
  options=(--no-config --hidden --glob '!.git' --line-number --no-heading --with-filename --color never --max-columns 300 --max-columns-preview --sort path)
  if [ -n "$GLOB" ]; then options+=(--glob "$GLOB"); fi
  rg "${options[@]}" -e "$PATTERN" -- "$target" 2>"$complaints"
else
  options=(-rnHIE --exclude-dir=.git --exclude-dir=node_modules)
  if [ -n "$GLOB" ]; then options+=("--include=${GLOB##*/}"); fi
  grep "${options[@]}" -e "$PATTERN" -- "$target" 2>"$complaints" | cut -c -400
fi | head -n "$LIMIT" | head -c "$BYTES"
status=${PIPESTATUS[0]}
# 2: the pattern is none, or a file could not be read; the first finds nothing.
if [ "$status" = 2 ] && grep -qiE 'regex|glob|unmatched|invalid|trailing' "$complaints"; then refuse 51 "$(cat "$complaints")"; fi
exit 0
