import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Artifact } from '../../core/model/artifact';
import type { ScriptStep } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { completionResponse, writeCompletionRequest } from '../../core/testDsl/completionWire';
import { dslArtifact } from '../../core/testDsl/dslArtifact';
import { type DslSource, promptOf, responseOf, sourceOf } from '../../core/testDsl/dslCase';
import {
  completionDocument,
  type DslDocument,
  type DslProvider,
  type TapeInteraction,
  tapeDocument,
} from '../../core/testDsl/dslDocument';
import { SerdeError } from '../../core/testDsl/serde';
import { readSerdeJson } from '../../core/testDsl/serdeJson';
import { LineIndex } from '../../core/text/source';
import { utf8Text } from '../../core/text/utf8Text';
import { AgentError, ProviderError } from '../errors/runErrors';
import { isSystemError, systemReason } from '../errors/systemError';
import { pathOfUser } from '../files/pathOfUser';
import { readBytes } from '../files/readFile';
import { TemporaryFolder } from '../files/temporaryFolder';
import { parseHttpUrl } from '../network/hosts';
import type { KeyRing } from '../network/keyRing';
import type { NetworkPolicy } from '../network/policy';
import { ExchangeError, type HttpResponse, post } from '../network/post';
import type { ChatProvider } from '../providers/chatProvider';
import { RecordingProvider } from '../providers/recorder';
import { claimTape } from '../recording/claimTape';
import type { Recorder } from '../recording/recorder';
import { replaceTape, requireRecordable } from '../recording/replaceTape';
import { newTape } from '../recording/writeTake';
import { type DslResult, type RunError, runDslAgent } from './dslAgent';

interface DslOptions {
  /** The root of the project, in which a tape may be written. */
  readonly root: string;
  readonly casePath: string;
  readonly recorder: Recorder;
  readonly network: NetworkPolicy;
  readonly signal: AbortSignal;
  onNotice(line: string): void;
}

/** The result of a case without its secrets. */
interface DslOutcome {
  readonly artifact: Artifact;
  readonly error: RunError | undefined;
}

/** Runs a case as `mofa test-dsl` does. Rejects with a `DslRefusal`, a `ProviderError`, or an `AgentError` for one that MoFA does not run. */
export async function runDsl(document: DslDocument, options: DslOptions): Promise<DslOutcome> {
  const source = sourceOf(document);
  const run = (provider: ChatProvider) => runInWorkspace(document, provider, options);
  const { run: done, error } =
    source.kind === 'record' ? await record(document, source, run, options) : await run(await playing(source, options));
  const artifact = options.recorder.value(dslArtifact(document, promptOf(document), done));
  return { artifact, error };
}

async function playing(
  source: Exclude<DslSource, { kind: 'record' }>,
  { casePath }: DslOptions,
): Promise<ChatProvider> {
  return source.kind === 'script'
    ? new DslScript(source.steps)
    : DslReplay.open(pathOfUser(dirname(casePath), source.path));
}

/** Records the tape. Unlike MoFA, which writes it after every response, only a run that ended without an error replaces it. */
async function record(
  document: DslDocument,
  { path, provider }: Extract<DslSource, { kind: 'record' }>,
  run: (provider: ChatProvider) => Promise<DslResult>,
  { root, casePath, recorder, network, onNotice }: DslOptions,
): Promise<DslResult> {
  const endpoint = await dslEndpoint(provider, network.keys);
  const tapePath = pathOfUser(dirname(casePath), path);
  await requireRecordable(root, tapePath);
  const hiding = recorder.withKey(endpoint.keyName, endpoint.key);
  const recording = new RecordingProvider(new DslUpstream(endpoint, network), hiding);
  const release = await claimTape({ root, tapePath }, onNotice);
  try {
    const result = await run(recording);
    if (result.error !== undefined) return result;
    const take = { tapePath, caseName: document.name, interactions: recording.interactions, recorder: hiding };
    await replaceTape({ root, tapePath, content: await newTape(take, undefined) });
    return result;
  } finally {
    await release();
  }
}

