import * as vscode from 'vscode';
import { nodeName } from '../../core/python/testNames';
import { message, t } from '../../core/text/l10n';
import type { TestTarget } from '../base/commandArguments';
import { isEnabled } from '../base/settings';
import type { PytestStore, PytestTest } from '../stores/pytestStore';
import { existingTapes } from './testTapes';

/** The lenses above each pytest test that uses a tape: the tape, a replay, and a new recording. */
export class TestLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(private readonly store: PytestStore) {}

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!isEnabled('codeLens.enabled', document.uri)) return [];
    const tests = await this.store.testsIn(document);
    return (await Promise.all(tests.map((test) => lensesOf(document, test)))).flat();
  }
}

async function lensesOf(document: vscode.TextDocument, pytest: PytestTest): Promise<vscode.CodeLens[]> {
  const { test, uses } = pytest;
  const position = document.positionAt(test.start);
  const range = new vscode.Range(position, position);
  const target: TestTarget = { file: document.uri, test: nodeName(test) };
  const tapes = await existingTapes(pytest);
  const isKnown = uses.some(({ paths }) => paths.length > 0);
  const { isTrusted } = vscode.workspace;
  const isRecorded = tapes.length > 0 || !isKnown;
  return [
    ...tapes.map(
      (tape) =>
        new vscode.CodeLens(range, {
          title: `$(comment-discussion) ${fileName(tape)}`,
          tooltip: t('Open {0} as a transcript.', vscode.workspace.asRelativePath(tape)),
          command: 'tapedeck.openTranscript',
          arguments: [tape],
        }),
    ),
    // Without a tape, a run would record, so no replay is offered. In Restricted Mode nothing runs.
    ...(isRecorded && isTrusted ? [action(range, t('$(play) Replay'), t(REPLAY), 'tapedeck.replayTest', target)] : []),
    ...(isTrusted
      ? [
          action(
            range,
            isRecorded ? t('$(record) Re-record') : t('$(record) Record'),
            t(RECORD),
            'tapedeck.recordTest',
            target,
          ),
        ]
      : []),
  ];
}

const REPLAY = message('Run this test with pytest and its recorded responses.');
const RECORD = message(
  'Run this test with pytest against the real provider and record its tape again. Asks for confirmation first.',
);

function action(
  range: vscode.Range,
  title: string,
  tooltip: string,
  command: string,
  target: TestTarget,
): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, tooltip, command, arguments: [target] });
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
