# Writes a command's output, or a part of it, after a line with its whole size. Arguments: id, offset and limit in bytes (whole without them).
output=$state/commands/$1/output
[ -f "$output" ] || exit 44
stat -c %s "$output"
[ -n "$2" ] || exec cat "$output"
tail -c "+$(($2 + 1))" "$output" | head -c "$3"
