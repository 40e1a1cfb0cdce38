import type { IncomingMessage } from 'node:http';
import { writeArtifact, writeBaseline } from '../../core/cases/artifactFile';
import { type ToolRecording, writeToolResults } from '../../core/cases/toml/writeToolResults';
import { prettyJson } from '../../core/json/json';
import type { Artifact } from '../../core/model/artifact';
import type { HttpHeader } from '../../core/model/http';
import type { Interaction, RecordedInteraction, Timing } from '../../core/model/interaction';
import type { McpExchange } from '../../core/model/mcp';
import type { Tape } from '../../core/model/tape';
import { type Environment, environmentSecrets } from '../../core/secrets/environmentSecrets';
import type { ProxyAddress } from '../../core/secrets/proxyAddress';
import { isKeptRequestHeader } from '../../core/secrets/recordedHeaders';
import { createRedactor, type Redactor } from '../../core/secrets/redactor';
import type { SecretSearch } from '../../core/secrets/secretSearch';
import { SecretSearches } from '../../core/secrets/secretSources';
import type { SecretLeft } from '../../core/secrets/secretsLeft';
import type { ReadTape } from '../../core/secrets/tapeTexts';
import { spliceTape } from '../../core/tapes/spliceTape';
import { encodeTapeFile, type TapeFile } from '../../core/tapes/tapeFile';
import { newTapeFile, type WritableFormat, writableIn } from '../../core/tapes/writableFormat';
import { compilePattern, isRefused, type Pattern } from '../../core/text/compilePattern';
import { t } from '../../core/text/l10n';
import { PatternTooSlow } from '../../core/text/patternMatch';
import { UserError } from '../errors/userError';
import { gzip } from '../files/zlib';
import type { Hidden, HiddenInteraction, HiddenRequest, RecordedCall } from './hidden';
import { type CapturedExchange, hideExchange } from './recordExchange';
import { type RecordedContent, searchedContent } from './recordedContent';
import { type CapturedTalk, hideTalk } from './recordTalk';
import { holdingPath, requireHeld } from './unheldError';
import { UnhiddenError, type UnhiddenSecret } from './unhiddenError';

/** A request as it arrived at the proxy. */
interface SentRequest {
  readonly message: Pick<IncomingMessage, 'method' | 'headers'>;
  readonly path: string;
  readonly body: Buffer;
  /** Where only recordings of this host are served. */
  readonly host?: string;
}

const SEALED = Buffer.from('[a body that cannot be searched for secrets]');

/** Stands for a request of which no part can be searched. */
const SEALED_REQUEST: HiddenRequest = {
  method: 'GET',
  url: '/',
  headers: [],
  body: SEALED,
  isSealed: true,
  isChanged: true,
};

function hideRequest({ message, path, body: sent, host }: SentRequest, redactor: Redactor): HiddenRequest {
  const { method = 'GET', headers } = message;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const body = redactor.body(sent, pairs);
  const url = redactor.url(path);
  return {
    method,
    url,
    headers: redactor.headers(pairs.filter(([name]) => isKeptRequestHeader(name))),
    body: body ?? SEALED,
    isSealed: body === undefined,
    isChanged: body !== sent || url !== path,
    host,
  };
}

/** What is known to be secret, besides the shapes, headers, and names that always are. */
export interface SecretSources {
  /** Of this process, and of the agents that it starts. */
  readonly environments: readonly Environment[];
  /** From the host's secret storage, by the environment variables that they stand for. */
  readonly keys: Readonly<Record<string, string>>;
  /** `[redact] patterns` of the project, as regular expressions. */
  readonly patterns: readonly string[];
}

/** The prompt and the name of the case, which are recorded. */
const RUN_VARIABLE = /^TAPEDECK_/;
/** In UTF-16 units. */
const LONGEST_SECRET = 2 ** 16;
/** Shorter keys are placeholders, such as "mock", that may also be plain words in a text. */
const SHORTEST_KEY = 8;

