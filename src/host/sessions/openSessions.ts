import * as vscode from 'vscode';
import type { HookState } from '../../contracts/engine/hooks';
import { type SessionMode, sessionMode } from '../../contracts/engine/proxySessions';
import { accepts, guard } from '../../core/schema/accepts';
import { optional, shape, text, type Value } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { chooseFolder } from '../base/chooseFolder';
import type { CommandArgument } from '../base/commandArguments';
import { DisposableStore } from '../base/disposable';
import { HumanError, reportError } from '../base/humanError';
import { requireTrust } from '../base/trust';
import { type AskedRecording, askToRecord } from './askToRecord';
import { type FollowedSession, followSession } from './followSession';
import { Holds } from './holds';
import { LastRecording } from './lastRecording';
import { LiveTapes } from './liveTapes';
import { offerRecorded } from './offerRecorded';
import { recordChosenCommand, recordScript } from './recordCommands';
import type { SessionParts } from './sessionParts';
import type { TapedProgram } from './tapedProgram';
import { Terminals } from './terminals/terminals';

export type SessionCommand =
  | 'tapedeck.recordScript'
  | 'tapedeck.recordCommand'
  | 'tapedeck.saveLastRecording'
  | 'tapedeck.changeHook'
  | 'tapedeck.continueHeld'
  | 'tapedeck.stepHeld'
  | 'tapedeck.stopHeld'
  | 'tapedeck.holdNext'
  | 'tapedeck.terminalMode'
  | 'tapedeck.newTerminal';

