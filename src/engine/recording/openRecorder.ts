import type { ProjectConfig } from '../../core/project/projectConfig';
import type { Environment } from '../../core/secrets/environmentSecrets';
import type { ProxyAddress } from '../../core/secrets/proxyAddress';
import { projectConfig } from '../project/projectConfig';
import type { Recorder, SecretSources } from './recorder';

/** A recorder that is loaded when it is first needed: a replay of requests that match byte for byte needs none. */
export class LazyRecorder {
  readonly #sources: SecretSources;
  readonly #open: () => Promise<Recorder>;
  #recorder: Promise<Recorder> | undefined;

  /** `open`: by default makes one of the sources. */
  constructor(sources: SecretSources, open = () => load(sources)) {
    this.#sources = sources;
    this.#open = open;
  }

  /** The project's own patterns. */
  get patterns(): readonly string[] {
    return this.#sources.patterns;
  }

  get(): Promise<Recorder> {
    this.#recorder ??= this.#open();
    return this.#recorder;
  }

  /** The same, which also knows where the proxy of the agent listens. */
  withProxy(address: ProxyAddress): LazyRecorder {
    return new LazyRecorder(this.#sources, async () => (await this.get()).withProxy(address));
  }

  /** The same, which also knows the environments of other processes. */
  withEnvironments(environments: readonly Environment[]): LazyRecorder {
    const open = async () => environments.reduce((known, one) => known.withEnvironment(one), await this.get());
    return new LazyRecorder(this.#sources, open);
  }
}

/** The recorder of a project, which also knows what the MCP servers in it are given. */
export function projectRecorder(root: string, sources: SecretSources): LazyRecorder {
  return new LazyRecorder(sources, async () => load(await withClients(root, sources)));
}

async function withClients(root: string, sources: SecretSources): Promise<SecretSources> {
  const { environmentsOfClients } = await import('./environmentsOfClients');
  return { ...sources, environments: [...sources.environments, ...(await environmentsOfClients(root))] };
}

async function load(sources: SecretSources): Promise<Recorder> {
  const { Recorder } = await import('./recorder');
  return new Recorder(sources);
}

/** The recorders of projects, by their roots. */
export type Recorders = (root: string) => Promise<Recorder>;

/**
 * The recorders of one command: each project's `tapedeck.toml` is read once. A recorder rejects with a `CaseError` if that
 * file is invalid, because then it is not known what to hide.
 */
export function createRecorders(environment: Environment, keys: Readonly<Record<string, string>> = {}): Recorders {
  const known = new Map<string, Promise<Recorder>>();
  return (root) => {
    const recorder = known.get(root) ?? openRecorder(root, environment, keys);
    known.set(root, recorder);
    return recorder;
  };
}

/** The same, for the keys that came with a call. */
export type LastingRecorders = (root: string, keys?: Readonly<Record<string, string>>) => Promise<Recorder>;

/**
 * The recorders of a process that outlives edits of `tapedeck.toml`: that file is read for every call, and a recorder is made
 * again only if the patterns in it, the environment or the keys have changed.
 */
export function createLastingRecorders(environment: Environment): LastingRecorders {
  const known = new Map<string, { readonly sources: string; readonly recorder: Promise<Recorder> }>();
  return async (root, keys = {}) => {
    const { redactPatterns: patterns } = (await projectConfig(root)).proxy;
    const given = await withClients(root, { environments: [{ ...environment }], keys, patterns });
    const sources = JSON.stringify(given);
    const last = known.get(root);
    if (last?.sources === sources) return last.recorder;
    const recorder = load(given);
    known.set(root, { sources, recorder });
    return recorder;
  };
}

async function openRecorder(
  root: string,
  environment: Environment,
  keys: Readonly<Record<string, string>>,
): Promise<Recorder> {
  return recorderOf(root, await projectConfig(root), environment, keys);
}

/** What hides what a configuration of a project says, and the secrets of an environment. */
export async function recorderOf(
  root: string,
  { proxy }: ProjectConfig,
  environment: Environment,
  keys: Readonly<Record<string, string>> = {},
): Promise<Recorder> {
  return load(await withClients(root, { environments: [environment], keys, patterns: proxy.redactPatterns }));
}
