import { dirname } from 'node:path';
import type { SessionTargetsParams } from '../../contracts/engine/proxySessions';
import type { RecordingTarget, RecordingTargetsParams } from '../../contracts/engine/recordingTargets';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { readCase } from '../../core/cases/toml/readCase';
import { readFlakestormConfig } from '../../core/flakestorm/config';
import type { HttpAgent } from '../../core/flakestorm/httpAgent';
import type { Case, ExternalAgent, ProviderSpec, ToolSource } from '../../core/model/case';
import { parseCaseAddress } from '../../core/project/caseAddress';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { t } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import { isSystemError } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { upstreamChoices } from '../execution/external/plan';
import { withSlashes } from '../files/projectPaths';
import { readText } from '../files/readFile';
import { findConfig } from '../flakestorm/findConfig';
import { configuredIn, variablesOf } from '../mcpTape/mcpTransports';
import { hostOf, isLoopback } from '../network/hosts';
import { AGENT_PROGRAM, KeyRing, TOOL_PROGRAM, variablesIn } from '../network/keyRing';
import { projectConfig } from '../project/projectConfig';
import { keyNameFor, providerAddress } from '../providers/endpoint';
import { resolveUpstreams, type UpstreamChoices } from '../proxy/routes/upstreams';

/** The hosts that recordings of these cases would call, with the keys that go there. */
export async function recordingTargets(params: RecordingTargetsParams): Promise<readonly RecordingTarget[]> {
  const stored = new Set(params.storedKeys);
  // The editor keeps the values; that there is one is enough here.
  const environment = (name: string) => process.env[name] || (stored.has(name) ? STORED : undefined);
  const keys = KeyRing.of(params.root, environment);
  const found: RecordingTarget[] = [];
  for (const casePath of params.casePaths) {
    const targets = await unlessReported(new CaseTargets(casePath, params.root, keys, stored).find());
    if (targets === undefined) continue;
    found.push(...targets.filter((target, at) => targets.findIndex((one) => isSame(one, target)) === at));
  }
  return found;
}

/** Undefined for an error of a file, which the run of the case reports, with its place. */
async function unlessReported<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UserError || error instanceof ProviderError || isSystemError(error)) return undefined;
    throw error;
  }
}

/** The hosts at which the model APIs of a proxy session are called, with the keys that are set for them. */
export async function sessionTargets({ root, storedKeys }: SessionTargetsParams): Promise<readonly RecordingTarget[]> {
  const stored = new Set(storedKeys);
  const keys = KeyRing.of(root, (name) => process.env[name] || (stored.has(name) ? STORED : undefined));
  return new CaseTargets('', root, keys, stored).ofUpstreams(await projectConfig(root));
}

type McpSource = Extract<ToolSource, { kind: 'mcp' }>;

/** Not taken for a placeholder. */
const STORED = 'a key that the editor stores';

function isSame(left: RecordingTarget, right: RecordingTarget): boolean {
  return left.host === right.host && left.variable === right.variable;
}

class CaseTargets {
  readonly #targets: RecordingTarget[] = [];

  constructor(
    private readonly casePath: string,
    private readonly root: string,
    private readonly keys: KeyRing,
    private readonly stored: ReadonlySet<string>,
  ) {}

  async find(): Promise<readonly RecordingTarget[]> {
    const { path, id } = parseCaseAddress(this.casePath);
    const text = await readText(path, FILE_LIMITS.tape);
    const slashed = withSlashes(path);
    const kind = caseKindOf(text, slashed);
    const listed = kind?.list(text, slashed).cases.find((one) => one.id === id);
    if (kind === undefined || listed === undefined) return [];
    const config = await projectConfig(this.root);
    if (kind.id === 'toml') await this.#ofToml(text, config);
    else if (kind.id === 'flakestorm-config') await this.#ofFlakestorm(readFlakestormConfig(text).value?.agent);
    else if (kind.id === 'flakestorm-session')
      await this.#ofFlakestorm((await findConfig(dirname(path), this.root))?.config.agent);
    else await this.#ofListed(listed, config);
    return this.#targets;
  }

