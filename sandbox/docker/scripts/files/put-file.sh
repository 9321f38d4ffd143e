# put_file COMMAND...: makes what the command prints the content of the file, all or nothing.
put_file() {
  local folder temporary
  folder=$(dirname -- "$real")
  temporary=$folder/.longhaul-$LONGHAUL_COMMAND
  mkdir -p -- "$folder" 2>&1 || exit 45
  trap 'rm -f -- "$temporary"' EXIT
  { "$@" >"$temporary"; } 2>&1 || exit 45
  if [ -e "$real" ]; then chmod --reference="$real" -- "$temporary"; fi
  mv -fT -- "$temporary" "$real" 2>&1 || exit 45
}
