import { randomUUID } from 'node:crypto';
import type { ClosedSession, OpenedSession, OpenSessionParams } from '../../contracts/engine/proxySessions';
import type { HeldEvent, SessionEvent } from '../../contracts/engine/sessionEvents';
import type { ReleaseHeldParams, SetHoldsParams } from '../../contracts/holds';
import { joinRules } from '../../core/cases/toml/replaySpec';
import { t } from '../../core/text/l10n';
import { says } from '../../core/text/notice';
import { UserError } from '../errors/userError';
import { inTheirLanguage } from '../language';
import { untapedAdvice } from '../mcpTape/untapedServers';
import { heldKeys } from '../network/heldKeys';
import type { NetworkPolicy } from '../network/policy';
import { projectConfig } from '../project/projectConfig';
import { type OpenProxy, openProxy } from '../proxy/openProxy';
import { HoldGate } from '../proxy/session/holdGate';
import { abandonedAdvice, silenceAdvice } from '../proxy/silentAgent';
import { projectRecorder } from '../recording/openRecorder';
import { recordedTape } from '../recording/saveRecording';
import { ProxyRecording } from './proxyRecording';

type OpenParams = Omit<OpenSessionParams, 'root'> & {
  readonly root: string;
  readonly network: NetworkPolicy;
};

/** The proxy sessions of the editor: programs that it starts, but that this process does not. */
export class ProxySessions {
  readonly #open = new Map<string, ProxySessionOfEditor>();

  constructor(
    private readonly emit: (event: SessionEvent) => void,
    private readonly emitHeld: (event: HeldEvent) => void,
  ) {}

  /** Rejects with a `UserError` if the tape cannot be read, or written at the end. */
  async open(params: OpenParams): Promise<OpenedSession> {
    const id = randomUUID();
    const gate = new HoldGate((held) => this.emitHeld({ session: id, held }));
    const session = await ProxySessionOfEditor.open(params, gate, (state) => this.emit({ session: id, ...state }));
    this.#open.set(id, session);
    return { session: id, variables: session.variables };
  }

  async tape(id: string): Promise<string> {
    return this.#session(id).tape();
  }

  async setHolds({ session, interactions, next }: SetHoldsParams): Promise<void> {
    this.#session(session).gate.set(interactions, next);
  }

  async releaseHeld({ session, held, release }: ReleaseHeldParams): Promise<void> {
    this.#session(session).gate.release(held, release);
  }

  async close(id: string, outcome: 'save' | 'discard'): Promise<ClosedSession> {
    const session = this.#session(id);
    this.#open.delete(id);
    return session.close(outcome);
  }

  #session(id: string): ProxySessionOfEditor {
    const session = this.#open.get(id);
    if (session !== undefined) return session;
    throw new UserError(
      () => t('the recording ended because the engine stopped'),
      () => t('Tapedeck will offer to save what it had recorded.'),
    );
  }
}

class ProxySessionOfEditor {
  private constructor(
    private readonly params: OpenParams,
    readonly gate: HoldGate,
    private readonly proxy: OpenProxy,
    private readonly recording: ProxyRecording | undefined,
    private readonly notes: string[],
  ) {}

  static async open(
    params: OpenParams,
    gate: HoldGate,
    onRequest: (state: Omit<SessionEvent, 'session'>) => void,
  ): Promise<ProxySessionOfEditor> {
    const { root, tape: tapePath, mode, keys, network, repeat } = params;
    const config = await projectConfig(root);
    const notes: string[] = [];
    const plan = { mode, root, tapePath, format: config.proxy.format };
    const note = (line: string): void => void notes.push(line.replace(/^tapedeck: /, ''));
    const recording = mode === 'record' ? await ProxyRecording.begin(plan, note, () => undefined) : undefined;
    try {
      const proxy: OpenProxy = await openProxy({
        root,
        tapePath,
        mode,
        config,
        environment: process.env,
        recorder: projectRecorder(root, { environments: [process.env], keys, patterns: config.proxy.redactPatterns }),
        network,
        rules: joinRules([{ masks: [] }, config.proxy.rules, config.replay]),
        journal: recording?.journal,
        forward: true,
        gate,
        repeat,
        rerecord: t('Record again if the change is intended.'),
        onReport: () => onRequest({ requests: proxy.tally.reports.length, recorded: proxy.recorded.length }),
        onFault: note,
      });
      return new ProxySessionOfEditor(params, gate, proxy, recording, notes);
    } catch (error) {
      await recording?.end();
      throw error;
    }
  }

  get variables(): Readonly<Record<string, string>> {
    const { keys, mode } = this.params;
    const unset = Object.keys(keys).filter((name) => !process.env[name]);
    return { ...(mode === 'record' ? heldKeys(unset) : {}), ...this.proxy.variables };
  }

  async tape(): Promise<string> {
    const { recorded, recorder } = this.proxy;
    return recordedTape({ path: this.params.tape, recorded, recorder: await recorder.get() });
  }

  async close(outcome: 'save' | 'discard'): Promise<ClosedSession> {
    const { proxy, recording, notes } = this;
    try {
      this.gate.close();
      await proxy.drain();
      const saves = outcome === 'save' && proxy.recorded.length > 0;
      if (saves) await recording?.save({ recorded: proxy.recorded, recorder: proxy.recorder });
      const { tally } = proxy;
      const isReplay = this.params.mode === 'replay';
      const untaped = saves || isReplay ? await inTheirLanguage(() => this.#untaped()) : undefined;
      return inTheirLanguage(() => ({
        requests: tally.reports.length,
        tally: tally.text(),
        ...(saves && recording !== undefined && { saved: proxy.recorded.length }),
        misses: tally.misses,
        untaped,
        notes: [
          ...this.#requestNotes(),
          ...[tally.telemetryText({ isReplay }) ?? []].flat(),
          ...notes,
          ...[untaped ?? []].flat(),
        ],
      }));
    } finally {
      await proxy.close();
      await recording?.end();
    }
  }

  async #untaped(): Promise<string | undefined> {
    const { root, mode, command } = this.params;
    const where = { command, cwd: root, from: root, taped: undefined, namedIn: 'window' } as const;
    return untapedAdvice({ ...where, mode, started: await this.proxy.startedServers() });
  }

  #requestNotes(): readonly string[] {
    const { tally, abandoned } = this.proxy;
    const explained = tally.reports.flatMap(({ number, verdict, explanation, said = explanation }) =>
      said === undefined ? [] : [t('Request {0}: {1}. {2}', number + 1, verdict, says(said))],
    );
    const silence =
      tally.reports.length === 0 ? (abandonedAdvice(abandoned) ?? silenceAdvice(this.params.command)) : [];
    return [...explained, ...[silence].flat()];
  }
}
