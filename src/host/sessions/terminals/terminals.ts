import * as vscode from 'vscode';
import type { SessionMode } from '../../../contracts/engine/proxySessions';
import { message, t } from '../../../core/text/l10n';
import type { CommandArgument } from '../../base/commandArguments';
import type { CommandId } from '../../base/commands';
import { ContextKey } from '../../base/contextKey';
import { DisposableStore } from '../../base/disposable';
import { fileExists } from '../../base/files';
import { HumanError, reportError } from '../../base/humanError';
import { requireTrust } from '../../base/trust';
import type { SessionParts } from '../sessionParts';
import { TapedTerminals } from './tapedTerminals';

const ICONS = { replay: 'play', record: 'record' } as const;
const WORDS = { replay: message('Replay'), record: message('Record') } as const;

/** The switch for new terminals (off, replay, record), and the profiles that do the same for one terminal. */
export class Terminals implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #taped: TapedTerminals;
  readonly #item: vscode.StatusBarItem;
  readonly #key = new ContextKey<string>('tapedeck.terminals');
  #mode: SessionMode | undefined;
  /** A terminal without a tape has been pointed out since the switch was turned on. */
  #isTold = false;

  constructor(private readonly parts: SessionParts) {
    this.#taped = this.#owned.add(new TapedTerminals(parts));
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('tapedeck.terminals', vscode.StatusBarAlignment.Left, 0),
    );
    this.#item.name = t('Tapedeck Terminals');
    this.#item.command = 'tapedeck.terminalMode' satisfies CommandId;
    const show = (): void => this.#show();
    this.#owned.add(this.#taped.onDidChange(show));
    this.#owned.add(vscode.window.onDidChangeActiveTerminal(show));
    this.#owned.add(
      vscode.window.onDidOpenTerminal((terminal) => {
        this.#show();
        // The questions before it may have taken the place of the panel.
        if (this.#taped.of(terminal) !== undefined) terminal.show();
        this.#pointOut(terminal).catch((error: unknown) => void reportError(error, parts.log));
      }),
    );
  }

  /** Asks for the mode of new terminals, and opens the first one. */
  async choose(): Promise<void> {
    requireTrust();
    const last = await lastTape(this.parts);
    const replayed =
      last === undefined ? t('Choose a tape') : t('{0}, or another tape', vscode.workspace.asRelativePath(last));
    const items = [
      { label: t('$(circle-slash) Off'), description: t('New terminals use no tape'), mode: undefined },
      { label: t('$(play) Replay…'), description: replayed, mode: 'replay' as const },
      { label: t('$(record) Record…'), description: t('Each terminal to a new tape'), mode: 'record' as const },
    ];
    const title = t('Tape of New Terminals');
    const placeHolder = t('Now: {0}', this.#mode === undefined ? t('off') : t(WORDS[this.#mode]).toLowerCase());
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder });
    if (chosen === undefined) throw new vscode.CancellationError();
    const options = chosen.mode && (await this.#askFor(chosen.mode));
    this.#turn(chosen.mode);
    if (options !== undefined) vscode.window.createTerminal(options);
  }

  /** Opens a terminal that replays a tape, or else one as the switch says. */
  async open(argument: CommandArgument): Promise<void> {
    const isReplay = this.#mode === 'replay';
    const tape = argument.type === 'uri' ? argument.uri : isReplay ? await lastTape(this.parts) : undefined;
    const options = tape ? await this.#taped.replay(tape) : await this.#askFor(this.#mode ?? 'record');
    vscode.window.createTerminal(options);
  }

  /** For a terminal that is opened by its profile. What it rejects with is shown by VS Code. */
  async profile(mode: SessionMode): Promise<vscode.TerminalProfile> {
    try {
      return new vscode.TerminalProfile(await this.#askFor(mode));
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) throw error;
      throw new Error(t('No terminal was opened, as you canceled.'));
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #askFor(mode: SessionMode): Promise<vscode.TerminalOptions> {
    if (mode === 'record') return this.#taped.record();
    requireTrust();
    return this.#taped.replay(await chooseTape(this.parts));
  }

  #turn(mode: SessionMode | undefined): void {
    this.#mode = mode;
    this.#isTold = false;
    this.#key.set(mode ?? 'off');
    this.#show();
  }

  /** Shows the tape of the active terminal, or else the switch where it is on. */
  #show(): void {
    const taped = this.#taped.of(vscode.window.activeTerminal);
    const mode = taped?.mode ?? this.#mode;
    if (mode === undefined) {
      this.#item.hide();
      return;
    }
    const path = taped && vscode.workspace.asRelativePath(taped.tape);
    const what = path === undefined ? t('New Terminals') : path.slice(path.lastIndexOf('/') + 1);
    this.#item.text = `$(${ICONS[mode]}) ${t(WORDS[mode])}: ${what}`;
    const active =
      mode === 'record'
        ? message('The active terminal is recorded to {0}.')
        : message('The active terminal replays {0}.');
    const terminal = path && t(active, path);
    const others = t(
      'New terminals: {0}. Click to change.',
      this.#mode ? t(WORDS[this.#mode]).toLowerCase() : t('off'),
    );
    this.#item.tooltip = [terminal, others].filter((line) => line !== undefined).join('\n');
    this.#item.show();
  }

  /** VS Code opens terminals of other profiles without asking: one that looks as if it were on tape is pointed out, once. */
  async #pointOut(terminal: vscode.Terminal): Promise<void> {
    const { creationOptions: options } = terminal;
    const isShell = !('pty' in options) && options.name === undefined;
    if (this.#mode === undefined || this.#isTold || !isShell || this.#taped.of(terminal)) return;
    this.#isTold = true;
    const action = t('Open One on Tape');
    const message = t('This terminal uses no tape: VS Code opened it with another profile.');
    if ((await vscode.window.showInformationMessage(message, action)) === action) await this.open({ type: 'none' });
  }
}

