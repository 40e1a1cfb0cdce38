import * as vscode from 'vscode';
import { originWords } from '../../core/project/tapeOrigin';
import type { CaseState } from '../../core/runs/caseState';
import { counted } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import { caseFileOf } from '../base/caseUri';
import { Debouncer } from '../base/debounce';
import { fileExists } from '../base/files';
import { isEnabled, onDidChangeSwitch } from '../base/settings';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStates } from '../stores/cases/caseStates';
import { CASE_GLOB, type CaseStore } from '../stores/cases/caseStore';
import { tapeOfCase, tapesOfCase } from '../stores/cases/tapesOfCase';
import type { TapeStore } from '../stores/tapes/tapeStore';

/** VS Code drops a refresh that has waited for less than this when the editor loses the focus, so it is asked for again. */
const DROPPED_MS = 1000;

/**
 * How long VS Code waits for what the lenses say. After each edit, it waits as long before it asks again as it had to wait on average: one
 * slow answer, as while the files of a run are read, would keep all lenses away while somebody types.
 */
const PATIENCE_MS = 200;

/** Registers the lenses, which show how many changes are pending. */
export function registerCaseLenses(
  cases: Pick<CaseStore, 'open' | 'inFile' | 'isCase'>,
  states: Pick<CaseStates, 'get' | 'onDidChange'>,
  tapes: Pick<TapeStore, 'get' | 'isUnread' | 'load' | 'onDidChange'>,
): vscode.Disposable {
  const lenses = new CaseLenses(cases, async (uri) => (await states.get(uri)).state, tapes);
  const again = new Debouncer<void>(DROPPED_MS, () => lenses.refresh());
  return vscode.Disposable.from(
    again,
    states.onDidChange((uris) => {
      if (!areVisible(uris)) return;
      lenses.refresh();
      again.add('lenses', undefined);
    }),
    tapes.onDidChange(({ uris }) => lenses.tells(uris) && lenses.refresh()),
    onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()),
    vscode.languages.registerCodeLensProvider({ pattern: CASE_GLOB }, lenses),
  );
}

/** Whether the file of one of these cases is in sight: when a workspace is opened, there may be thousands of others. */
function areVisible(uris: readonly vscode.Uri[]): boolean {
  const inSight = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
  return inSight.size > 0 && uris.some((uri) => inSight.has(caseFileOf(uri).toString()));
}

/** A longer file is probably a recording, and is not searched for cases. */
const MAX_LINES = 20_000;

/** What the lenses of a case say. */
interface LensFacts {
  readonly pending: number;
  readonly isUnchecked: boolean;
  readonly isRecorded: boolean;
  /** The tape, with its model and age in words, if either is recorded. */
  readonly origin?: { readonly tape: vscode.Uri; readonly words: string };
}

/** As of a case that has not run. */
const UNKNOWN: LensFacts = { pending: 0, isUnchecked: false, isRecorded: true };

/**
 * The lenses above each case. They are always the same three, in the same place, even if the TOML is invalid, because
 * lenses that appear, disappear or move make the text jump. What its tape is follows them.
 */
class CaseLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  /** The tapes whose model and age were requested. */
  readonly #tapes = new Set<string>();

  /** The last known state, by the case. */
  readonly #facts = new Map<string, LensFacts>();

  constructor(
    private readonly cases: Pick<CaseStore, 'open' | 'inFile' | 'isCase'>,
    private readonly stateOf: (uri: vscode.Uri) => Promise<CaseState>,
    private readonly tapes: Pick<TapeStore, 'get' | 'isUnread' | 'load'>,
  ) {}

  refresh(): void {
    this.#changed.fire();
  }

  /** Whether a lens shows one of these tapes. */
  tells(tapes: readonly vscode.Uri[]): boolean {
    return tapes.some((tape) => this.#tapes.has(tape.toString()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (document.lineCount > MAX_LINES || !isEnabled('codeLens.enabled', document.uri)) return [];
    const opened = this.cases.open(document.uri);
    const known = await inTime(opened, (entries) => entries.length > 0 && this.refresh());
    const entries = (known ?? this.cases.inFile(document.uri)).filter((entry) => this.cases.isCase(entry));
    return (await Promise.all(entries.map((entry) => this.#lensesOf(entry)))).flat();
  }

  /** What is known in time; later findings fire an event. */
  async #factsOf(entry: CaseEntry): Promise<LensFacts> {
    const key = entry.uri.toString();
    const last = this.#facts.get(key) ?? UNKNOWN;
    const isNew = (late: LensFacts) => JSON.stringify(late) !== JSON.stringify(last);
    const asked = this.#askFacts(entry).then((facts) => {
      this.#facts.set(key, facts);
      return facts;
    });
    return (await inTime(asked, (late) => isNew(late) && this.refresh())) ?? last;
  }

  async #askFacts(entry: CaseEntry): Promise<LensFacts> {
    const [{ pending, checkedNothing }, isRecorded] = await Promise.all([this.stateOf(entry.uri), hasRecording(entry)]);
    const origin = this.#originOf(entry);
    return { pending, isUnchecked: checkedNothing && pending === 0, isRecorded, origin };
  }

  #originOf(entry: CaseEntry): LensFacts['origin'] {
    void this.tapes.load();
    for (const tape of tapesOfCase(entry, this.tapes)) this.#tapes.add(tape.toString());
    const tape = tapeOfCase(entry, this.tapes);
    const listed = tape && this.tapes.get(tape);
    const words = listed === undefined ? '' : originWords(listed, Date.now()).join(' · ');
    return tape === undefined || words === '' ? undefined : { tape, words };
  }

  async #lensesOf(entry: CaseEntry): Promise<vscode.CodeLens[]> {
    const { uri, headLine } = entry;
    const range = new vscode.Range(headLine, 0, headLine, 0);
    const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, tooltip, command, arguments: [uri] });
    const { pending: count, isUnchecked, isRecorded, origin } = await this.#factsOf(entry);
    return [
      lens(
        t('$(play) Replay'),
        t('Run this case with the recorded responses. No data leaves this computer.'),
        'tapedeck.replayCase',
      ),
      isRecorded
        ? lens(
            t('$(record) Re-record'),
            t('Run this case against its provider and replace the tape. Asks for confirmation first.'),
            'tapedeck.recordCase',
          )
        : lens(
            t('$(record) Record'),
            t('No recording yet. Run this case against its provider and create the tape. Asks for confirmation first.'),
            'tapedeck.recordCase',
          ),
      isUnchecked
        ? lens(t('$(save) Create Baseline'), t(UNCHECKED_TOOLTIP), 'tapedeck.createBaseline')
        : lens(
            t('$(git-compare) Review{0}', count > 0 ? ` (${count})` : ''),
            reviewTooltip(count),
            'tapedeck.reviewCase',
          ),
      ...(origin ? [new vscode.CodeLens(range, originCommand(origin))] : []),
    ];
  }
}

/** The result if it comes in time, and otherwise undefined: then `onLate` gets it. */
async function inTime<T>(asked: Promise<T>, onLate: (result: T) => void): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve(undefined);
    }, PATIENCE_MS);
  });
  const settled = (): void => clearTimeout(timer);
  asked.then(settled, settled);
  void asked.then(
    (result) => isLate && onLate(result),
    // Whoever asked gets the error.
    () => undefined,
  );
  return Promise.race([asked, late]);
}

/** False only where there is a tape to record, and no file of its name. */
async function hasRecording({ file, listed }: CaseEntry): Promise<boolean> {
  const tape = listed?.recordedTape;
  return tape === undefined || fileExists(vscode.Uri.joinPath(file, '..', tape));
}

function originCommand({ tape, words }: NonNullable<LensFacts['origin']>): vscode.Command {
  const tooltip = t('The model of the tape, and how long ago it was recorded. Opens the tape.');
  return { title: words, tooltip, command: 'tapedeck.openTranscript', arguments: [tape] };
}

const UNCHECKED_TOOLTIP = message(
  'The last run passed with nothing to compare it with. Keep it as the baseline that later runs are compared with.',
);

function reviewTooltip(count: number): string {
  if (count === 0) return t('Compare the last run with the baseline.');
  return counted(count, '{0} change against the baseline to review.', '{0} changes against the baseline to review.');
}
