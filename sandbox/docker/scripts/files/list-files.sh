# Lists what is below a folder, DEPTH levels of it: type, size, path and link target of each, LIMIT of them and BYTES at most.
[ -e "$real" ] || refuse_missing
[ -d "$real" ] || refuse 50
find "$real" -mindepth 1 -maxdepth "$DEPTH" -name .git -prune \
  -o \( -name node_modules -o -name .venv -o -name __pycache__ \) -prune -printf 'p\t%s\t%P\t\n' \
  -o -printf '%y\t%s\t%P\t%l\n' 2>/dev/null | LC_ALL=C sort -t $'\t' -k 3 | head -n "$LIMIT" | head -c "$BYTES"
exit 0
