'use strict';
// Loaded into a Node agent before its own code. Leads the connections of clients that read no proxy variable to Tapedeck's
// proxy: whatever is connected to another machine, by HTTP or TLS, is connected to the proxy, which is told the destination.
// Also tells the proxy of MCP servers that the agent starts: what they do is not on the tape.
const net = require('node:net');
const tls = require('node:tls');
const http = require('node:http');
const { subscribe } = require('node:diagnostics_channel');
const { syncBuiltinESMExports } = require('node:module');

const { TAPEDECK_FORWARD } = process.env;
if (TAPEDECK_FORWARD) {
  const proxy = new URL(TAPEDECK_FORWARD);
  tellOfServers(proxy, net.connect);
  lead(proxy);
}

/** Databases, mail and the like: not HTTP. */
const OTHER_PORTS = new Set([
  21, 22, 25, 53, 110, 143, 389, 465, 587, 636, 993, 995, 1433, 1521, 3306, 5432, 5672, 6379, 9042, 9092, 27017,
]);

function lead(proxy) {
  const credentials = Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`);
  const connectDirectly = net.connect;
  const connectSecurely = tls.connect;

  /** A connection to the proxy, as if it were one to `host`: the proxy answers nothing to this CONNECT. */
  const connectThrough = (host, port, options) => {
    const { host: _, port: __, path: ___, lookup: ____, localAddress: _____, ...others } = options;
    const socket = connectDirectly({ ...others, host: proxy.hostname, port: Number(proxy.port) });
    const name = net.isIPv6(host) ? `[${host}]` : host;
    socket.write(
      `CONNECT ${name}:${port} HTTP/1.1\r\nhost: ${name}:${port}\r\nx-tapedeck-tunnel: silent\r\n` +
        `proxy-authorization: Basic ${credentials.toString('base64')}\r\n\r\n`,
    );
    return socket;
  };

  net.connect = net.createConnection = function connect(...args) {
    const { options, listener } = readArguments(args);
    if (!isElsewhere(options)) return connectDirectly.apply(this, args);
    const socket = connectThrough(options.host, options.port, options);
    if (listener) socket.once('connect', listener);
    return socket;
  };
  http.Agent.prototype.createConnection = function createConnection(...args) {
    return net.createConnection(...args);
  };
  tls.connect = function connect(...args) {
    const { options, listener } = readArguments(args);
    if (options.socket || !isElsewhere(options)) return connectSecurely.apply(this, args);
    const socket = connectThrough(options.host, options.port, { signal: options.signal, timeout: options.timeout });
    const servername = options.servername ?? (net.isIP(options.host) ? '' : options.host);
    return connectSecurely({ ...options, servername, socket }, listener);
  };
  syncBuiltinESMExports();
}

/** Tells of each program that is sent the handshake of MCP. Those that stand in for a server are on the tape. */
function tellOfServers(proxy, connect) {
  if (isStandIn(process.argv)) return;
  // A process that is about to start: most agents start none, and `node:child_process` takes a while to load.
  subscribe('child_process', ({ process: child }) => {
    const { spawn } = child;
    child.spawn = function spawnWatched(options) {
      const result = spawn.call(child, options);
      const [, ...args] = options?.args ?? [];
      if (child.stdin && child.stdout && !isStandIn(args))
        onFirstWrite(child.stdin, (text) => {
          if (isHandshake(text)) tell(proxy, connect, [options.file, ...args]);
        });
      return result;
    };
  });
}

function isStandIn(words) {
  return words.includes('mcp-tape');
}

function onFirstWrite(stream, told) {
  const { write } = stream;
  stream.write = function writeFirst(chunk, ...rest) {
    stream.write = write;
    told(String(chunk));
    return write.call(stream, chunk, ...rest);
  };
}

function isHandshake(text) {
  return text.startsWith('{') && text.includes('"jsonrpc"') && /"method"\s*:\s*"initialize"/.test(text);
}

function tell(proxy, connect, command) {
  const body = JSON.stringify({ command });
  const socket = connect(Number(proxy.port), proxy.hostname);
  // Neither is the agent kept waiting, nor does it fail, where the proxy is gone.
  socket.unref();
  socket.on('error', () => undefined);
  socket.end(
    `POST /${decodeURIComponent(proxy.password)}/@mcp-server HTTP/1.1\r\nhost: ${proxy.host}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** The arguments of `connect`: options, or port and host, or the path of a socket; then a listener. */
function readArguments(args) {
  const [first, second] = args;
  const listener = args.find((one) => typeof one === 'function');
  if (Array.isArray(first)) return readArguments(first);
  if (typeof first === 'object' && first !== null) return { options: first, listener };
  const host = typeof second === 'string' ? second : undefined;
  const more = args.find((one) => typeof one === 'object' && one !== null);
  return { options: { ...more, port: first, ...(host && { host }) }, listener };
}

function isElsewhere({ host, port, path }) {
  if (path !== undefined && path !== null && port === undefined) return false;
  if (!host || OTHER_PORTS.has(Number(port)) || !Number(port)) return false;
  return !/^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|::ffff:127\.[\d.]+)$|\.localhost$/i.test(host);
}
