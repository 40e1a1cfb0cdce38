import * as vscode from 'vscode';
import { message, t } from '../../core/text/l10n';
import type { TestTarget } from '../base/commandArguments';
import { isEnabled } from '../base/settings';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';
import { canRecord, existingTapes, hasUnknownTape } from './testTapes';

/** The lenses above each test that uses a tape: the tape, a replay, and a new recording. */
export class TestLenses implements vscode.CodeLensProvider {
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
