import * as vscode from 'vscode';
import { type Connected, connect, type Params, type Result } from '../../contracts/contract';
import {
  type EditorApi,
  ENGINE_PROTOCOL,
  type EngineHello,
  engine,
  type RunEvent,
} from '../../contracts/engine/engine';
import type { SearchEvent } from '../../contracts/engine/search';
import type { HeldEvent, SessionEvent } from '../../contracts/engine/sessionEvents';
import type { TrialEvent } from '../../contracts/engine/trials';
import { type CallOptions, RpcError } from '../../contracts/rpc/rpc';
import { t } from '../../core/text/l10n';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { type EngineProcess, startEngine } from './engineProcess';

const HELLO_TIMEOUT_MS = 15_000;
/** An engine that stops twice within this time is not restarted automatically. */
const RESTART_WINDOW_MS = 60_000;

type EngineCalls = typeof engine.calls;

interface Connection {
  readonly process: EngineProcess;
  readonly engine: Connected<typeof engine>;
}

/**
 * The long-lived engine process. It starts with the first call. When it stops unexpectedly it is restarted once, and
 * the user is notified, because the runs in it have ended.
 */
export class EngineClient implements vscode.Disposable {
  readonly #ran = new vscode.EventEmitter<RunEvent>();
  readonly onRunEvent = this.#ran.event;
  readonly #advanced = new vscode.EventEmitter<SessionEvent>();
  readonly onSessionEvent = this.#advanced.event;
  readonly #heldBack = new vscode.EventEmitter<HeldEvent>();
  readonly onHeldEvent = this.#heldBack.event;
  readonly #sampled = new vscode.EventEmitter<TrialEvent>();
  readonly onTrialEvent = this.#sampled.event;
  readonly #searched = new vscode.EventEmitter<SearchEvent>();
  readonly onSearchEvent = this.#searched.event;
  #connection: Promise<Connection> | undefined;
  #lastStop = Number.NEGATIVE_INFINITY;
  #disposed = false;

  constructor(
    private readonly script: string,
    private readonly log: Log,
    /** The calls that the engine may make to the editor. */
    private readonly editor: EditorApi,
  ) {}

  async call<M extends keyof EngineCalls>(
    method: M,
    params: Params<EngineCalls[M]>,
    options?: CallOptions,
  ): Promise<Result<EngineCalls[M]>> {
    const { calls } = (await this.#connect()).engine;
    try {
      return await calls[method](params, options);
    } catch (error) {
      if (error instanceof RpcError && error.code === 'cancelled') throw new vscode.CancellationError();
      if (error instanceof RpcError && error.code === 'failed') throw new HumanError(error.message);
      throw error;
    }
  }

  /** The process id of the engine, if it is running. */
  async pid(): Promise<number | undefined> {
    return this.#connection && (await this.#connection).process.pid;
  }

  dispose(): void {
    this.#disposed = true;
    this.#ran.dispose();
    this.#advanced.dispose();
    this.#heldBack.dispose();
    this.#sampled.dispose();
    this.#searched.dispose();
    void this.#connection?.then(({ process, engine: connected }) => {
      connected.close();
      process.kill();
    });
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#start().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #start(): Promise<Connection> {
    const process = startEngine(this.script, (line) => this.log.info(`engine: ${line}`));
    const connected = connect(engine, process.channel, this.editor);
    connected.on('run', (event) => this.#ran.fire(event));
    connected.on('session', (event) => this.#advanced.fire(event));
    connected.on('held', (event) => this.#heldBack.fire(event));
    connected.on('trial', (event) => this.#sampled.fire(event));
    connected.on('search', (event) => this.#searched.fire(event));
    void process.ended.then((how) => this.#onEnd(connected, how));
    const hello = await connected.calls.hello(undefined, { timeoutMs: HELLO_TIMEOUT_MS });
    this.#check(hello);
    this.log.info(`engine ${hello.version} is ready (process ${process.pid})`);
    return { process, engine: connected };
  }

  #check({ protocol, version }: EngineHello): void {
    if (protocol === ENGINE_PROTOCOL) return;
    throw new HumanError(t('The engine (version {0}) does not match this extension. Reinstall Tapedeck.', version));
  }

  #onEnd(connected: Connected<typeof engine>, how: string): void {
    connected.close(t('The engine stopped: {0}. Try again.', how));
    this.#connection = undefined;
    if (this.#disposed) return;
    this.log.error(`the engine stopped: ${how}`);
    const now = Date.now();
    const restarts = now - this.#lastStop > RESTART_WINDOW_MS;
    this.#lastStop = now;
    void this.#announce(how, restarts);
  }

  async #announce(how: string, restarts: boolean): Promise<void> {
    if (restarts) await this.#connect().catch((error: unknown) => this.log.error(String(error)));
    const outcome = restarts
      ? t('It has been restarted; the runs in progress have ended.')
      : t('It will be restarted when it is needed.');
    const message = t("Tapedeck's engine stopped: {0}. {1}", how, outcome);
    const chosen = await vscode.window.showWarningMessage(message, t('Show Log'));
    if (chosen !== undefined) this.log.show();
  }
}
