# Finds the file that FILE_PATH means and refuses one outside the workspace. The exit codes are those of file-answer.ts.
refuse() {
  local code=$1
  shift
  printf '%s\n' "$@"
  exit "$code"
}

case $FILE_PATH in
  /*) real=$(realpath -m -- "$FILE_PATH") ;;
  *) real=$(realpath -m -- "/workspace/$FILE_PATH") ;;
esac || refuse 49 'The path cannot be followed: a loop of symbolic links, or a name that is too long.'
case $real in
  /workspace | /workspace/*) ;;
  *) refuse 40 "$real" ;;
esac

# Says what is near a path that leads nowhere: files of the same name elsewhere, and what its nearest folder holds.
refuse_missing() {
  local folder=$real
  while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
  {
    find /workspace \( -name .git -o -name node_modules \) -prune -o -iname "$(basename -- "$real")" -printf 'same name: %P\n' | head -n 5
    printf 'folder: %s\n' "${folder#/workspace}"
    find "$folder" -mindepth 1 -maxdepth 1 -printf 'entry: %f\n' | sort | head -n 40
  } 2>/dev/null
  exit 41
}

require_readable_file() {
  [ -e "$real" ] || refuse_missing
  [ ! -d "$real" ] || refuse 42
  [ -f "$real" ] || refuse 44
  [ -r "$real" ] || refuse 48 'Its permissions do not allow to read it.'
  size=$(stat -c %s -- "$real")
  if [ "$size" -gt 0 ] && ! head -c 65536 -- "$real" | LC_ALL=C grep -qI ''; then refuse 43 "$size"; fi
}
