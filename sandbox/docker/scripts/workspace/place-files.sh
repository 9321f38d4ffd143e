# Unpacks the archive of the input into the workspace. Argument: the copy that it is, before which the workspace is emptied; empty for a few files
# more. The answer is `placed`, or what stood in the way.
cd /workspace || exit 1
complaints=$(mktemp) || exit 1
trap 'rm -f "$complaints"' EXIT
if [ -n "$1" ]; then
  rm -f "$state/copy"
  find . -mindepth 1 -maxdepth 1 ! -name "$2" -exec chmod -R u+rwX {} + 2>/dev/null
  find . -mindepth 1 -maxdepth 1 ! -name "$2" -exec rm -rf {} + || exit 1
fi
if ! tar -x --no-same-owner -f - 2>"$complaints"; then
  cat >/dev/null
  echo refused
  cat "$complaints"
  exit 0
fi
if [ -n "$1" ]; then
  mkdir -p "$state" && printf '%s\n' "$1" >"$state/copy" || exit 1
fi
echo placed
