// Leads the HTTP clients of this process to the lane of the test that asks, also those that were made before it.
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

/** @type {Lane | undefined} */
let only;

/** The lane of whatever runs. @type {AsyncLocalStorage<Lane>} */
const lanes = new AsyncLocalStorage();

/**
 * Where a lane is. `upstreams`: the addresses of the user's environment, with the names of their APIs.
 * @typedef {{ readonly name: string, readonly base: string, readonly upstreams: readonly (readonly [string, string])[] }} Lane
 */

/**
 * Runs `work`, with all that it asks led to the lane.
 * @template T
 * @param {Lane} lane
 * @param {() => T} work
 */
export function inLane(lane, work) {
  leadUndici();
  return lanes.run(lane, work);
}

/** Leads all that runs from now on, where there is no function to run: only one test may run at a time. @param {Lane | undefined} lane */
export function enterLane(lane) {
  leadUndici();
  only = lane;
}

/**
 * Where a request goes instead; undefined for one that goes on.
 * @param {URL} url
 */
function ledTo(url) {
  const lane = lanes.getStore() ?? only;
  if (lane === undefined) return undefined;
  const { href } = url;
  const own = `${lane.base}/~${encodeURIComponent(lane.name)}`;
  // A client that was made in another test, or where tests run at the same time.
  if (href.startsWith(`${lane.base}/`))
    return new URL(`${own}/${href.slice(lane.base.length + 1).replace(/^~[^/?#]+\//, '')}`);
  const [original, api] = lane.upstreams.find(([base]) => href === base || /^[/?]/.test(restOf(href, base))) ?? [];
  if (original !== undefined) return new URL(`${own}/${api}${restOf(href, original)}`);
  if (!/^https?:$/.test(url.protocol) || isHere(url.hostname)) return undefined;
  return new URL(`${own}/@/${url.protocol.slice(0, -1)}/${url.host}${url.pathname}${url.search}`);
}

function restOf(href, base) {
  return href.startsWith(base) ? href.slice(base.length) : '';
}

function isHere(host) {
  return /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$|\.localhost$/i.test(host);
}

/** Once for each process, before a test makes its clients. */
export function leadClients() {
  if (globalThis[LED]) return;
  globalThis[LED] = true;
  leadFetch();
  leadRequests();
}

const LED = Symbol.for('tapedeck.led');

function leadFetch() {
  const original = globalThis.fetch;
  globalThis.fetch = function fetch(input, init) {
    const isRequest = input instanceof Request;
    const address = isRequest ? input.url : String(input);
    const led = URL.canParse(address) ? ledTo(new URL(address)) : undefined;
    if (led === undefined) return original(input, init);
    return original(isRequest ? new Request(led, input) : led, init);
  };
}

/** What clients of npm's undici send by, unless a test has put something else there, such as a mock. It comes with the first of them. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

function leadUndici() {
  const agent = globalThis[DISPATCHER];
  if (agent?.constructor.name !== 'Agent' || agent[LED]) return;
  const { dispatch } = agent;
  agent[LED] = true;
  agent.dispatch = function dispatchLed(options, handler) {
    const { origin, path } = options;
    const led = URL.canParse(path, origin) ? ledTo(new URL(path, origin)) : undefined;
    const own = led && { ...options, origin: led.origin, path: `${led.pathname}${led.search}` };
    return dispatch.call(agent, own ?? options, handler);
  };
}

function leadRequests() {
  const plain = http.request;
  for (const [module, protocol] of [
    [http, 'http:'],
    [https, 'https:'],
  ]) {
    const original = module.request;
    module.request = function request(...args) {
      const { url, options, listener } = readArguments(args, protocol);
      const led = url && ledTo(url);
      if (!led) return original.apply(this, args);
      const { agent, host, hostname, port, path, protocol: _, defaultPort, headers, ...others } = options;
      const own = { ...others, headers: withoutHost(headers), agent: http.globalAgent };
      return plain.call(http, led, own, listener);
    };
    module.get = function get(...args) {
      const asked = module.request(...args);
      asked.end();
      return asked;
    };
  }
  syncBuiltinESMExports();
}

/** The arguments of `request`: an address, options, or both; then a listener. */
function readArguments(args, protocol) {
  const listener = args.find((one) => typeof one === 'function');
  const [first, second] = args;
  const isAddress = typeof first === 'string' || first instanceof URL;
  const options = { ...(isAddress ? (typeof second === 'object' ? second : {}) : first) };
  if (options.socketPath) return { options, listener };
  const base = isAddress && URL.canParse(String(first)) ? new URL(String(first)) : undefined;
  const scheme = options.protocol ?? base?.protocol ?? protocol;
  const host = options.hostname ?? options.host ?? base?.hostname ?? 'localhost';
  const port = options.port ?? base?.port ?? '';
  const address = `${scheme}//${host}${port ? `:${port}` : ''}${options.path ?? `${base?.pathname ?? '/'}${base?.search ?? ''}`}`;
  return { url: URL.canParse(address) ? new URL(address) : undefined, options, listener };
}

function withoutHost(headers) {
  if (headers === undefined || Array.isArray(headers)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host'));
}
