# Shows a whole file of at most BYTES.
require_readable_file
[ "$size" -le "$BYTES" ] || refuse 47 "$size"
cat -- "$real"