const LAST = 'tapedeck.terminalTape';

/** The tape that terminals were last replayed with, if it is still there. */
async function lastTape({ context }: Pick<SessionParts, 'context'>): Promise<vscode.Uri | undefined> {
  const kept = context.workspaceState.get<string>(LAST);
  const uri = kept === undefined ? undefined : vscode.Uri.parse(kept);
  return uri && (await fileExists(uri)) ? uri : undefined;
}

/** Asks for the tape to replay; the last one comes first. Rejects with `CancellationError` when none is chosen. */
async function chooseTape({
  context,
  stores: { tapes },
}: Pick<SessionParts, 'context' | 'stores'>): Promise<vscode.Uri> {
  await tapes.load();
  const last = await lastTape({ context });
  const items = tapes
    .uris()
    // One that is being recorded has an address of its own.
    .filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .map((uri) => ({
      label: vscode.workspace.asRelativePath(uri),
      uri,
      ...(uri.toString() === last?.toString() && { description: t('last replayed') }),
    }))
    .sort((left, right) => left.label.localeCompare(right.label));
  if (items.length === 0)
    throw new HumanError(t('This workspace has no tapes yet.'), {
      title: t('Record a Command…'),
      run: () => vscode.commands.executeCommand('tapedeck.recordCommand' satisfies CommandId),
    });
  const isLast = ({ description }: (typeof items)[number]): boolean => description !== undefined;
  const sorted = [...items.filter(isLast), ...items.filter((item) => !isLast(item))];
  const placeHolder = t('The tape whose responses programs in the terminal get');
  const chosen = await vscode.window.showQuickPick(sorted, { title: t('Replay in a Terminal'), placeHolder });
  if (chosen === undefined) throw new vscode.CancellationError();
  await context.workspaceState.update(LAST, chosen.uri.toString());
  return chosen.uri;
}
