import { message, t } from '../../../core/text/l10n';
import { openaiChat } from '../../../core/wire/openaiChat/index';
import { UserError } from '../../errors/userError';
import { parseHttpUrl } from '../../network/hosts';
import { MODEL_KEYS, STAND_IN_KEY } from '../../network/knownKeys';
import { MODEL_APIS, type ModelApi } from './apis';

/** An API with the address of its server; without one it can only be replayed. */
export interface Upstream extends ModelApi {
  readonly address: URL | undefined;
  /** Where the address stands, for the user. */
  readonly setBy: string;
  /** A file of the project names the address, not the user. */
  readonly isOfProject: boolean;
  /** Requests that an agent makes to the API's own address, or to this host, go to `address` as well. */
  readonly isRedirect: boolean;
  /** No API but one host, which is called by its own address: one that is no API's, or an API's that is to be reached elsewhere. */
  readonly isHost?: true;
  /** An address that is not used, because a stronger one is there. */
  readonly overruled?: string;
}

export type Upstreams = ReadonlyMap<string, Upstream>;

/** Addresses by the name of their API, by who names them. */
export interface UpstreamChoices {
  readonly commandLine?: Readonly<Record<string, string>>;
  readonly case?: Readonly<Record<string, string>>;
  /** Of `tapedeck.toml`: weaker than the user's own environment. */
  readonly project?: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Who names the address of an upstream, the strongest first. */
const SOURCES = ['command line', 'case', 'environment', 'project', 'public'] as const;
type Source = (typeof SOURCES)[number];

interface Written {
  readonly text: string;
  readonly setBy: string;
  readonly source: Source;
}

/**
 * The servers behind the proxy: those of the command line, else of the case, of the environment, of the project, or the public
 * ones. A name that is not a known API is plain HTTP, under a base URL of its own, or that of a host. Throws a `UserError` for an
 * invalid address.
 */
export function resolveUpstreams(choices: UpstreamChoices, environment: Environment): Upstreams {
  const named = [choices.commandLine, choices.case, choices.project].flatMap((some) => Object.keys(some ?? {}));
  const others = [...new Set(named)].filter((name) => !MODEL_APIS.some((api) => api.name === name));
  const found = [...MODEL_APIS, ...others.map(otherApi)].map((api) =>
    upstreamOf(api, writtenAddresses(api, choices, environment)),
  );
  const used = found.filter((one) => !found.some((api) => outranks(api, one)));
  return new Map(used.map((one) => [one.name, withOverruled(one, found)]));
}

function withOverruled({ source, ...upstream }: SourcedUpstream, found: readonly SourcedUpstream[]): Upstream {
  const host = found.find((one) => outranks({ source, ...upstream }, one));
  if (host?.address === undefined) return upstream;
  return { overruled: t('{0} of {1}', host.address.href, host.setBy), ...upstream };
}

/** All addresses of an API, the strongest first. */
function writtenAddresses(api: ModelApi, choices: UpstreamChoices, environment: Environment): readonly Written[] {
  const { name, url } = api;
  const written = (source: Source, setBy: string, text: string | undefined): readonly Written[] =>
    text === undefined ? [] : [{ text, setBy, source }];
  return [
    ...written('command line', '--upstream', ownMember(choices.commandLine, name)),
    ...written('case', t('the case'), ownMember(choices.case, name)),
    ...(MODEL_APIS.includes(api) ? fromEnvironment(api, environment) : []),
    ...written('project', 'tapedeck.toml', ownMember(choices.project, name)),
    ...written('public', PUBLIC, url),
  ];
}

type SourcedUpstream = Upstream & { readonly source: Source | undefined };

function upstreamOf(api: ModelApi, written: readonly Written[]): SourcedUpstream {
  const [first] = written;
  const overruled = written.find((one) => isOfProject(one.source) && one.text !== first?.text);
  return {
    ...api,
    address: first && parseAddress(api, first.text),
    source: first?.source,
    setBy: first?.setBy ?? 'nowhere',
    isOfProject: isOfProject(first?.source),
    isRedirect: first?.source === 'command line' || isOfProject(first?.source),
    ...(isHostName(api.name) && { isHost: true as const }),
    ...(overruled && overruled !== first && { overruled: t('{0} of {1}', overruled.text, overruled.setBy) }),
  };
}

function isOfProject(source: Source | undefined): boolean {
  return source === 'case' || source === 'project';
}

/** Whether all of an API is led elsewhere by somebody stronger than who leads one of its hosts. */
function outranks(api: SourcedUpstream, host: SourcedUpstream): boolean {
  if (host.isHost !== true || host.source === undefined || api.source === undefined) return false;
  const isLed = api.isHost !== true && api.isRedirect && isHostOf(api, new URL(`https://${host.name}`));
  return isLed && SOURCES.indexOf(api.source) < SOURCES.indexOf(host.source);
}

const PUBLIC = message('its public address');

function ownMember(record: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function fromEnvironment({ baseUrlVariables }: ModelApi, environment: Environment): readonly Written[] {
  const values = baseUrlVariables.map((name) => ({ setBy: name, text: environment[name]?.trim() ?? '' }));
  return values.filter(({ text }) => text !== '').map((value) => ({ ...value, source: 'environment' }));
}

/** An API that only a tape knows: a replay needs no address. */
export function unknownUpstream(name: string): Upstream {
  return { ...otherApi(name), address: undefined, setBy: 'nowhere', isOfProject: false, isRedirect: false };
}

/** Whether an address is on a host of the API itself. */
export function isHostOf({ url, hosts }: ModelApi, { host, hostname }: URL): boolean {
  return (url !== undefined && new URL(url).host === host) || hosts?.test(hostname) === true;
}

/** The upstream that the host of an address has for itself. */
export function upstreamOfHost(upstreams: Upstreams, { protocol, hostname, port }: URL): Upstream | undefined {
  const own = [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`, hostname].map((name) =>
    upstreams.get(name),
  );
  return own.find((upstream) => upstream?.isHost);
}

/** A host that is no API's own, and is called by its own address. */
export function hostUpstream(host: string): Upstream {
  return {
    ...hostApi(host),
    address: undefined,
    setBy: t('the agent'),
    isOfProject: false,
    isRedirect: false,
    isHost: true,
  };
}

/** Names of APIs have no dot; `localhost` is an upstream as a host with its port. */
function isHostName(name: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$|^[a-z0-9-]+:\d+$/.test(name) && URL.canParse(`https://${name}`);
}

/** A host of an API gets the keys of that API. */
function hostApi(name: string): ModelApi {
  const api = MODEL_APIS.find((one) => isHostOf(one, new URL(`https://${name}`)));
  const { keyVariables = [], standIns, errors = openaiChat } = api ?? {};
  return { name, baseUrlVariables: [], keyVariables, standIns, errors };
}

function otherApi(name: string): ModelApi {
  if (isHostName(name)) return hostApi(name);
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(name)) {
    throw new UserError(
      () => t('`{0}` is not a valid upstream name', name),
      () => t('Use lower-case letters, digits and hyphens, or the name of a host.'),
    );
  }
  return {
    name,
    baseUrlVariables: [`${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`],
    keyVariables: [],
    errors: openaiChat,
  };
}

function parseAddress({ name, optionalPrefix = '' }: ModelApi, written: string): URL {
  // Ollama's variable may be only a host and a port.
  const text = /^https?:\/\//i.test(written) ? written : `http://${written}`;
  const base = text.replace(/\/+$/, '');
  const whole = optionalPrefix !== '' && base.endsWith(optionalPrefix) ? base.slice(0, -optionalPrefix.length) : base;
  const address = parseHttpUrl(whole);
  if (address !== undefined) return address;
  throw new UserError(
    () => t('the upstream of {0} is not an http(s) address: {1}', name, written),
    () => t('Write it as {0}=https://…', name),
  );
}

/** Where the requests of a recording go, by API, in words: one line for each address that is not the public one. */
export function describeUpstreams(upstreams: Upstreams): readonly string[] {
  const lines = [...upstreams.values()].flatMap(({ name, address, setBy, url, overruled }) => {
    if (address === undefined || (overruled === undefined && url !== undefined && setBy === PUBLIC)) return [];
    const instead = overruled === undefined ? '' : t('; not used: {0}', overruled);
    return [`${name} → ${address.origin} (${setBy}${instead})`];
  });
  return [...lines, lines.length === 0 ? t('every API → its public address') : t('any other API → its public address')];
}

/** The variables that lead an agent's SDKs to the proxy at `base`. */
export function agentVariables(upstreams: Upstreams, base: string): Record<string, string> {
  const pairs = [...upstreams.values()].flatMap(({ name, baseUrlVariables }) =>
    baseUrlVariables.map((variable) => [variable, `${base}/${name}`] as const),
  );
  return Object.fromEntries(pairs);
}

/**
 * The upstreams that agents get a base URL of. Requests to AWS are signed for the address that the agent calls: where the key is
 * not in the environment, from a profile or a role, the signature cannot be renewed, and has to be for the API's own address.
 */
export function withoutUnsignable(upstreams: Upstreams, environment: Environment): Upstreams {
  const isSignable = Boolean(environment.AWS_ACCESS_KEY_ID && environment.AWS_SECRET_ACCESS_KEY);
  return new Map([...upstreams].filter(([name, { setBy }]) => isSignable || name !== 'bedrock' || setBy !== PUBLIC));
}

/**
 * Stand-ins for keys of models: a replay needs none, but SDKs refuse to start without one, and a real one would let an agent
 * go around the tape.
 */
export function standInKeys(upstreams: Upstreams, environment: Environment): Record<string, string> {
  const present = MODEL_KEYS.filter((name) => environment[name]);
  const apis = [...upstreams.values()];
  const missing = apis.flatMap(({ keyVariables, standIns = keyVariables }) =>
    standIns.some((name) => environment[name]) ? [] : standIns,
  );
  // A key that must not be there is hidden by an empty one.
  const harmful = apis.flatMap(({ keyVariables, standIns = keyVariables }) =>
    keyVariables.filter((name) => environment[name] && !standIns.includes(name)),
  );
  return {
    ...Object.fromEntries([...present, ...missing].map((name) => [name, STAND_IN_KEY])),
    ...Object.fromEntries(harmful.map((name) => [name, ''])),
  };
}