async function runInWorkspace(
  document: DslDocument,
  provider: ChatProvider,
  { signal }: DslOptions,
): Promise<DslResult> {
  const workspace = await TemporaryFolder.create();
  try {
    await workspace.makeFolder('sessions');
    for (const { path, content } of document.bootstrap_files) await writeFile(workspace, path, content);
    return await runDslAgent(document, promptOf(document), provider, workspace, signal);
  } finally {
    await workspace.remove();
  }
}

/** Writes a file of the case. Unlike MoFA, nothing is written out of the workspace. */
async function writeFile(workspace: TemporaryFolder, path: string, content: string): Promise<void> {
  const refused = (reason: string) =>
    new AgentError(
      'case',
      `failed to create test workspace: ${reason}`,
      `Change \`${path}\` under [[bootstrap_files]].`,
    );
  if (!workspace.contains(path)) throw refused(`\`${path}\` is outside of it`);
  try {
    await workspace.write(path, content);
  } catch (error) {
    throw isSystemError(error) ? refused(systemReason(error)) : error;
  }
}

/** The response of MoFA's mock beyond the end of its script. */
const STOCK_RESPONSE: ChatResponse = { content: 'This is a mock response.', toolCalls: [] };

/** Plays the steps of a case, and a stock response from then on. */
class DslScript implements ChatProvider {
  readonly label = 'script';
  readonly #steps: readonly ScriptStep[];
  #next = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#steps = steps;
  }

  async chat(): Promise<ChatResponse> {
    const step = this.#steps[this.#next];
    if (step === undefined) return STOCK_RESPONSE;
    this.#next += 1;
    if (step.type === 'text') return { content: step.content, toolCalls: [] };
    const call = { id: `call_${this.#next}`, name: step.tool, arguments: step.arguments };
    return { content: step.content ?? null, toolCalls: [call] };
  }
}

/** Plays the interactions of a tape by their position, and the last one for ever. */
class DslReplay implements ChatProvider {
  readonly label: string;
  readonly #interactions: readonly TapeInteraction[];
  #next = 0;

  private constructor(path: string, interactions: readonly TapeInteraction[]) {
    this.label = `tape ${path}`;
    this.#interactions = interactions;
  }

  /** Reads a tape. Rejects with a `ProviderError` in MoFA's words where MoFA refuses it. */
  static async open(path: string): Promise<DslReplay> {
    const { interactions } = await readTape(path);
    if (interactions.length > 0) return new DslReplay(path, interactions);
    throw new ProviderError('replay', 'tape has no interactions', `Record ${path} again.`);
  }

  async chat(): Promise<ChatResponse> {
    const interaction = this.#interactions[Math.min(this.#next, this.#interactions.length - 1)];
    if (interaction === undefined) throw new Error('a replay has at least one interaction');
    this.#next += 1;
    return responseOf(interaction);
  }
}

