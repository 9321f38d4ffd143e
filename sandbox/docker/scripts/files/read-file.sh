# Shows LIMIT lines of a file from line OFFSET on, at most BYTES of them, after a line with its size and number of lines.
require_readable_file
lines=$(wc -l <"$real")
if [ "$size" -gt 0 ] && [ -n "$(tail -c 1 -- "$real")" ]; then lines=$((lines + 1)); fi
echo "$size $lines"
tail -n "+$OFFSET" -- "$real" | head -n "$LIMIT" | head -c "$BYTES"
exit 0
