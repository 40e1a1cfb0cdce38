import * as vscode from 'vscode';
import type { SessionMode } from '../../../contracts/engine/proxySessions';
import { t } from '../../../core/text/l10n';
import { chooseFolder } from '../../base/chooseFolder';
import { oneLine } from '../../base/confirm';
import { DisposableStore } from '../../base/disposable';
import { HumanError, reportError } from '../../base/humanError';
import { requireTrust } from '../../base/trust';
import { askToRecord } from '../askToRecord';
import { type FollowedSession, followSession } from '../followSession';
import { freeTape } from '../freeTape';
import { offerRecorded } from '../offerRecorded';
import type { SessionParts } from '../sessionParts';
import { shellLineWords } from '../shellLine';

/** The variable of a terminal with its session, by which programs can see that their traffic goes through a tape. */
const SESSION = 'TAPEDECK_SESSION';

/** Ctrl+C. */
const INTERRUPT = '\u0003';

interface TapedTerminal {
  readonly session: string;
  readonly mode: SessionMode;
  readonly tape: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
}

interface Open extends TapedTerminal {
  readonly commands: CommandTracker;
  /** In a recording. */
  readonly followed?: FollowedSession;
}

/** Terminals whose traffic goes through a tape. Each has a proxy session of its own, which ends with it. */
export class TapedTerminals implements vscode.Disposable {
  readonly #open = new Map<string, Open>();
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(private readonly parts: SessionParts) {
    this.#owned.add(
      vscode.window.onDidCloseTerminal((terminal) => {
        const open = this.#of(terminal);
        if (open !== undefined) this.#end(open).catch((error: unknown) => void reportError(error, parts.log));
      }),
    );
  }

  of(terminal: vscode.Terminal | undefined): TapedTerminal | undefined {
    return terminal && this.#of(terminal);
  }

  /** The options of a new terminal that is recorded to a tape of its own, after asking. Rejects with `CancellationError` when it is declined. */
  async record(): Promise<vscode.TerminalOptions> {
    requireTrust();
    const folder = await chooseFolder(t('Open a folder first: the tape is saved in it.'));
    const promised = [...this.#open.values()].map(({ tape }) => tape);
    const tape = await freeTape({ folder, name: 'terminal', promised }, this.parts.stores);
    const { keys } = await askToRecord({ folder, words: [], tape }, this.parts);
    return this.#options({ mode: 'record', tape, folder }, keys);
  }

  /** The options of a new terminal in which everything is replayed from this tape. */
  async replay(tape: vscode.Uri): Promise<vscode.TerminalOptions> {
    requireTrust();
    const folder = vscode.workspace.getWorkspaceFolder(tape);
    if (folder === undefined) throw new HumanError(t('The tape is in no folder of the workspace.'));
    return this.#options({ mode: 'replay', tape, folder }, {});
  }

  dispose(): void {
    this.#owned.dispose();
    for (const { commands } of this.#open.values()) commands.dispose();
  }

  #of(terminal: vscode.Terminal): Open | undefined {
    const { creationOptions: options } = terminal;
    const session = 'env' in options ? options.env?.[SESSION] : undefined;
    return session ? this.#open.get(session) : undefined;
  }

  async #options(
    chosen: Omit<TapedTerminal, 'session'>,
    keys: Readonly<Record<string, string>>,
  ): Promise<vscode.TerminalOptions> {
    const { mode, tape, folder } = chosen;
    const { session, variables } = await this.parts.engine.call('openSession', {
      root: folder.uri.fsPath,
      tape: tape.fsPath,
      mode,
      keys,
      command: [],
      repeat: true,
    });
    const stop = (): void =>
      vscode.window.terminals.find((one) => this.of(one)?.session === session)?.sendText(INTERRUPT, false);
    await (await this.parts.following()).follow({ session, tape, mode, stop });
    const commands = new CommandTracker(session, this.parts.engine);
    const followed = mode === 'record' ? followSession({ session, tape }, this.parts) : undefined;
    this.#open.set(session, { ...chosen, session, commands, followed });
    const path = oneLine(vscode.workspace.asRelativePath(tape, false));
    const isRecord = mode === 'record';
    return {
      name: `${isRecord ? t('Record') : t('Replay')}: ${path.slice(path.lastIndexOf('/') + 1)}`,
      message: isRecord
        ? t('Tapedeck records this terminal to {0}, which is saved when the terminal is closed.', path)
        : t('Tapedeck replays {0} in this terminal. Nothing is sent to a model.', path),
      iconPath: new vscode.ThemeIcon(isRecord ? 'record' : 'play'),
      cwd: folder.uri,
      env: { ...variables, [SESSION]: session },
      // A window that is opened again has no proxy for it.
      isTransient: true,
    };
  }

  async #end({ session, mode, tape, folder, commands, followed }: Open): Promise<void> {
    this.#open.delete(session);
    this.#changed.fire();
    commands.dispose();
    await followed?.end();
    const outcome = mode === 'record' ? 'save' : 'discard';
    (await this.parts.following()).end(session);
    const closed = await this.parts.engine.call('closeSession', { session, outcome });
    if (mode === 'record') await (await this.parts.live()).end(session, tape, closed.saved !== undefined);
    // Nobody has to use a terminal.
    if (closed.requests === 0) return;
    const words = commands.wordsOfOnly(folder);
    if (mode === 'record') return offerRecorded({ folder, tape, words, exitCode: undefined, closed }, this.parts);
    if (closed.misses > 0) throw new HumanError(closed.notes.join(' '));
    if (closed.untaped !== undefined) void vscode.window.showWarningMessage(closed.untaped);
    void vscode.window.setStatusBarMessage(`Tapedeck: ${closed.tally}`, 10_000);
  }
}

/** Which commands of a terminal made requests, if its shell reports commands. */
class CommandTracker implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  /** The commands in which something was recorded. */
  readonly #recorded = new Set<vscode.TerminalShellExecution | undefined>();
  #running: vscode.TerminalShellExecution | undefined;

  constructor(session: string, engine: SessionParts['engine']) {
    let count = 0;
    this.#owned.add(
      engine.onSessionEvent((event) => {
        if (event.session !== session || event.recorded === count) return;
        count = event.recorded;
        this.#recorded.add(this.#running);
      }),
    );
    // A response may be recorded just after its command has ended: until the next one starts, it belongs to that.
    this.#owned.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal: { creationOptions: options }, execution }) => {
        if ('env' in options && Object.values(options.env ?? {}).includes(session)) this.#running = execution;
      }),
    );
  }

  /** The words of the command that made all requests, if it was one, in the folder; else none. */
  wordsOfOnly({ uri }: vscode.WorkspaceFolder): readonly string[] {
    const [only, ...others] = this.#recorded;
    if (only === undefined || others.length > 0) return [];
    const { commandLine, cwd } = only;
    const isKnown = commandLine.confidence !== vscode.TerminalShellExecutionCommandLineConfidence.Low;
    return isKnown && cwd?.path === uri.path ? shellLineWords(commandLine.value.trim()) : [];
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
