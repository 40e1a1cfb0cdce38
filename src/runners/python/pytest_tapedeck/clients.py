"""Leads the HTTP clients of this process to the lane of the test that runs, also those that were made before it."""

import sys
from copy import copy
from functools import wraps
from socket import create_connection
from urllib.parse import urlsplit

_lane = None
_led = set()


class Addresses:
    """Where a lane is. `upstreams`: the addresses of the user's environment, with those that take their place."""

    def __init__(self, base, lane, upstreams):
        self._own = base
        self._base = f"{base}/~{lane}"
        self._upstreams = upstreams

    def of(self, url):
        """Where a request for `url` goes instead; None for one that goes there already, or to this machine."""
        if url.startswith(self._own):
            return None
        for original, own in self._upstreams:
            if url == original or url.startswith((f"{original}/", f"{original}?")):
                return own + url[len(original) :]
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or _is_here(host):
            return None
        rest = url.split("://", 1)[1]
        authority = rest.split("/", 1)[0].split("?", 1)[0]
        return f"{self._base}/@/{parts.scheme}/{authority.rpartition('@')[2]}{rest[len(authority) :]}"


def lead(addresses):
    """Sends later requests here; with None, to where they would go anyway."""
    global _lane
    _lane = addresses
    if addresses is None:
        return
    for name, patch in _PATCHES.items():
        if name in sys.modules and name not in _led:
            _led.add(name)
            patch(sys.modules[name])


def _is_here(host):
    return host in ("", "localhost", "::1", "0.0.0.0") or host.startswith("127.") or host.endswith(".localhost")


def _address(url):
    return None if _lane is None else _lane.of(url)


def _lead_httpx(httpx):
    def led(request, is_async):
        url = _address(str(request.url))
        if url is None:
            return request
        headers = httpx.Headers(request.headers)
        headers["host"] = urlsplit(url).netloc
        # A client of the module outlives the event loop of a test, and its connections do not.
        if is_async:
            headers["connection"] = "close"
        return httpx.Request(
            request.method, url, headers=headers, stream=request.stream, extensions=dict(request.extensions)
        )

    def lead_method(owner, name, is_async):
        original = getattr(owner, name)

        @wraps(original)
        def handle(self, request):
            return original(self, led(request, is_async))

        @wraps(original)
        async def handle_async(self, request):
            return await original(self, led(request, is_async))

        setattr(owner, name, handle_async if is_async else handle)

    lead_method(httpx.HTTPTransport, "handle_request", is_async=False)
    lead_method(httpx.AsyncHTTPTransport, "handle_async_request", is_async=True)


def _lead_urllib3(urllib3):
    """requests and botocore send with it, too."""
    pool = urllib3.connectionpool.HTTPConnectionPool
    original = pool.urlopen
    # A client's own may have a proxy.
    pools = urllib3.PoolManager()

    @wraps(original)
    def urlopen(self, method, url, body=None, headers=None, *args, **options):
        led = _address(url if "://" in url else _origin(self.scheme, self.host, self.port) + url)
        if led is None:
            return original(self, method, url, body, headers, *args, **options)
        path = led.split("://", 1)[1].partition("/")[2]
        given = self.headers if headers is None else headers
        own = {name: value for name, value in given.items() if name.lower() != "host"}
        return original(pools.connection_from_url(led), method, f"/{path}", body, own, *args, **options)

    pool.urlopen = urlopen


def _origin(scheme, host, port):
    """The origin of a connection, as it is written in addresses."""
    name = f"[{host}]" if ":" in host else host
    is_usual = (scheme, port) in (("http", 80), ("https", 443), (scheme, None))
    return f"{scheme}://{name}" if is_usual else f"{scheme}://{name}:{port}"


def _lead_http_client(module):
    """urllib and urllib3 send with it, too: what they send was led before."""
    connection = module.HTTPConnection
    original = connection.putrequest

    @wraps(original)
    def putrequest(self, method, url, skip_host=False, skip_accept_encoding=False):
        scheme = "https" if isinstance(self, module.HTTPSConnection) else "http"
        host, port = (self._tunnel_host, self._tunnel_port) if self._tunnel_host else (self.host, self.port)
        led = _address(url if "://" in url else _origin(scheme, host, port) + url)
        if led is None:
            return original(self, method, url, skip_host, skip_accept_encoding)
        parts = urlsplit(led)
        place = (parts.hostname, parts.port)
        if self.sock is None or self.sock.getpeername()[:2] != place:
            self.close()
            self.sock = create_connection(place, self.timeout)
        path = led.removeprefix(f"{parts.scheme}://{parts.netloc}")
        original(self, method, path, True, skip_accept_encoding)
        if not skip_host:
            self.putheader("Host", parts.netloc)

    connection.putrequest = putrequest


def _lead_urllib(module):
    """Its opener is made once, with the proxies that the environment has then."""
    opener = module.OpenerDirector
    original = opener.open

    @wraps(original)
    def open_led(self, fullurl, data=None, *args, **options):
        request = module.Request(fullurl) if isinstance(fullurl, str) else fullurl
        url = _address(request.full_url)
        if url is None:
            return original(self, fullurl, data, *args, **options)
        own = copy(request)
        own.full_url = url
        response = original(self, own, data, *args, **options)
        response.url = request.full_url
        return response

    opener.open = open_led


def _lead_aiohttp(aiohttp):
    session = aiohttp.ClientSession
    original = session._request

    @wraps(original)
    async def request(self, method, str_or_url, **options):
        url = _address(str(self._build_url(str_or_url)))
        if url is None:
            return await original(self, method, str_or_url, **options)
        from yarl import URL

        options.pop("proxy", None)
        return await original(self, method, URL(url, encoded=True), **options)

    session._request = request


_PATCHES = {
    "httpx": _lead_httpx,
    "httpx2": _lead_httpx,
    "urllib3": _lead_urllib3,
    "urllib.request": _lead_urllib,
    "http.client": _lead_http_client,
    "aiohttp": _lead_aiohttp,
}
