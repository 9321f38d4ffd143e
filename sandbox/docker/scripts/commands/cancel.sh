# Ends a command with all its processes. Arguments: id, and how often to look, every 50 ms, whether one that has not begun
# still does. Fails where it is still there after 10 seconds.
id=$1 rounds=$2
command=$state/commands/$id
has_room 16 || make_room
mkdir -p "$state/cancelled" && : >"$state/cancelled/$id"
for ((round = 0; round < 200; round++)); do
  if [ -e "$command" ]; then
    if read_record || ! keeper_lives; then exit 0; fi
    kill_processes "$id" "$keeper_start"
  elif [ $round -ge "$rounds" ]; then
    # Nobody has begun it; whoever does finds the mark.
    exit 0
  fi
  pause 0.05
done
exit 1
