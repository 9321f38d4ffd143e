# Replaces the content of a file, which has to be what it was when the edit was worked out, by the input (base64).
require_readable_file
now=$(sha256sum <"$real")
# An attempt that was interrupted may have come this far.
[ "${now%% *}" != "$AFTER" ] || exit 0
[ "${now%% *}" = "$BEFORE" ] || refuse 46
put_file base64 -d
