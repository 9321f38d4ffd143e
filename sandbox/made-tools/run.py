# Runs a made tool, or its tests, as a process of its own, and reports what came of it. Reads the request as JSON from stdin, prints one
# line of JSON: {"outcome", "value", "error", "output", "outputBytes", "exitCode"}.
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time

request = json.load(sys.stdin)
name = request["name"]
python = request["language"] == "python"
folder = tempfile.mkdtemp()

MAX_VALUE = 1_000_000
MAX_REPORT = 30_000

PYTHON_CALL = f"""
import json, os, sys, traceback
answer = os.fdopen(int(os.environ.pop("LONGHAUL_ANSWER")), "w")
try:
    sys.path.insert(0, os.getcwd())
    from tool import {name}
    with open("arguments.json") as file:
        arguments = json.load(file)
    told = {{"value": {name}(**arguments)}}
    text = json.dumps(told, ensure_ascii=False, allow_nan=False)
except BaseException as error:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith("/tool.py")]
    where = f" (line {{frames[-1].lineno}})" if frames else ""
    text = json.dumps({{"error": f"{{type(error).__name__}}: {{error}}{{where}}"[:3000]}})
answer.write(text.encode("utf-8", "replace").decode())
answer.close()
sys.stdout.flush()
os._exit(0)
"""

# A test may compare what cannot be passed on, such as bytes, and pass: every call would then fail.
PYTHON_TESTED = f"""
import functools, json
import tool
made, depth = tool.{name}, 0
@functools.wraps(made)
def tested(*args, **kwargs):
    global depth
    depth += 1
    try:
        value = made(*args, **kwargs)
    finally:
        depth -= 1
    if depth == 0:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{name} has to return a JSON value, but returned {{type(value).__name__}}: {{error}}") from None
    return value
tool.{name} = tested
"""

JAVASCRIPT_CALL = f"""
import {{ readFileSync, writeFileSync }} from 'node:fs';
const answer = Number(process.env.LONGHAUL_ANSWER);
let text;
try {{
  const {{ {name}: made }} = await import('./tool.mjs');
  const value = await made(JSON.parse(readFileSync('arguments.json', 'utf8')));
  text = JSON.stringify({{ value: value === undefined ? null : value }});
  if (text === '{{}}') throw new TypeError('the result is no JSON value');
}} catch (error) {{
  const line = /tool\\.mjs:(\\d+)/.exec(error?.stack ?? '')?.[1];
  const told = error instanceof Error ? `${{error.name}}: ${{error.message}}` : String(error);
  text = JSON.stringify({{ error: (line ? `${{told}} (line ${{line}})` : told).slice(0, 3000) }});
}}
writeFileSync(answer, text);
process.exit(0);
"""


def write(file, text):
    with open(os.path.join(folder, file), "w") as target:
        target.write(text)


def choose_command():
    if "tests" in request:
        write("tests.py" if python else "tests.mjs", request["tests"])
        if python:
            write("conftest.py", PYTHON_TESTED)
            return ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "--no-header", "tests.py"]
        return ["node", "--test", "--test-reporter=spec", "tests.mjs"]
    write("arguments.json", json.dumps(request["arguments"]))
    if python:
        return ["python3", "-I", "-c", PYTHON_CALL]
    write("call.mjs", JAVASCRIPT_CALL)
    return ["node", "call.mjs"]


def first_to_go():
    # Where memory runs out, the tool goes before what reports of it.
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


class Kept:
    """The beginning and the end of what a process printed."""

    def __init__(self, most):
        self.most, self.head, self.tail, self.total = most // 2, b"", b"", 0

    def add(self, data):
        self.total += len(data)
        room = self.most - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:])[-self.most :] if room < len(data) else self.tail

    def text(self):
        left = self.total - len(self.head) - len(self.tail)
        between = f"\n[... {left} bytes left out ...]\n".encode() if left else b""
        return (self.head + between + self.tail).decode("utf-8", "replace")


def run(command):
    own, theirs = os.pipe()
    write("tool.py" if python else "tool.mjs", request["code"])
    child = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # What the check of the text cannot see, as a key that is put together at run time, evaluates nothing either.
        env={**os.environ, "LONGHAUL_ANSWER": str(theirs), "NODE_OPTIONS": "--disallow-code-generation-from-strings"},
        pass_fds=(theirs,),
        preexec_fn=first_to_go,
        start_new_session=True,
    )
    os.close(theirs)
    printed, answer = Kept(request["outputBytes"]), Kept(2 * MAX_VALUE)
    selector = selectors.DefaultSelector()
    selector.register(child.stdout.fileno(), selectors.EVENT_READ, printed)
    selector.register(own, selectors.EVENT_READ, answer)
    deadline = time.monotonic() + request["seconds"]
    outcome = "ended"
    while True:
        ended = child.poll() is not None
        ready = selector.select(0 if ended else 0.05) if selector.get_map() else []
        for key, _ in ready:
            data = os.read(key.fd, 65536)
            if data:
                key.data.add(data)
            else:
                selector.unregister(key.fd)
        # What the tool left running may hold the pipes open; nobody waits for it.
        if ended and not ready:
            break
        if not selector.get_map() and not ended:
            time.sleep(0.01)
        if time.monotonic() > deadline:
            outcome = "timed-out"
            break
        if answer.total > MAX_VALUE:
            outcome = "too-large"
            break
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    code = child.wait()
    return outcome, code, printed, answer


def cut(text, most):
    if text is None or len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def report():
    outcome, code, printed, answer = run(choose_command())
    told = {"outcome": outcome, "exitCode": code, "outputBytes": printed.total}
    value = error = None
    if outcome == "ended" and "tests" not in request:
        try:
            said = json.loads(answer.head)
            error = said.get("error")
            if error is None:
                value = said["value"]
                value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            told["outcome"] = "returned" if error is None else "failed"
        except (ValueError, KeyError, AttributeError):
            pass
    output = printed.text()
    for share in (1, 2, 4, 8, 16):
        parts = {"value": cut(value, 16_000 // share), "error": error, "output": cut(output, request["outputBytes"] // share)}
        line = json.dumps({**told, **{key: part for key, part in parts.items() if part is not None}}, ensure_ascii=False)
        line = line.encode("utf-8", "replace")
        if len(line) <= MAX_REPORT:
            break
    sys.stdout.buffer.write(line + b"\n")


report()
