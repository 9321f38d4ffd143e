# Notes that the workspace is empty again.
rm -f "$state/loaded"
