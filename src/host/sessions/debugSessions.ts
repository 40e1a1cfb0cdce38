import * as vscode from 'vscode';
import { type SessionMode, sessionMode } from '../../contracts/engine/proxySessions';
import { accepts, guard } from '../../core/schema/accepts';
import { optional, shape, text, type Value } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { HumanError, reportError } from '../base/humanError';
import { requireTrust } from '../base/trust';
import { type AskedRecording, askToRecord } from './askToRecord';
import { type FollowedSession, followSession } from './followSession';
import { offerRecorded } from './offerRecorded';
import type { SessionParts } from './sessionParts';
import type { TapedProgram } from './tapedProgram';

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
export class DebugSessions implements vscode.Disposable {
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
