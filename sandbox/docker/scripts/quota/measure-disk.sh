# Says how many files are below some folders and how many bytes they take on disk. Arguments: files to count at most, the folders.
most=$1
shift
files=$(find "$@" -xdev -printf . 2>/dev/null | head -c $((most + 1)) | wc -c)
bytes=-
[ "$files" -gt "$most" ] || bytes=$(du -s -c -x -B1 -- "$@" 2>/dev/null | tail -n 1 | cut -f 1)
echo "$files $bytes"