/** What records and replays programs that are no cases. Each part is made when it is first used. */
export class OpenSessions implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #parts: SessionParts;
  #live: LiveTapes | undefined;
  #holds: Holds | undefined;
  #debug: DebugSessions | undefined;
  #terminals: Terminals | undefined;

  constructor(given: Omit<SessionParts, 'last' | 'live' | 'following'>) {
    this.#parts = {
      ...given,
      last: new LastRecording(),
      live: async () => {
        this.#live ??= this.#owned.add(new LiveTapes());
        return this.#live;
      },
      following: async () => this.#following(),
    };
  }

  async run(command: SessionCommand, argument: CommandArgument): Promise<void> {
    switch (command) {
      case 'tapedeck.recordScript':
        requireTrust();
        return recordScript(argument, this.#parts);
      case 'tapedeck.recordCommand':
        requireTrust();
        return recordChosenCommand(this.#parts);
      case 'tapedeck.saveLastRecording':
        requireTrust();
        return (await import('./saveAsCase')).saveLastRecording(this.#parts);
      case 'tapedeck.changeHook':
        requireTrust();
        return changeHook(this.#parts);
      case 'tapedeck.continueHeld':
        return this.#following().releaseFirst('continue');
      case 'tapedeck.stepHeld':
        return this.#following().releaseFirst('step');
      case 'tapedeck.stopHeld':
        return this.#following().releaseFirst('stop');
      case 'tapedeck.holdNext':
        return this.#following().holdNext();
      case 'tapedeck.terminalMode':
        return this.#taped().choose();
      case 'tapedeck.newTerminal':
        return this.#taped().open(argument);
    }
  }

  resolve(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration) {
    this.#debug ??= this.#owned.add(new DebugSessions(this.#parts));
    return this.#debug.resolve(folder, configuration);
  }

  profile(mode: SessionMode): Promise<vscode.TerminalProfile> {
    return this.#taped().profile(mode);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #following(): Holds {
    this.#holds ??= this.#owned.add(new Holds(this.#parts));
    return this.#holds;
  }

  #taped(): Terminals {
    this.#terminals ??= this.#owned.add(new Terminals(this.#parts));
    return this.#terminals;
  }
}

/** Installs the gate as the pre-commit hook of a repository, or removes it. Asks where there is a hook already. */
async function changeHook({ engine }: Pick<SessionParts, 'engine'>): Promise<void> {
  const folder = await chooseFolder(t('Open a folder first: the hook goes into its repository.'));
  const root = folder.uri.fsPath;
  const hook = await engine.call('hook', { root });
  if (hook.manager === 'lefthook' || hook.manager === 'pre-commit') return byHand(hook);
  if (hook.state === 'installed') return remove(hook, root, engine);
  if (hook.state === 'script') return byHand(hook);
  if (!(await agreed(hook))) throw new vscode.CancellationError();
  const { file } = await engine.call('changeHook', { root, change: 'install' });
  const message = t(
    '{0} now runs “tapedeck check”: a commit with pending changes of tapes or baselines is stopped.',
    shownPath(file),
  );
  if ((await vscode.window.showInformationMessage(message, t('Open Hook'))) !== undefined) await open(file);
}

/** A new hook of git's own needs no question: the command was it. */
async function agreed({ manager, state, file, lines }: HookState): Promise<boolean> {
  if (state === 'absent' && manager === 'git') return true;
  const isNew = state === 'absent';
  const title = isNew ? t('Create the husky hook {0}?', shownPath(file)) : t('Add to the hook {0}?', shownPath(file));
  const what = isNew
    ? t('It will have these lines:')
    : t('These lines will be added at the top; everything else stays as it is:');
  const action = isNew ? t('Create Hook') : t('Add to Hook');
  return (
    (await vscode.window.showInformationMessage(title, { modal: true, detail: `${what}\n\n${lines}` }, action)) ===
    action
  );
}

async function remove({ file }: HookState, root: string, engine: SessionParts['engine']): Promise<void> {
  const action = t('Remove');
  const title = t("Remove Tapedeck's check from {0}?", shownPath(file));
  const detail = t('It is installed. Other lines of the hook stay as they are.');
  if ((await vscode.window.showInformationMessage(title, { modal: true, detail }, action)) !== action)
    throw new vscode.CancellationError();
  await engine.call('changeHook', { root, change: 'remove' });
  void vscode.window.showInformationMessage(t("Tapedeck's check was removed from {0}.", shownPath(file)));
}

/** Configurations of hook managers belong to the whole team, and are not changed: their lines are given. */
async function byHand({ manager, file, lines, state }: HookState): Promise<void> {
  if (state === 'installed') {
    const message = t("{0} already runs Tapedeck's check. To remove it, take its lines out.", shownPath(file));
    if ((await vscode.window.showInformationMessage(message, t('Open File'))) !== undefined) await open(file);
    return;
  }
  const action = t('Copy Lines and Open File');
  const message =
    manager === 'git'
      ? t('Tapedeck cannot edit {0}. Add these lines to it:', shownPath(file))
      : t('{0} is managed by {1}. Add these lines to it:', shownPath(file), manager);
  if ((await vscode.window.showInformationMessage(message, { modal: true, detail: lines }, action)) !== action)
    throw new vscode.CancellationError();
  await vscode.env.clipboard.writeText(lines);
  await open(file);
}

async function open(file: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

function shownPath(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file), false);
}

/** In a configuration that has been resolved: the proxy session that ends with the debug session. */
const SESSION = '__tapedeckSession';

/** The member `tapedeck` of a launch configuration. */
const TAPED = shape({ mode: optional(sessionMode), tape: text() });

type Taped = Value<typeof TAPED>;

interface Open extends TapedProgram {
  readonly mode: SessionMode;
  /** In a recording. */
  readonly followed?: FollowedSession;
}

/** Debug sessions whose launch configuration has `"tapedeck": {"mode": …, "tape": …}`: what they debug runs with that tape. */
class DebugSessions implements vscode.Disposable {
  readonly #open = new Map<string, Open>();
  /** By the proxy session that ends with each. */
  readonly #started = new Map<string, vscode.DebugSession>();
  readonly #owned: vscode.Disposable;

  constructor(private readonly parts: SessionParts) {
    this.#owned = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((started) => {
        const id = proxySessionOf(started);
        if (id !== undefined) this.#started.set(id, started);
      }),
      vscode.debug.onDidTerminateDebugSession((ended) => {
        const id = proxySessionOf(ended);
        if (id !== undefined) this.#end(id).catch((error: unknown) => void reportError(error, parts.log));
      }),
    );
  }

  /** The configuration with the variables of a new proxy session. Undefined, after reporting why, where the debug session is not to start. */
  async resolve(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (configuration.tapedeck === undefined || configuration[SESSION] !== undefined) return configuration;
    try {
      requireTrust();
      return await this.#opened(folder ?? vscode.workspace.workspaceFolders?.[0], configuration);
    } catch (error) {
      void reportError(error, this.parts.log);
      return undefined;
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #opened(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration> {
    if (folder === undefined) throw new HumanError(t('Open a folder first: the tape is saved in it.'));
    const { mode = 'replay', tape: path } = parseTaped(configuration.tapedeck);
    const words = wordsOf(folder, configuration);
    const program = { folder, words, tape: vscode.Uri.joinPath(folder.uri, path) };
    const asked: AskedRecording = mode === 'record' ? await askToRecord(program, this.parts) : { keys: {} };
    const { session, variables } = await this.parts.engine.call('openSession', {
      root: folder.uri.fsPath,
      tape: program.tape.fsPath,
      mode,
      keys: asked.keys,
      command: words,
    });
    const followed = mode === 'record' ? followSession({ session, tape: program.tape }, this.parts) : undefined;
    this.#open.set(session, { ...program, mode, followed });
    const stop = (): void => void vscode.debug.stopDebugging(this.#started.get(session));
    await (await this.parts.following()).follow({ session, tape: program.tape, mode, stop });
    return { ...withVariables(configuration, variables), [SESSION]: session };
  }

  async #end(session: string): Promise<void> {
    const opened = this.#open.get(session);
    if (opened === undefined) return;
    this.#open.delete(session);
    this.#started.delete(session);
    await opened.followed?.end();
    const outcome = opened.mode === 'record' ? 'save' : 'discard';
    (await this.parts.following()).end(session);
    const closed = await this.parts.engine.call('closeSession', { session, outcome });
    if (opened.mode === 'record') {
      await (await this.parts.live()).end(session, opened.tape, closed.saved !== undefined);
      return offerRecorded({ ...opened, exitCode: 0, closed }, this.parts);
    }
    if (closed.misses > 0 || closed.requests === 0) throw new HumanError(closed.notes.join(' '));
    if (closed.untaped !== undefined) void vscode.window.showWarningMessage(closed.untaped);
    void vscode.window.setStatusBarMessage(`Tapedeck: ${closed.tally}`, 10_000);
  }
}

