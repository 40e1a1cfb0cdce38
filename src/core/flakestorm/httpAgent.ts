import { isRecord, type Json } from '../json/json';
import type { JsonObjectNode } from '../json/jsonNode';
import { jsonValue, member } from '../json/readJson';

/** An agent that is called over HTTP (`HTTPAgentAdapter`, `core/protocol.py`). */
export interface HttpAgent {
  readonly endpoint: string;
  readonly method: string;
  /** With `{prompt}`, and `{field}` for the fields of a structured input. */
  readonly requestTemplate?: string;
  readonly responsePath?: string;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly parseStructuredInput: boolean;
  readonly timeoutMs: number;
  /** Called before each cell of the matrix. */
  readonly resetEndpoint?: string;
}

export function readHttpAgent(node: JsonObjectNode, endpoint: string): HttpAgent {
  const value = (key: string): Json | undefined => {
    const found = member(node, key);
    return found === undefined ? undefined : jsonValue(found);
  };
  const text = (key: string): string | undefined => {
    const found = value(key);
    return typeof found === 'string' ? found : undefined;
  };
  const timeout = value('timeout');
  const [template, path, reset] = [text('request_template'), text('response_path'), text('reset_endpoint')];
  return {
    endpoint,
    method: (text('method') ?? 'POST').toUpperCase(),
    requestTemplate: template,
    responsePath: path,
    queryParams: texts(value('query_params')),
    headers: texts(value('headers')),
    parseStructuredInput: value('parse_structured_input') !== false,
    timeoutMs: typeof timeout === 'number' ? timeout : 30_000,
    resetEndpoint: reset,
  };
}

function texts(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item)]));
}

interface HttpAgentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request to an agent. `values` are those of `${NAME}` in URLs, parameters and headers. */
export function httpAgentRequest(
  agent: HttpAgent,
  prompt: string,
  values: ReadonlyMap<string, string>,
): HttpAgentRequest {
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
  const headers = Object.fromEntries(Object.entries(agent.headers).map(([name, value]) => [name, fill(value)]));
  const url = new URL(fill(agent.endpoint));
  for (const [name, value] of Object.entries(agent.queryParams)) url.searchParams.set(name, fill(value));
  const data = rendered(agent, prompt);
  if (agent.method === 'GET' || agent.method === 'DELETE') {
    for (const [name, value] of Object.entries(isRecord(data) ? data : { q: data }))
      url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    return { url: url.href, method: agent.method, headers };
  }
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  const type = typeof data === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return { url: url.href, method: agent.method, headers: { 'content-type': type, ...headers }, body };
}

/** The template with the prompt inserted: as JSON if it parses, otherwise as text. */
function rendered(agent: HttpAgent, prompt: string): Json {
  if (agent.requestTemplate === undefined) return { input: prompt };
  const fields = agent.parseStructuredInput ? structuredFields(prompt) : {};
  const fill = (quote: (text: string) => string): string =>
    (agent.requestTemplate ?? '').replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = name === 'prompt' ? prompt : Object.hasOwn(fields, name) ? fields[name] : undefined;
      return value === undefined ? whole : quote(value);
    });
  // Flakestorm pastes the prompt in as it is, so that one with a quote in it makes no JSON; here it is escaped first.
  return parsed(fill((text) => JSON.stringify(text).slice(1, -1))) ?? fill((text) => text);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses `Key: value`, `Key=value` or `Key - value`, one per line. */
function structuredFields(prompt: string): Record<string, string> {
  const fields = prompt.split('\n').flatMap((line) => {
    const [, key = '', value = ''] = /^\s*([^:=]*?)\s*(?:[:=]|\s-\s)\s*(.*?)\s*$/.exec(line) ?? [];
    const name = key.toLowerCase().replace(/[^a-z0-9]/g, '');
    return name === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

const COMMON = 'output response result data content text message answer reply queries query results'.split(' ');

/** The agent's output: the value at `response_path`, or, as in Flakestorm, the most likely part of its JSON. */
export function agentResponse(body: string, responsePath: string | undefined): string {
  const data = parsed(body);
  if (data === undefined || typeof data === 'string') return data ?? body;
  return (responsePath === undefined ? undefined : partAt(data, responsePath)) ?? likeliest(data);
}

/** The value at `response_path` in the agent's JSON; undefined if there is none. */
export function responseAt(body: string, responsePath: string): string | undefined {
  return partAt(parsed(body), responsePath);
}

function partAt(data: Json | undefined, responsePath: string): string | undefined {
  const keys = responsePath.replace(/^[$.]+/, '').split('.');
  const found = keys.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, data);
  return found === undefined || found === null ? undefined : asText(found);
}

const MAX_PATHS = 10;
const MAX_DEPTH = 5;

/** The possible values of `response_path` for a response, in words. */
export function describeResponsePaths(body: string): string {
  const data = parsed(body);
  if (data === undefined || data === null || typeof data !== 'object') return 'the response is text, not JSON';
  const places = pathsIn(data, []);
  const more = places.length > MAX_PATHS ? ', …' : '';
  return `the response has ${places.slice(0, MAX_PATHS).join(', ') || 'no fields'}${more}`;
}

function pathsIn(value: Json, path: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || path.length === MAX_DEPTH) return [path.join('.')];
  return Object.entries(value ?? {}).flatMap(([key, member]) => pathsIn(member, [...path, key]));
}

function likeliest(data: Json): string {
  if (Array.isArray(data)) return data.length === 1 ? asText(data[0] ?? '') : JSON.stringify(data);
  if (!isRecord(data)) return data === null ? '' : String(data);
  const names = Object.keys(data);
  const key =
    COMMON.find((name) => data[name] !== undefined && data[name] !== null) ??
    COMMON.map((name) => names.find((own) => own.toLowerCase() === name)).find((name) => name !== undefined) ??
    (names.length === 1 ? names[0] : undefined);
  const value = key === undefined ? undefined : data[key];
  return value === undefined || value === null ? JSON.stringify(data) : asText(value);
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
