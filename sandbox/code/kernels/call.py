# Hands one call to the interpreter of its language, starting that where none lives, and prints what came of it: a line of JSON with the
# lengths of the parts in UTF-16 units, then result, error and output. On standard input: {"language", "code", "name", "milliseconds",
# "kernel"}; without code, what is under way is ended.
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

HEAD, TAIL = 6 * 1024, 12 * 1024
# Bytes of the parts: with the line before them less than what the sandbox shows of a command's output.
MOST = {"result": 4_000, "error": 7_000, "output": HEAD + TAIL + 100}
PATIENCE = 5  # seconds in which an interpreter ends what it was told to end; a busy machine may keep it from its turn for two
STATE = "/home/agent/.longhaul"

request = json.load(sys.stdin)
language = request["language"]
mark = f"kernel-{language}"
path = f"/tmp/longhaul-{mark}.sock"
deadline = time.monotonic() + request.get("milliseconds", 0) / 1000


class Output:
    """The beginning and the end of what was printed."""

    def __init__(self):
        self.head, self.tail, self.total = b"", b"", 0

    def add(self, data):
        self.total += len(data)
        room = HEAD - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[max(0, room):])[-TAIL:]

    def text(self):
        left_out = self.total - len(self.head) - len(self.tail)
        middle = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out else b""
        return (self.head + middle + self.tail).decode("utf-8", "replace")


def frame(message):
    data = json.dumps(message).encode()
    return struct.pack(">I", len(data)) + data


def own_processes():
    """Of the interpreter, and all that its code started."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if f"LONGHAUL_COMMAND={mark}".encode() in file.read().split(b"\0"):
                    yield int(name)
        except OSError:
            pass  # it ended meanwhile, or is another user's


def end_all():
    for _ in range(100):
        found = list(own_processes())
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.02)


def interrupt():
    try:
        with open(f"{path}.pid") as file:
            pid = int(file.read())
    except (OSError, ValueError):
        return
    if pid in own_processes():
        os.kill(pid, signal.SIGINT)


def connect():
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
        return connection
    except OSError:
        connection.close()
        return None


def start():
    """A new interpreter; says whether there was one before."""
    end_all()
    if os.path.exists(path):
        os.unlink(path)
    program = {"python": [sys.executable, "-I", "-c"], "javascript": ["node", "-e"]}[language]
    log = open(f"{path}.log", "w+")
    kernel = subprocess.Popen(
        [*program, request["kernel"], path],
        env={**os.environ, "LONGHAUL_COMMAND": mark, "MPLBACKEND": "Agg", "CALL": ""},
        cwd="/workspace",
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        with open(f"/proc/{kernel.pid}/oom_score_adj", "w") as file:
            file.write("600")  # where memory runs out, it goes first
    except OSError:
        pass
    with open(f"{path}.pid", "w") as file:
        file.write(str(kernel.pid))
    until = time.monotonic() + 20
    while time.monotonic() < until and kernel.poll() is None:
        connection = connect()
        if connection:
            trace = f"{STATE}/{mark}"
            again = os.path.exists(trace)
            open(trace, "w").close()
            return connection, "again" if again else "first"
        time.sleep(0.02)
    log.seek(0)
    end_all()
    sys.exit(f"The interpreter could not be started. {log.read()[-2000:]}")


def pictures(since):
    found, looked = [], 0
    for folder, folders, files in os.walk("/workspace"):
        folders[:] = [name for name in folders if name == ".figures" or not name.startswith(".") and name != "node_modules"]
        looked += len(files)
        if looked > 20_000:
            break
        for name in files:
            file = os.path.join(folder, name)
            try:
                facts = os.lstat(file)
            except OSError:
                continue
            if len(json.dumps(file)) < 250 and name.lower().endswith(".png") and os.path.isfile(file) and facts.st_mtime >= since:
                found.append({"path": os.path.relpath(file, "/workspace"), "size": facts.st_size})
    return sorted(found, key=lambda one: one["path"])


def killed_for_memory():
    """How many processes of this sandbox were killed because its memory ran out."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path) as file:
                return sum(int(line.split()[1]) for line in file if line.startswith("oom_kill "))
        except (OSError, ValueError, IndexError):
            continue
    return 0


