# Says how many files are below some folders and how many bytes they take on disk. Arguments: files to count at most, the folders.
most=$1
shift
files=$(find "$@" -xdev -printf . 2>/dev/null | head -c $((most + 1)) | wc -c)
bytes=-
if [ "$files" -le "$most" ]; then
  # Above 128, something ended it, such as the limit on its memory.
  total=$(du -s -c -x -B1 -- "$@" 2>/dev/null) || [ $? -lt 128 ] || exit 1
  bytes=$(tail -n 1 <<<"$total" | cut -f 1)
fi
echo "$files $bytes"
