"""Loaded into a Python agent before its own code.

Leads the connections of clients that read no proxy variable to Tapedeck's proxy: whatever is connected to another
machine over TCP is connected to the proxy, which is told the destination. Names are not looked up here: each gets an
address of its own, from a range that is reserved for tests of networks, by which it is found again.

Also tells the proxy of MCP servers that the agent starts with the SDK of MCP: what they do is not on the tape.
"""

import importlib.machinery
import importlib.util
import os
import sys


def _lead(proxy):
    import base64
    import socket
    import threading
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(proxy)
    secret = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    credentials = base64.b64encode(secret.encode()).decode()
    proxy_address = (parts.hostname, parts.port)
    # Databases, mail and the like: not HTTP.
    other_ports = {
        21, 22, 25, 53, 110, 143, 389, 465, 587, 636, 993, 995,
        1433, 1521, 3306, 5432, 5672, 6379, 9042, 9092, 27017,
    }  # fmt: skip
    lock = threading.Lock()
    addresses = {}
    names = {}
    look_up = socket.getaddrinfo
    connect_directly = socket.socket.connect
    connect_with_code = socket.socket.connect_ex

    def is_here(host):
        if host in (None, "", "localhost", "::1", "0.0.0.0", "::"):
            return True
        return host.startswith("127.") or host.endswith(".localhost") or host.startswith("::ffff:127.")

    def is_address(host):
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                socket.inet_pton(family, host.partition("%")[0])
                return True
            except OSError:
                pass
        return False

    def address_of(name):
        with lock:
            if name not in addresses:
                number = len(addresses) + 1
                address = f"198.{18 + (number >> 16 & 1)}.{number >> 8 & 255}.{number & 255}"
                addresses[name] = address
                names[address] = name
            return addresses[name]

    def port_number(port):
        if port is None:
            return 0
        try:
            return int(port)
        except ValueError:
            return socket.getservbyname(port)

    def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
        name = host.decode("idna") if isinstance(host, bytes) else host
        wants_stream = type in (0, socket.SOCK_STREAM)
        if not wants_stream or not isinstance(name, str) or is_here(name) or is_address(name) or family == socket.AF_INET6:
            return look_up(host, port, family, type, proto, flags)
        number = port_number(port)
        if number in other_ports:
            return look_up(host, port, family, type, proto, flags)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address_of(name), number))]

    def destination(sock, address):
        if sock.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple) or len(address) < 2:
            return None
        if sock.type & 0xF != socket.SOCK_STREAM:
            return None
        host, port = address[0], address[1]
        if isinstance(host, (bytes, bytearray)):
            host = bytes(host).decode("ascii")
        if is_here(host) or port in other_ports:
            return None
        return names.get(host, host), port

    def connect_through(sock, host, port):
        timeout = sock.gettimeout()
        name = f"[{host}]" if ":" in host else host
        target = proxy_address if sock.family == socket.AF_INET else (f"::ffff:{proxy_address[0]}", proxy_address[1])
        sock.settimeout(10)
        try:
            connect_directly(sock, target)
            sock.sendall(
                f"CONNECT {name}:{port} HTTP/1.1\r\nhost: {name}:{port}\r\nx-tapedeck-tunnel: silent\r\n"
                f"proxy-authorization: Basic {credentials}\r\n\r\n".encode("ascii")
            )
        finally:
            sock.settimeout(timeout)

    def connect(self, address):
        wanted = destination(self, address)
        return connect_directly(self, address) if wanted is None else connect_through(self, *wanted)

    def connect_ex(self, address):
        wanted = destination(self, address)
        if wanted is None:
            return connect_with_code(self, address)
        try:
            connect_through(self, *wanted)
            return 0
        except OSError as error:
            return error.errno or 1

    socket.getaddrinfo = getaddrinfo
    socket.socket.connect = connect
    socket.socket.connect_ex = connect_ex

    def tell_of_server(command):
        import json

        body = json.dumps({"command": command})
        request = (
            f"POST /{unquote(parts.password or '')}/@mcp-server HTTP/1.1\r\nhost: {parts.hostname}:{parts.port}\r\n"
            f"connection: close\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}"
        )
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
            sock.settimeout(2)
            connect_directly(sock, proxy_address)
            sock.sendall(request.encode("ascii"))

    def is_of_sdk(frame):
        while frame is not None:
            if frame.f_globals.get("__name__") == "mcp.client.stdio":
                return True
            frame = frame.f_back
        return False

    def on_event(event, args):
        if event != "subprocess.Popen" or not is_of_sdk(sys._getframe()):
            return
        try:
            command = [args[1]] if isinstance(args[1], str) else [os.fsdecode(word) for word in args[1]]
            # Those that stand in for a server are on the tape.
            if "mcp-tape" not in command:
                tell_of_server(command)
        except Exception:  # The agent does not fail where the proxy is gone.
            pass

    sys.addaudithook(on_event)


def _run_next():
    """Runs the sitecustomize that Python would have found without this one."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if found is None or found.loader is None:
        return
    module = importlib.util.module_from_spec(found)
    sys.modules["sitecustomize"] = module
    found.loader.exec_module(module)


if os.environ.get("TAPEDECK_FORWARD"):
    _lead(os.environ["TAPEDECK_FORWARD"])
_run_next()