/**
 * Hides secrets in all that is recorded: on disk, in reports, and in what models and users are told. Placeholders depend
 * only on the kind of a secret, so that recordings under different keys compare as equal.
 */
export class Recorder {
  readonly #sources: SecretSources;
  /** Apart from the sources: nothing that is kept from an earlier run can have these. */
  readonly #proxies: readonly ProxyAddress[];
  readonly #redactor: Redactor;
  readonly #hiddenArtifacts = new WeakSet<Artifact>();

  /** Throws rather than leave out a pattern, which would let through what it is to hide. */
  constructor(sources: SecretSources, proxies: readonly ProxyAddress[] = []) {
    const { environments, keys, patterns } = sources;
    this.#sources = sources;
    this.#proxies = proxies;
    this.#redactor = createRedactor({
      values: Object.values(keys),
      environments,
      proxies,
      patterns: patterns.map(compiled),
    });
  }

  /** A recorder that also knows where the proxy of the agent listens. */
  withProxy(address: ProxyAddress): Recorder {
    return new Recorder(this.#sources, [...this.#proxies, address]);
  }

  /** A recorder that also knows the environment of an agent, apart from the variables that describe the run to it. */
  withEnvironment(environment: Environment): Recorder {
    const { environments } = this.#sources;
    const isNew = ([name, value]: readonly [string, string | undefined]) =>
      value !== undefined && !RUN_VARIABLE.test(name) && !environments.some((known) => known[name] === value);
    const added = Object.entries(environment).filter(isNew);
    if (added.length === 0) return this;
    const sources = { ...this.#sources, environments: [...environments, Object.fromEntries(added)] };
    return new Recorder(sources, this.#proxies);
  }

  /** A recorder that also knows the key in a variable. */
  withKey(name: string | undefined, key: string | undefined): Recorder {
    if (name === undefined || key === undefined || key.length < SHORTEST_KEY) return this;
    const { keys } = this.#sources;
    if (keys[name] === key) return this;
    return new Recorder({ ...this.#sources, keys: { ...keys, [name]: key } }, this.#proxies);
  }

  /** What a thread needs for a recorder that hides the same. It has the secrets: never written or shown. */
  get sources(): SecretSources {
    const { environments, keys, patterns } = this.#sources;
    return { environments: environments.map((one) => ({ ...one })), keys: { ...keys }, patterns: [...patterns] };
  }

  /** Everything that decides what this recorder hides. It has the secrets: never written or shown, only hashed with a key. */
  get identity(): string {
    const { environments, keys, patterns } = this.#sources;
    const secrets = [...Object.values(keys), ...environments.flatMap(environmentSecrets)];
    return JSON.stringify([patterns, secrets.sort()]);
  }

  /** What finds the secrets that this recorder hides. */
  get search(): SecretSearch {
    return this.#redactor.search;
  }

  /** A short digest of what is hidden. It is too short to identify a secret. */
  get stamp(): string {
    const { environments, keys, patterns } = this.#sources;
    return new SecretSearches(Object.assign({}, ...environments)).stampOf({ values: Object.values(keys), patterns });
  }

  text(text: string): string {
    return this.#redactor.text(text);
  }

  /** The first characters of a long text, without a secret of which they would be a part. */
  beginning(text: string, length: number): string {
    const hidden = this.text(text.slice(0, length + LONGEST_SECRET));
    return hidden.slice(0, Math.min(length, Math.max(0, hidden.length - LONGEST_SECRET)));
  }

  url(url: string): string {
    return this.#redactor.url(url);
  }

  body(bytes: Uint8Array, headers: readonly HttpHeader[]): Uint8Array | undefined {
    return this.#redactor.body(bytes, headers);
  }

  /** A value of JSON, with all its strings and names. The same object when nothing in it is secret. */
  value<T>(value: T): T {
    return this.#redactor.value(value);
  }

  /** A request to the proxy. */
  request(sent: SentRequest): HiddenRequest {
    return searched(() => hideRequest(sent, this.#redactor)) ?? SEALED_REQUEST;
  }

  /** An exchange with an upstream; undefined if a part of it cannot be searched, and so not be recorded. */
  exchange(captured: CapturedExchange): HiddenInteraction | undefined {
    const hidden = searched(() => hideExchange(captured, this.#redactor));
    return hidden && marked(hidden);
  }

  /** What was said over a WebSocket or in a call of gRPC; undefined like an exchange. */
  talk(captured: CapturedTalk): HiddenInteraction | undefined {
    const hidden = searched(() => hideTalk(captured, this.#redactor));
    return hidden && marked(hidden);
  }

  /** A call of the built-in agent. */
  call({ request, response }: RecordedCall): Hidden<RecordedCall> {
    return marked({ request: this.value(request), response: this.value(response) });
  }

  /** An exchange with an MCP server. */
  mcp(mcp: McpExchange, timing: Timing): HiddenInteraction {
    return marked({ kind: 'mcp', mcp: this.value(mcp), timing });
  }

  /** An interaction of an existing tape that is written again. Throws a `UserError` if a part cannot be searched. */
  interaction({ kind, request, response, http, mcp, timing }: RecordedInteraction): HiddenInteraction {
    const hidden = this.#redactor.interaction({
      ...(kind && { kind }),
      request,
      response,
      http,
      mcp,
      timing,
    });
    if (hidden !== undefined) return marked(hidden);
    throw new UserError(
      () => t('a recorded body is compressed in a way that cannot be searched for secrets'),
      () => t('Record the whole tape again instead of adding to it.'),
    );
  }

  /**
   * A whole new tape, compressed where the old one was. Rejects with an `UnhiddenError` where `verify` would find a secret in it, and
   * with an `UnheldError` where it does not hold what was recorded.
   */
  async tape({ path, format, name, test, interactions, old, isPreview }: NewTape): Promise<RecordedContent> {
    const into = { path, replaces: old?.text, test: test && this.text(test) };
    const file = newTapeFile(format, this.text(name), interactions, into);
    const tape = format.read(file);
    await this.#requireNone(path, { file, tape }, { interactions: writableIn(format, interactions), from: 0, end: 0 });
    if (!isPreview) requireHeld({ path, format }, interactions, tape.interactions);
    return searchedContent(encoded(file, old));
  }

  /**
   * A tape of which the first interactions stay byte for byte. Rejects with a `UserError` when others cannot follow them, and like
   * `tape`.
   */
  async resumedTape({ path, format, old, keep, isWhole, interactions }: ResumedTape): Promise<RecordedContent> {
    const written = writableIn(format, interactions);
    const spliced = spliceTape(format, old, keep, written);
    if ('refused' in spliced)
      throw new UserError(`${path}: ${spliced.refused}`, () =>
        isWhole
          ? t('Record to a file such as {0}, which holds everything.', holdingPath(path))
          : t('Leave out --from.'),
      );
    const { file, tape } = spliced;
    const kept = commonStart(old.text, file.text);
    await this.#requireNone(path, { file, tape }, { interactions: written, from: keep, end: kept });
    requireHeld({ path, format, kept: keep }, interactions, tape.interactions.slice(keep));
    return searchedContent(file.bytes);
  }

  /**
   * The last look at a tape, as `verify` will look at it: what could not be hidden is not written. It reads every format, which a
   * replay that has to hide something does without.
   */
  async #requireNone(path: string, { file, tape }: WrittenTape, added: AddedInteractions): Promise<void> {
    const [{ secretsInTape }, { readDocuments }] = await Promise.all([
      import('../../core/secrets/secretsLeft'),
      import('../../core/tapes/documents'),
    ]);
    const { roots } = readDocuments(file);
    const [first, ...others] = secretsInTape({ file, tape, roots }, this.search)
      .filter(({ end }) => end > added.end)
      .map((left) => placed(left, tape, added));
    if (first !== undefined) throw new UnhiddenError(path, [first, ...others]);
  }

  /** The artifact of a run without secrets, which is not searched again when it is written as it is. */
  hiddenArtifact(artifact: Artifact): Artifact {
    const hidden = this.value(artifact);
    this.#hiddenArtifacts.add(hidden);
    return hidden;
  }

  artifact(artifact: Artifact): RecordedContent {
    const isHidden = this.#hiddenArtifacts.has(artifact);
    return searchedContent(writeArtifact(isHidden ? artifact : this.value(artifact)));
  }

  baseline(artifact: Artifact): RecordedContent {
    return searchedContent(writeBaseline(this.value(artifact)));
  }

  /** A case with what its tools returned. The rest of its text is the user's own, and stays as it is. */
  caseWithResults(text: string, recordings: readonly ToolRecording[]): RecordedContent {
    return searchedContent(writeToolResults(text, this.value(recordings)));
  }

  /** A report as JSON. */
  jsonReport(report: unknown): RecordedContent {
    return searchedContent(prettyJson(this.value(report)));
  }

  textReport(report: string): RecordedContent {
    return searchedContent(this.text(report));
  }

  /** A page of a value, which its text shows in another form. */
  page<T>(value: T, render: (hidden: T) => string): RecordedContent {
    return searchedContent(render(this.value(value)));
  }
}

interface NewTape {
  readonly path: string;
  readonly format: WritableFormat;
  readonly name: string;
  /** The id of the test that recorded it. */
  readonly test?: string | undefined;
  readonly interactions: readonly HiddenInteraction[];
  /** The tape that it replaces. */
  readonly old?: TapeFile | undefined;
  /** Of a recording in progress, to be looked at: it may lack something. */
  readonly isPreview?: true;
}

/** What is added to a tape. */
interface AddedInteractions {
  /** As they are written. */
  readonly interactions: readonly RecordedInteraction[];
  /** The place of the first of them on the tape. */
  readonly from: number;
  /** The end of the text that stays. */
  readonly end: number;
}

/** A secret with the added interaction that it stands in, where that is known. */
function placed(left: SecretLeft, { interactions }: Tape, added: AddedInteractions): UnhiddenSecret {
  const isIn = ({ source }: Interaction): boolean => source.start <= left.start && left.end <= source.end;
  const at = left.interaction ?? interactions.findIndex(isIn);
  const isWhole = interactions.length === added.from + added.interactions.length;
  const interaction = isWhole ? added.interactions[at - added.from] : undefined;
  return { left, number: at + 1, ...(interaction && { interaction }) };
}

/** A tape as it is about to be written, and what is read in it. */
type WrittenTape = Pick<ReadTape, 'file' | 'tape'>;

interface ResumedTape {
  /** For messages. */
  readonly path: string;
  readonly format: WritableFormat;
  readonly old: TapeFile;
  readonly keep: number;
  /** Nothing of it is replaced. */
  readonly isWhole?: boolean;
  readonly interactions: readonly HiddenInteraction[];
}

/** How many characters two texts begin with in common. */
function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** The result of a search; undefined if a pattern of the project takes too long. */
function searched<T>(search: () => T): T | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof PatternTooSlow) return undefined;
    throw error;
  }
}

function marked<T>(value: T): Hidden<T> {
  return value as Hidden<T>;
}

/** A compressed tape is compressed again, and a new one where its name says so. */
function encoded(file: TapeFile, old: TapeFile | undefined): string | Uint8Array {
  const { path, text, encoding } = file;
  const content = encoding === 'utf-8' ? text : file.bytes;
  if (old === undefined) return /\.gz$/i.test(path) ? gzip(content) : content;
  return old.gzipHeader === undefined ? content : encodeTapeFile({ ...old, encoding, bom: false }, text);
}

function compiled(source: string): Pattern {
  const pattern = compilePattern(source, 'javascript');
  if (!isRefused(pattern)) return pattern;
  throw new UserError(
    () => t('tapedeck.toml: invalid pattern in [redact]: {0}', pattern.reason),
    () => t('Correct {0}.', source),
  );
}