def clip(text, most):
    """As many bytes of a text, from its beginning and its end."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8")
    half = most // 2 - 40
    left_out = f"\n[... {len(data) - 2 * half} bytes left out ...]\n"
    return data[:half].decode("utf-8", "ignore") + left_out + data[-half:].decode("utf-8", "ignore")


def units(text):
    return len(text.encode("utf-16-le")) // 2


class Call:
    """One call under way: takes frames and output until it is done, its time is up or the interpreter has died."""

    def __init__(self, connection):
        self.connection, self.pipe = connection, None
        self.output, self.received, self.begun, self.done, self.died = Output(), b"", False, None, False

    def listen(self, until):
        while self.done is None and not self.died:
            left = until - time.monotonic()
            if left <= 0:
                return
            sources = [self.connection] + ([] if self.pipe is None else [self.pipe])
            ready, _, _ = select.select(sources, [], [], left)
            if self.pipe in ready:
                self.output.add(os.read(self.pipe, 65536))
            if self.connection in ready:
                self.take()

    def take(self):
        try:
            data, descriptors, _, _ = socket.recv_fds(self.connection, 65536, 1)
        except OSError:
            data, descriptors = b"", []
        if descriptors:
            self.pipe = descriptors[0]
            os.set_blocking(self.pipe, False)
        self.died = not data
        self.received += data
        while len(self.received) >= 4:
            size = struct.unpack(">I", self.received[:4])[0]
            if len(self.received) < 4 + size:
                return
            message = json.loads(self.received[4 : 4 + size])
            self.received = self.received[4 + size :]
            self.begun = True
            for key in ("before", "out"):
                self.output.add(message.get(key, "").encode("utf-8", "surrogatepass"))
            if message.get("done"):
                self.done = message

    def drain(self):
        """What was printed before the end and is still on its way."""
        try:
            while self.pipe is not None:
                data = os.read(self.pipe, 65536)
                if not data:
                    return
                self.output.add(data)
                if self.output.total > 64 * 1024 * 1024:
                    return  # something that was started goes on printing
        except OSError:
            return


def hand_over(connection):
    call = Call(connection)
    message = {key: request[key] for key in ("code", "name", "milliseconds")}
    try:
        connection.sendall(frame(message))
    except OSError:
        call.died = True
    return call


if "code" not in request:
    interrupt()
    connection = connect()
    if connection:
        request.update(code="", name="stop", milliseconds=1000)
        probe = hand_over(connection)
        probe.listen(time.monotonic() + PATIENCE)
        if probe.done is None:
            end_all()
    sys.exit(0)

began = time.time() - 0.02  # file systems are behind the clock by a tick
killed_before = killed_for_memory()
connection, started = connect(), None
if connection is None:
    connection, started = start()
call = hand_over(connection)
call.listen(min(deadline, time.monotonic() + PATIENCE))
if not call.begun:
    # What an earlier call left at work goes, or the interpreter with it.
    interrupt()
    call.listen(time.monotonic() + PATIENCE)
    if not call.begun:
        connection, started = start()
        call = hand_over(connection)
ended = "done"
call.listen(deadline)
if call.done is None and not call.died:
    ended = "timed-out"
    if language == "python":
        interrupt()
    call.listen(time.monotonic() + PATIENCE)
elif call.done and call.done.get("late"):
    ended = "timed-out"
lost = call.done is None
if lost:
    ended = "died" if call.died and ended == "done" else ended
call.drain()
call.connection.close()
if lost:
    end_all()
done = call.done or {}
result, error = (clip(done.get(part) or "", MOST[part]) for part in ("result", "error"))
output = clip(call.output.text(), MOST["output"])
images = pictures(began)
facts = {
    "ended": ended,
    "started": started,
    "lost": lost,
    "outOfMemory": lost and killed_for_memory() > killed_before,
    "lengths": [units(result), units(error), units(output)],
    "images": images[:8],
    "moreImages": max(0, len(images) - 8),
}
sys.stdout.buffer.write(f"longhaul-code {json.dumps(facts)}\n{result}{error}{output}".encode())