  async #ofToml(text: string, config: ProjectConfig): Promise<void> {
    const { value: testCase } = readCase(text);
    if (testCase === undefined || testCase.llm.script !== undefined) return;
    const { external } = testCase.agent;
    if (external !== undefined) await this.#ofOwnAgent(testCase, external, config);
    else await this.#ofProvider(testCase.llm.provider, config);
    if (external === undefined) await this.#ofTools(testCase, config);
  }

  /** The tools of the built-in agent that a recording really calls. */
  async #ofTools({ tools }: Case, { passedVariables: shared = [] }: ProjectConfig): Promise<void> {
    for (const { source } of tools) {
      if (source?.kind === 'command')
        await this.#addPassed([...shared, ...source.passedVariables], TOOL_PROGRAM, 'pass_env');
      if (source?.kind === 'mcp') await unlessReported(this.#ofServer(source, shared));
    }
  }

  async #ofServer({ config, server: name }: McpSource, shared: readonly string[]): Promise<void> {
    const server = await configuredIn(config, name, parseCaseAddress(this.casePath).path);
    if (server.kind === 'http') return this.#addAddress(server.address, Object.values(server.headers), config);
    await this.#addPassed([...shared, ...variablesOf(server)], TOOL_PROGRAM, config);
  }

  async #ofListed({ provider, recordedTape }: ListedCase, config: ProjectConfig): Promise<void> {
    if (recordedTape !== undefined) await this.#ofProvider(provider, config);
  }

  async #ofProvider(own: ProviderSpec | undefined, config: ProjectConfig): Promise<void> {
    const spec = own ?? config.provider;
    if (spec === undefined || spec.kind === 'practice' || spec.kind === 'vscode_lm') return;
    const url = providerAddress(spec, this.keys);
    const file = own === undefined ? 'tapedeck.toml' : t('the case');
    const elsewhere = this.keys.setting('OLLAMA_BASE_URL') ? 'OLLAMA_BASE_URL' : t("Ollama's default");
    await this.#add(url, await keyNameFor(spec, url, this.keys), spec.baseUrl === undefined ? elsewhere : file);
  }

  async #ofOwnAgent(testCase: Case, agent: ExternalAgent, config: ProjectConfig): Promise<void> {
    if (agent.kind === 'service') await this.#add(new URL(agent.url), undefined, t('the case'), true);
    await this.ofUpstreams(config, upstreamChoices(testCase, config));
    const { provider } = testCase.llm;
    if (provider?.apiKeyEnv !== undefined && provider.baseUrl !== undefined)
      await this.#add(new URL(provider.baseUrl), provider.apiKeyEnv, t('the case'));
    if (agent.kind === 'program')
      await this.#addPassed(
        [...(config.passedVariables ?? []), ...(agent.passedVariables ?? [])],
        AGENT_PROGRAM,
        'pass_env',
      );
  }

  /** What a program's SDKs are led to. */
  async ofUpstreams(config: ProjectConfig, choices: UpstreamChoices = {}): Promise<readonly RecordingTarget[]> {
    const upstreams = resolveUpstreams(
      { ...choices, project: { ...config.proxy.upstreams, ...choices.project } },
      process.env,
    );
    for (const { address, keyVariables, isOfProject, setBy } of upstreams.values()) {
      if (address === undefined) continue;
      const present = keyVariables.filter((variable) => this.keys.isSet(variable));
      const wanted = present.length > 0 || !isOfProject ? present : keyVariables.slice(0, 1);
      for (const variable of wanted) await this.#add(address, variable, setBy);
      if (isOfProject && keyVariables.length === 0) await this.#add(address, undefined, setBy);
    }
    return this.#targets;
  }

  /** The keys of the editor that a program's environment gets by their names alone. Those of the environment it gets in any case. */
  async #addPassed(
    names: readonly string[],
    program: typeof AGENT_PROGRAM | typeof TOOL_PROGRAM,
    setBy: string,
  ): Promise<void> {
    // Own agents get the keys of their models in any case, the programs of tools do not.
    const isSent = (name: string): boolean =>
      program === AGENT_PROGRAM && this.#targets.some(({ variable }) => variable === name);
    for (const variable of names) {
      if (process.env[variable] || !this.stored.has(variable) || isSent(variable)) continue;
      this.#targets.push({
        casePath: this.casePath,
        host: program,
        variable,
        known: false,
        confirmed: await this.keys.isConfirmedFor(program, variable),
        isSet: true,
        setBy,
      });
    }
  }

  async #ofFlakestorm(agent: ({ readonly type: 'http' } & HttpAgent) | { readonly type: string } | undefined) {
    if (agent?.type !== 'http' || !('queryParams' in agent)) return;
    const texts = [...Object.values(agent.queryParams), ...Object.values(agent.headers)];
    await this.#addAddress(agent.endpoint, texts, 'flakestorm.yaml');
  }

  /** An address that may have variables in it, with those of the other texts of its requests. */
  async #addAddress(address: string, texts: readonly string[], setBy: string): Promise<void> {
    const url = this.keys.addressOf(address);
    if (url === undefined) return;
    const names = new Set([address, ...texts].flatMap(variablesIn));
    if (names.size === 0) await this.#add(url, undefined, setBy);
    for (const name of names) if (!this.keys.namesHost(address, name)) await this.#add(url, name, setBy);
  }

  async #add(url: URL, variable: string | undefined, setBy: string, isAsked = false): Promise<void> {
    const { casePath, keys } = this;
    const host = hostOf(url);
    if (variable === undefined) {
      const known = !isAsked || isLoopback(url);
      const confirmed = isAsked && (await keys.isConfirmedHost(url));
      this.#targets.push({ casePath, host, known, confirmed, isSet: false, setBy });
      return;
    }
    const standing = await keys.standing(variable, url);
    this.#targets.push({
      casePath,
      host,
      variable,
      known: standing === 'known',
      confirmed: standing === 'confirmed',
      isSet: keys.isSet(variable),
      setBy,
    });
  }
}