async function readTape(path: string) {
  const unreadable = (reason: string) =>
    new ProviderError(
      'replay',
      `failed to read tape file: ${reason}`,
      `Record ${path}, or correct its path in the case.`,
    );
  const bytes = await readBytes(path, FILE_LIMITS.tape).catch((error: unknown) => {
    throw isSystemError(error) ? unreadable(systemReason(error)) : error;
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw unreadable('it is not UTF-8');
  try {
    return readSerdeJson(text, tapeDocument);
  } catch (error) {
    if (!(error instanceof SerdeError)) throw error;
    const { line, column } = new LineIndex(text).position(error.span.start);
    const message = `failed to parse tape JSON: ${error.message} at line ${line} column ${column}`;
    throw new ProviderError('case', message, `${path}:${line}:${column}: repair the tape, or record it again.`);
  }
}

/** The address, model and key of a provider. */
interface DslEndpoint {
  /** As the case writes it, with the path of completions. */
  readonly address: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly keyName: string | undefined;
}

const USUAL_KEY = 'OPENAI_API_KEY';

/** Completes a provider with MoFA's defaults. Rejects with a `ProviderError` for a missing key, and a `UserError` for one that may not go there. */
async function dslEndpoint(provider: DslProvider, keys: KeyRing): Promise<DslEndpoint> {
  const { kind, base_url } = provider;
  if (kind === 'ollama') {
    const base = base_url ?? keys.setting('OLLAMA_BASE_URL') ?? 'http://127.0.0.1:11434/v1';
    const model = provider.model ?? keys.setting('OLLAMA_MODEL') ?? 'llama3';
    return { address: completionsOf(base), model, key: undefined, keyName: undefined };
  }
  const address = completionsOf(base_url ?? '');
  const key = await keyOf(provider, address, keys);
  return { address, model: provider.model ?? 'gpt-4o-mini', ...key };
}

function completionsOf(base: string): string {
  const trimmed = base.replace(/\/+$/, '');
  return trimmed.endsWith('/completions') ? trimmed : `${trimmed}/chat/completions`;
}

async function keyOf({ api_key_env }: DslProvider, address: string, keys: KeyRing) {
  const none = { key: undefined, keyName: undefined };
  const url = parseHttpUrl(address);
  const keyName = api_key_env ?? USUAL_KEY;
  if (keyName === '') return none;
  // Unlike MoFA: a server on this machine gets the key of OpenAI only where the case names it.
  const isOffered = url !== undefined && (api_key_env !== null || (await keys.standing(USUAL_KEY, url)) !== 'refused');
  const key = isOffered ? await keys.keyFor(keyName, url) : undefined;
  if (key !== undefined) return { key, keyName };
  if (keys.isSet(keyName) || keys.isEmpty(keyName) || /127\.0\.0\.1|localhost/.test(address)) return none;
  throw new ProviderError(
    'provider',
    `missing environment variable \`${keyName}\` for llm provider`,
    `Set ${keyName}, or set api_key_env under [llm.provider] to the name of the variable that holds the key.`,
  );
}

const IDLE_TIMEOUT_MS = 60_000;

/** MoFA's OpenAI-compatible provider: one attempt for each request, and strict about the response. */
class DslUpstream implements ChatProvider {
  readonly label: string;
  readonly #endpoint: DslEndpoint;
  readonly #network: NetworkPolicy;

  constructor(endpoint: DslEndpoint, network: NetworkPolicy) {
    this.label = endpoint.address;
    this.#endpoint = endpoint;
    this.#network = network;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const { address, model } = this.#endpoint;
    const response = await this.#post(writeCompletionRequest(request, model), signal);
    try {
      return await this.#read(response);
    } catch (error) {
      if (error instanceof ExchangeError || error instanceof SerdeError)
        throw failure('provider', 'Serialization error: error decoding response body', `Check base_url (${address}).`);
      throw error;
    } finally {
      response.close();
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<HttpResponse> {
    const { address, key } = this.#endpoint;
    const url = parseHttpUrl(address);
    const fix = `Check base_url (${address}), that the server is running, and the network.`;
    if (url === undefined) throw failure('unreachable', `Agent execution failed: ${unusable(address)}`, fix);
    const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { 'content-type': 'application/json', accept: '*/*', ...authorization };
    try {
      return await post({ policy: this.#network, url, headers, body, idleTimeoutMs: IDLE_TIMEOUT_MS, signal });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      throw failure('unreachable', `Agent execution failed: error sending request for url (${url})`, fix);
    }
  }

  async #read(http: HttpResponse): Promise<ChatResponse> {
    const fix = `Check base_url and model, and the provider's status.`;
    if (http.status < 200 || http.status > 299) {
      const reason = http.statusName ?? '<unknown status code>';
      const body = await bodyAsFarAsItCame(http);
      throw failure('provider', `Agent execution failed: provider returned ${http.status} ${reason}: ${body}`, fix);
    }
    const response = completionResponse(readSerdeJson(Buffer.from(await http.body()).toString(), completionDocument));
    if (response !== undefined) return response;
    throw failure('provider', 'Agent execution failed: provider returned no choices', fix);
  }
}

function unusable(address: string): string {
  return URL.canParse(address) ? `builder error for url (${address})` : 'builder error';
}

/** MoFA takes a body that is cut off as an empty one. */
async function bodyAsFarAsItCame(http: HttpResponse): Promise<string> {
  try {
    return Buffer.from(await http.body()).toString();
  } catch (error) {
    if (error instanceof ExchangeError) return '';
    throw error;
  }
}

function failure(kind: 'provider' | 'unreachable', message: string, fix: string): ProviderError {
  return new ProviderError(kind, message, fix);
}
