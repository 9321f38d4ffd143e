# The interpreter that keeps the state of Python code between calls. Arguments: the path of its socket.
#
# Frames on the socket are a length of four bytes and JSON. It takes {"code", "name"} and answers {"before"} together with the read
# end of the pipe that everything it prints goes to, and at the end {"done": true, "result", "error"}.
import ast
import json
import linecache
import os
import selectors
import signal
import site
import socket
import struct
import sys
import traceback
import types

MAX_RESULT = 3_900
MAX_ERROR = 6_000
MAX_BEFORE = 4_000


def clip(text, most):
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def describe(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def keep_figures(name):
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        os.makedirs("/workspace/.figures", exist_ok=True)
        pyplot.figure(number).savefig(f"/workspace/.figures/{name}-{number}.png")
    pyplot.close("all")


def evaluate(code, name, space):
    """The last expression's repr, or the traceback of what went wrong."""
    file = f"<{name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    result = None
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tree = ast.parse(code, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), file, "eval"), space)
            if value is not None:
                space["_"] = value
                result = clip(repr(value), MAX_RESULT)
        keep_figures(name)
        return result, None
    except BaseException as error:  # an exit too: the interpreter stays
        return result, clip(describe(error), MAX_ERROR)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def receive(connection):
    def exactly(count):
        data = b""
        while len(data) < count:
            piece = connection.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    return json.loads(exactly(struct.unpack(">I", exactly(4))[0]))


def frame(message):
    data = json.dumps(message).encode()
    return struct.pack(">I", len(data)) + data


def main(path):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reader, writer = os.pipe()
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)
    # Started without what is around it, so that no file of the workspace takes the place of a module above; the code may have it.
    sys.path.insert(0, "/workspace")
    site.addsitedir(site.getusersitepackages())
    main_module = types.ModuleType("__main__")
    sys.modules["__main__"] = main_module
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(8)
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ)
    waiting.register(reader, selectors.EVENT_READ)
    before = b""
    while True:
        ready = [key.fileobj for key, _ in waiting.select()]
        if reader in ready:  # what earlier code started goes on printing
            before = (before + os.read(reader, 65536))[-MAX_BEFORE:]
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        try:
            request = receive(connection)
            socket.send_fds(connection, [frame({"before": before.decode("utf-8", "replace")})], [reader])
            before = b""
            result, error = evaluate(request["code"], request["name"], main_module.__dict__)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            connection.sendall(frame({"done": True, "result": result, "error": error}))
            connection.settimeout(5)
            connection.recv(1)  # who asked closes it when all output is read
        except (EOFError, OSError):
            pass  # who asked is gone
        finally:
            connection.close()


main(sys.argv[1])
