"""Runs a program on a terminal of its own. Standard input: one JSON document a line, {"keys": text} or {"size": [lines, columns]}."""
import fcntl, json, os, pty, select, signal, struct, sys, termios

lines, columns = int(sys.argv[1]), int(sys.argv[2])


def resize(descriptor, lines, columns):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


child, terminal = pty.fork()
if child == 0:
    resize(0, lines, columns)
    os.execvp(sys.argv[3], sys.argv[3:])

resize(terminal, lines, columns)
waiting = b""
sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if terminal in ready:
        try:
            output = os.read(terminal, 65536)
        except OSError:
            break
        if not output:
            break
        os.write(1, output)
    if 0 in ready:
        read = os.read(0, 65536)
        if not read:
            os.kill(child, signal.SIGKILL)
            sources = [terminal]
        waiting += read
        *whole, waiting = waiting.split(b"\n")
        for line in whole:
            order = json.loads(line)
            if "size" in order:
                resize(terminal, *order["size"])
                os.kill(child, signal.SIGWINCH)
            else:
                os.write(terminal, order["keys"].encode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
