# Runs a command under its id; where one of that id is known already, waits for its end and shows its result instead.
# Arguments: id, time limit in ms, folder, bytes of the script and of the input, bytes of output to show from the beginning
# and from the end, PATH of the command. On stdin: the script, the input.
id=$1 limit_ms=$2 folder=$3 script_bytes=$4 input_bytes=$5 head_bytes=$6 tail_bytes=$7 path=$8
command=$state/commands/$id

# A daemon that loses its client may send these; the command goes on, and a handler, unlike ignoring, is not inherited.
trap : HUP TERM PIPE

refuse() {
  printf 'longhaul-refused %s\n' "$1"
  exit 0
}

# Takes in script and input whole, then makes the record appear at once: nothing begins with half of its input.
claim() {
  local incoming=$state/incoming/$id.$$ sizes boot_life
  # A command may have closed or removed the harness's folders.
  [ -w "$state/commands" ] || { chmod u+rwx "$state" "$state"/{incoming,commands}; mkdir -p "$state/commands"; } 2>/dev/null
  mkdir "$incoming" 2>/dev/null || { rm -rf "$incoming" && mkdir -p "$incoming" "$state/commands"; } || refuse full
  head -c "$script_bytes" >"$incoming/script" || refuse full
  if [ "$input_bytes" = 0 ]; then : >"$incoming/input"; else head -c "$input_bytes" >"$incoming/input"; fi || refuse full
  sizes=$(stat -c %s "$incoming/script" "$incoming/input")
  [ "$sizes" = "$script_bytes"$'\n'"$input_bytes" ] || { rm -rf "$incoming"; refuse incomplete; }
  current_life
  boot_life=$REPLY
  now_ms
  began_ms=$REPLY
  start_time $$
  keeper=$$ keeper_start=$REPLY life=$boot_life
  printf '%64s' '' >"$incoming/result" && : >"$incoming/output" &&
    echo "$keeper $keeper_start $life $began_ms" >"$incoming/keeper" || { rm -rf "$incoming"; refuse full; }
  mv -T "$incoming" "$command" 2>/dev/null && return 0
  rm -rf "$incoming"
  [ -e "$command/keeper" ] || refuse full
  return 1
}

begin() {
  # Its own process group, so that `kill 0` in the script reaches the script alone.
  set -m
  (
    exec 9>&-
    # Where memory runs out, the command goes before its keeper.
    echo 500 >/proc/self/oom_score_adj
    cd -- "/workspace/$folder" || exit 1
    PATH=$path
    # Read whole before it begins, so that what it starts cannot change the rest of it.
    LONGHAUL_COMMAND=$id exec "$BASH" -c '. "$0"' "$command/script"
  ) <"$command/input" >"$command/output" 2>&1 &
  child=$!
  set +m
}

# Waits for the command's end or its time limit. That `sleeper` ended says nothing: the script may have killed it.
watch() {
  local left sleeper=
  while :; do
    [ -z "$sleeper" ] || kill $sleeper 2>/dev/null
    now_ms
    left=$((limit_ms + began_ms - REPLY))
    if [ $left -le 0 ]; then
      kill -0 $child 2>/dev/null || break
      kill_processes "$id" "$keeper_start"
      wait $child
      timed_out=yes
      return
    fi
    printf -v left '%d.%03d' $((left / 1000)) $((left % 1000))
    sleep $left </dev/null >/dev/null 2>&1 9>&- &
    sleeper=$!
    wait -n $child $sleeper
    kill -0 $child 2>/dev/null || break
  done
  kill $sleeper 2>/dev/null
  wait $sleeper
  wait $child
  code=$?
}

# A fork bomb is ended whole, or nothing could ever run here again. It shows by how the processes that the command left
# behind go on growing in number.
end_bomb() {
  local before round
  for ((round = 0; round < 30; round++)); do
    has_room 16 || { kill_processes "$id" "$keeper_start"; return; }
    before=$present
    [ "$before" -gt "$present_at_first" ] || return
    pause 0.03
    read_processes
    [ "$present" -gt "$before" ] || return
  done
}

has_room 16 || make_room
read_processes
present_at_first=$present

if [ ! -e "$command" ] && claim; then
  timed_out=no code=137
  if [ ! -e "$state/cancelled/$id" ]; then
    begin
    watch
    end_bomb
  fi
  now_ms
  took_ms=$((REPLY - began_ms))
  if [ $timed_out = yes ]; then
    write_result timed-out - $took_ms
  elif [ $code = 137 ] && [ -e "$state/cancelled/$id" ]; then
    write_result cancelled - $took_ms
  else
    write_result exited $code $took_ms
  fi
  show_result ran "$head_bytes" "$tail_bytes"
  [ $outcome = exited ] && exit $code
  exit 0
fi

until read_record; do
  if ! keeper_lives; then
    read_record || settle
    break
  fi
  pause 0.05
done
show_result attached "$head_bytes" "$tail_bytes"
