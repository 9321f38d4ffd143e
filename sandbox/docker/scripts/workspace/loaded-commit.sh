# Says which commit the workspace was filled with.
[ ! -s "$state/loaded" ] || cat "$state/loaded"
