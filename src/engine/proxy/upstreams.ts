import { UserError } from '../errors/userError';
import { MODEL_APIS, type ModelApi } from './apis';

/** An API with the address of its server; without one it can only be replayed. */
export interface Upstream extends ModelApi {
  readonly address: URL | undefined;
}

export type Upstreams = ReadonlyMap<string, Upstream>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The servers behind the proxy: `chosen` by name, else from the environment, else at the public address. A name that is
 * not a known API is plain HTTP, under a base URL of its own. Throws a `UserError` for an invalid address.
 */
export function resolveUpstreams(chosen: Readonly<Record<string, string>>, environment: Environment): Upstreams {
  const known = MODEL_APIS.map((api) =>
    withAddress(api, chosen[api.name] ?? fromEnvironment(api, environment) ?? api.url),
  );
  const others = Object.keys(chosen).filter((name) => !MODEL_APIS.some((api) => api.name === name));
  return new Map(
    [...known, ...others.map((name) => withAddress(otherApi(name), chosen[name]))].map((up) => [up.name, up]),
  );
}

function fromEnvironment({ baseUrlVariables }: ModelApi, environment: Environment): string | undefined {
  return baseUrlVariables.map((name) => environment[name]?.trim()).find((value) => value);
}

function otherApi(name: string): ModelApi {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) {
    throw new UserError(`\`${name}\` is not a valid upstream name`, 'Use lower-case letters, digits and hyphens.');
  }
  return {
    name,
    baseUrlVariables: [`${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`],
    keyVariables: [],
    errors: 'openai',
  };
}

function withAddress(api: ModelApi, written: string | undefined): Upstream {
  if (written === undefined) return { ...api, address: undefined };
  // Ollama's variable may be only a host and a port.
  const text = /^https?:\/\//i.test(written) ? written : `http://${written}`;
  const base = text.replace(/\/+$/, '');
  const { optionalPrefix = '' } = api;
  const whole = optionalPrefix !== '' && base.endsWith(optionalPrefix) ? base.slice(0, -optionalPrefix.length) : base;
  if (URL.canParse(whole)) return { ...api, address: new URL(whole) };
  throw new UserError(
    `the upstream of ${api.name} is not an http(s) address: ${written}`,
    `Write it as ${api.name}=https://…`,
  );
}

/** The variables that lead an agent's SDKs to the proxy at `base`. */
export function agentVariables(upstreams: Upstreams, base: string): Record<string, string> {
  const pairs = [...upstreams.values()].flatMap(({ name, baseUrlVariables }) =>
    baseUrlVariables.map((variable) => [variable, `${base}/${name}`] as const),
  );
  return Object.fromEntries(pairs);
}

/** Stand-ins for missing keys: a replay needs none, but SDKs refuse to start without one. */
export function standInKeys(upstreams: Upstreams, environment: Environment): Record<string, string> {
  const missing = [...upstreams.values()].flatMap(({ keyVariables }) =>
    keyVariables.some((name) => environment[name]) ? [] : keyVariables,
  );
  return Object.fromEntries(missing.map((name) => [name, 'tapedeck-replay']));
}