/** Child sessions, such as those of Node's own processes, end before the one that was launched. */
function proxySessionOf({ configuration, parentSession }: vscode.DebugSession): string | undefined {
  const id: unknown = configuration[SESSION];
  return typeof id === 'string' && parentSession === undefined ? id : undefined;
}

function parseTaped(value: unknown): Taped {
  if (accepts(TAPED, value)) return value;
  throw new HumanError(
    t(
      'The launch configuration has no valid "tapedeck". Write it as {"mode": "replay" or "record", "tape": "tapes/agent.tape.jsonl"}.',
    ),
  );
}

/** The command for a case, if the configuration of a known debugger has it. */
function wordsOf(
  folder: vscode.WorkspaceFolder,
  { type, program, args }: vscode.DebugConfiguration,
): readonly string[] {
  if (typeof program !== 'string') return [type];
  const path = program.startsWith(`${folder.uri.fsPath}/`) ? program.slice(folder.uri.fsPath.length + 1) : program;
  const rest = Array.isArray(args) ? args.filter(guard(text())) : [];
  if (/node/.test(type)) return ['node', path, ...rest];
  return /python/.test(type) ? ['python3', path, ...rest] : [path, ...rest];
}

/** Debuggers for C and C++ list variables, all others have them by name. */
function withVariables(
  configuration: vscode.DebugConfiguration,
  variables: Readonly<Record<string, string>>,
): vscode.DebugConfiguration {
  if (!/^cpp/.test(configuration.type)) return { ...configuration, env: { ...configuration.env, ...variables } };
  const own: readonly unknown[] = Array.isArray(configuration.environment) ? configuration.environment : [];
  const added = Object.entries(variables).map(([name, value]) => ({ name, value }));
  return { ...configuration, environment: [...own, ...added] };
}
