import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import type { JsonRecord } from '../../core/json/json';
import type { WrittenExchange } from '../../core/mcp/exchangeRecorder';
import { formatMcpMiss, mcpMissLine } from '../../core/mcp/formatMcpMiss';
import { messageTitle } from '../../core/mcp/message';
import { type McpMiss, McpRecordings, type McpTaken, type RecordedExchange } from '../../core/mcp/recordings';
import type { McpTransport } from '../../core/model/mcp';
import { message, t } from '../../core/text/l10n';
import { english, noticeOf, type Said } from '../../core/text/notice';
import { noRecording } from '../errors/runErrors';
import { fileStatus } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import type { InteractionReport, MissedRequest } from '../proxy/session/report';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import type { HiddenInteraction } from '../recording/hidden';
import { hideSaid } from '../recording/hideError';
import type { Journal } from '../recording/journal';
import type { LazyRecorder } from '../recording/openRecorder';
import type { Recorder } from '../recording/recorder';

interface McpRunOptions {
  readonly mode: ProxyMode;
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  readonly rules: JoinedRules;
  readonly recorder: LazyRecorder;
  /** Where the recording is kept while it is made. */
  readonly journal?: Journal | undefined;
  /** The next position among all that the run records. */
  nextNumber(): number;
  report(report: InteractionReport): void;
}

const RERECORD = message('Record again with --record.');

/** What the MCP servers of one run say: recorded onto the run's tape, or played from it. */
export class McpRun {
  readonly #options: McpRunOptions;
  readonly #begun = new Map<WrittenExchange, { readonly number: number; readonly recordedAt: string }>();
  readonly #recorded = new Map<number, HiddenInteraction>();
  readonly #recordings = new Map<string, McpRecordings>();
  readonly #writing = new Set<Promise<void>>();
  #recorder: Recorder | undefined;
  #onTape: readonly RecordedExchange[] = [];

  private constructor(options: McpRunOptions) {
    this.#options = options;
  }

  /** Rejects with a `UserError` when the tape is to be replayed and cannot be read. */
  static async open(options: McpRunOptions): Promise<McpRun> {
    const run = new McpRun(options);
    run.#recorder = await options.recorder.get();
    const { mode, tapePath } = options;
    const exists = (await fileStatus(tapePath)) !== undefined;
    if (mode === 'replay' && !exists) throw noRecording(tapePath);
    if (exists && (mode === 'replay' || mode === 'auto')) run.#onTape = await recordedExchanges(tapePath);
    return run;
  }

  get mode(): ProxyMode {
    return this.#options.mode;
  }

