import * as vscode from 'vscode';
import type { TestMode } from '../../core/tapeTests/testRun';
import { message, t } from '../../core/text/l10n';
import type { CommandArgument, TestTarget } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { toDiagnostic } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import { isEnabled, onDidChangeSwitch } from '../base/settings';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeStore } from '../stores/tapes/tapeStore';
import { SOURCE_GLOB, type TapeTestStore } from '../stores/tapes/tapeTestStore';
import { canRecord, existingTapes, hasUnknownTape } from './testTapes';

/** Registers lenses, commands and problems for tests that use tapes. `requireTrust` throws in Restricted Mode. */
export function registerTapeTests(parts: {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  readonly loadRuns?: (() => Promise<typeof import('./testRuns')>) | undefined;
  readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>;
  requireTrust(): void;
}): vscode.Disposable {
  const { tests, tapes, log, context, loadRuns } = parts;
  const storage = context.storageUri ?? context.globalStorageUri;
  const owned = new DisposableStore();
  const lenses = new TestLenses(tests, tapes);
  owned.add(tapes.onDidChange(() => lenses.refresh()));
  owned.add(onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => lenses.refresh()));
  owned.add(vscode.languages.registerCodeLensProvider({ pattern: SOURCE_GLOB }, lenses));
  owned.add(registerTestCommands({ tests, tapes, log, storage, loadRuns, requireTrust: parts.requireTrust }));
  owned.add(registerOrphans(tapes, tests));
  return owned;
}

/** Reports the tapes that no test uses in the Problems view. */
function registerOrphans(tapes: TapeStore, tests: TapeTestStore): vscode.Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('tapedeck.orphans'));
  /** The reason for each orphan, by the URI of the tape. */
  const orphans = new Map<string, string>();
  const update = async (uris: readonly vscode.Uri[]): Promise<void> => {
    for (const uri of uris) {
      const tape = tapes.get(uri);
      const reason = tape && (await tests.orphanReason(tape));
      const key = uri.toString();
      // There may be thousands of tapes, so only changes are reported.
      if (reason === orphans.get(key)) continue;
      collection.set(uri, reason === undefined ? [] : [orphanDiagnostic(reason)]);
      if (reason === undefined) orphans.delete(key);
      else orphans.set(key, reason);
    }
  };
  owned.add(tapes.onDidChange(({ uris }) => void update(uris)));
  owned.add(tests.onDidChange(() => void update(tapes.all().map(({ uri }) => uri))));
  return owned;
}

function orphanDiagnostic(reason: string): vscode.Diagnostic {
  const problem = {
    severity: 'warning' as const,
    message: t('this tape is orphaned: {0}', reason),
    fix: t('Delete it, or let a test use it again.'),
    span: { start: 0, end: 0 },
  };
  const diagnostic = toDiagnostic(problem, new vscode.Range(0, 0, 0, 0));
  diagnostic.code = 'orphan';
  return diagnostic;
}

interface TestCommandParts {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
  readonly log: Log;
  /** Absent in a browser, where nothing runs. */
  readonly loadRuns?: (() => Promise<typeof import('./testRuns')>) | undefined;
  /** The extension's own folder. */
  readonly storage: vscode.Uri;
  /** Throws in Restricted Mode. */
  requireTrust(): void;
}

/** Registers the commands for tests that use tapes. */
function registerTestCommands({
  tests,
  tapes,
  log,
  storage,
  loadRuns,
  requireTrust,
}: TestCommandParts): vscode.Disposable {
  const chosen = async (argument: CommandArgument): Promise<FoundTest> => {
    requireTrust();
    const { testAt, testAtCursor } = await import('./chosenTest');
    return argument.type === 'none' ? testAtCursor(tests) : testAt(tests, argument);
  };
  const run = (mode: TestMode) => async (argument: CommandArgument) => {
    const test = await chosen(argument);
    await (await loadRuns?.())?.runTest(test, mode, { tapes, storage });
  };
  return vscode.Disposable.from(
    registerCommand('tapedeck.replayTest', log, run('replay')),
    registerCommand('tapedeck.recordTest', log, run('record')),
    registerCommand('tapedeck.debugTest', log, async (argument) => {
      const test = await chosen(argument);
      await (await loadRuns?.())?.debugTest(test, storage);
    }),
    registerCommand('tapedeck.removeOrphans', log, async (argument, nodes) => {
      requireTrust();
      await (await loadRuns?.())?.removeOrphans(argument, nodes, { tests, tapes });
    }),
    registerCommand('tapedeck.openTestOfTape', log, async (argument) =>
      (await import('./chosenTest')).openTestOf(tests, argument),
    ),
  );
}

/** The lenses above each test that uses a tape: the tape, a replay, and a new recording. */
class TestLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    private readonly tests: TapeTestStore,
    private readonly tapes: TapeStore,
  ) {}

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!isEnabled('codeLens.enabled', document.uri)) return [];
    const tests = await this.tests.testsIn(document);
    return (await Promise.all(tests.map((test) => lensesOf(document, test, this.tapes)))).flat();
  }
}

async function lensesOf(
  document: vscode.TextDocument,
  found: FoundTest,
  listed: TapeStore,
): Promise<vscode.CodeLens[]> {
  const { test } = found;
  const position = document.positionAt(test.start);
  const range = new vscode.Range(position, position);
  const target: TestTarget = { file: document.uri, test: test.name };
  const tapes = (await existingTapes(found, listed)).slice(0, MOST_TAPES);
  // A test whose title is unknown cannot be run alone. In Restricted Mode, nothing runs.
  const isRun = vscode.workspace.isTrusted && test.select !== undefined;
  const isUnknown = tapes.length === 0 && hasUnknownTape(test);
  const unknown = isUnknown ? ` ${t('The name of its tape is computed at run time, so it is not shown here.')}` : '';
  const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(range, { title, tooltip: `${tooltip}${unknown}`, command, arguments: [target] });
  const isRecorded = tapes.length > 0 || isUnknown;
  return [
    ...tapes.map(
      (tape) =>
        new vscode.CodeLens(range, {
          title: `$(comment-discussion) ${shortName(tape)}`,
          tooltip: t('Open {0} as a transcript.', vscode.workspace.asRelativePath(tape)),
          command: 'tapedeck.openTranscript',
          arguments: [tape],
        }),
    ),
    // Without a tape, a run would record, so no replay is offered.
    ...(isRun && isRecorded ? [lens(t('$(play) Replay'), t(REPLAY), 'tapedeck.replayTest')] : []),
    ...(isRun && isRecorded ? [lens(t('$(debug-alt) Debug'), t(DEBUG), 'tapedeck.debugTest')] : []),
    ...(isRun && canRecord(test)
      ? [lens(isRecorded ? t('$(record) Re-record') : t('$(record) Record'), t(RECORD), 'tapedeck.recordTest')]
      : []),
  ];
}

/** A test with parameters has one for each; the others are in the Tapedeck view. */
const MOST_TAPES = 3;

const DEBUG = message('Run this test alone in the debugger, with its recorded responses.');
const REPLAY = message('Run this test alone, with its recorded responses.');

const RECORD = message(
  'Run this test alone against the real provider and record its tape again. Asks for confirmation first.',
);

/** Polly's recordings all have the same file name, so their folder names them. */
function shortName({ path }: vscode.Uri): string {
  const [name = '', folder = ''] = path.split('/').toReversed();
  return name === 'recording.har' ? folder.replace(/_\d+$/, '') : name;
}