  /** What was recorded, each with its position among all that the run records. */
  get recordedByNumber(): readonly (readonly [number: number, HiddenInteraction])[] {
    return [...this.#recorded].sort(([left], [right]) => left - right);
  }

  /** The indexes of the interactions that were served. */
  get served(): ReadonlySet<number> {
    return new Set([...this.#recordings.values()].flatMap(({ served }) => [...served]));
  }

  /** The recordings of a server, which all of its connections share. */
  recordings(server: string): McpRecordings {
    const known = this.#recordings.get(server);
    if (known !== undefined) return known;
    const { rules } = this.#options;
    // Tapes of other recorders belong to one server, and do not name it.
    const own = this.#onTape.filter(({ exchange }) => exchange.server === server || exchange.server === '');
    const recorder = this.#hiding();
    const recordings = new McpRecordings(server, own, {
      masks: rules.masks,
      onDrift: this.mode === 'auto' ? 'fail' : rules.onDrift,
      hide: (message) => recorder.value(message),
    });
    this.#recordings.set(server, recordings);
    return recordings;
  }

  begun(exchange: WrittenExchange): void {
    this.#begun.set(exchange, { number: this.#options.nextNumber(), recordedAt: new Date().toISOString() });
  }

  /** Keeps an exchange that is complete as far as is known. */
  answered(exchange: WrittenExchange): void {
    const known = this.#begun.get(exchange);
    if (known === undefined) return;
    const { number, recordedAt } = known;
    const { server, transport, message, steps } = exchange;
    const isNew = !this.#recorded.has(number);
    const durationMs = Math.round(exchange.endedAt - exchange.startedAt);
    const timing = { recordedAt, durationMs };
    const interaction = this.#hiding().mcp({ server, transport, message, steps: [...steps] }, timing);
    this.#recorded.set(number, interaction);
    const writing = this.#options.journal?.add(number, interaction);
    if (writing !== undefined) this.#await(writing);
    if (isNew) this.#options.report({ number, path: this.#path(server, message), verdict: 'recorded' });
  }

  /** Reports how a message of a client was served. */
  taken(message: JsonRecord, server: string, taken: McpTaken): void {
    const number = this.#options.nextNumber();
    const path = this.#path(server, message);
    if (taken.kind === 'miss' || taken.kind === 'differs') {
      const { miss } = taken;
      const verdict = taken.kind === 'differs' || miss === undefined ? 'differs' : miss.kind;
      const index = taken.kind === 'differs' ? { index: taken.recorded.index } : {};
      const sent = this.#hiding().value(message);
      const missed = taken.kind === 'miss' && { missed: this.#missed(taken.miss, sent) };
      const said = miss && this.#explained(miss);
      const explanation = said && { explanation: english(said), said };
      this.#options.report({ number, path, verdict, ...index, ...explanation, ...missed });
    } else this.#options.report({ number, path, verdict: taken.kind, index: taken.recorded.index });
  }

  /** Reports a server that could not be reached, or started. */
  unreachable(server: string, explanation: string): void {
    const number = this.#options.nextNumber();
    const text = this.#hiding().text(explanation);
    this.#options.report({ number, path: `mcp ${server}`, verdict: 'unreachable', explanation: text });
  }

  /** Why a message has no recording, for the user and for the client. */
  explain(miss: McpMiss): string {
    return english(this.#explained(miss));
  }

  #explained(miss: McpMiss): Said {
    const words = () => formatMcpMiss(miss, { tape: this.#tapeName(), rerecord: t(RERECORD) });
    return hideSaid(noticeOf(words), this.#hiding());
  }

  /** Ends the recording: what has no reply is kept without one. Settles when all of it is in the journal. */
  async drain(): Promise<void> {
    for (const [exchange, { number }] of this.#begun) if (!this.#recorded.has(number)) this.answered(exchange);
    await Promise.allSettled(this.#writing);
  }

  #missed(miss: McpMiss, sent: JsonRecord): MissedRequest {
    const said = hideSaid(
      noticeOf(() => mcpMissLine(miss, this.#tapeName())),
      this.#hiding(),
    );
    return {
      kind: miss.kind,
      line: english(said),
      said,
      masks: [],
      sent,
      ...(miss.nearest && { nearest: miss.nearest.index }),
    };
  }

  #tapeName(): string {
    return fromRoot(this.#options.root, this.#options.tapePath);
  }

  #path(server: string, message: JsonRecord): string {
    return this.#hiding().text(`mcp ${server}: ${messageTitle(message)}`);
  }

  #hiding(): Recorder {
    if (this.#recorder === undefined) throw new Error('the run is not open');
    return this.#recorder;
  }

  #await(writing: Promise<void>): void {
    this.#writing.add(writing);
    void writing.finally(() => this.#writing.delete(writing));
  }
}

async function recordedExchanges(path: string): Promise<RecordedExchange[]> {
  const { loadTape } = await import('../recording/readTape');
  const { tape } = await loadTape(path);
  return tape.interactions.flatMap(({ index, mcp }) => (mcp === undefined ? [] : [{ index, exchange: mcp }]));
}

/** What a connection is one to. */
export interface McpSource {
  readonly server: string;
  readonly transport: McpTransport;
  /** Nothing is forwarded, whatever the mode. */
  readonly isPlayed?: boolean;
}
