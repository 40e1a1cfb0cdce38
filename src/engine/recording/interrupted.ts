import { basename, join } from 'node:path';
import type { InterruptedRecording } from '../../contracts/engine/interruptedRecordings';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { JOURNAL_FOLDER } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { isRunning } from '../files/isAlive';
import { appendToJournal } from '../files/journalFile';
import { readBytesIfThere } from '../files/readFile';
import { OwnState } from '../project/ownState';
import { removeForkBase } from './forkBase';
import { type JournalHead, type JournalReading, readJournal, savingLine, tapeDigest } from './journalLines';
import type { RecordedContent } from './recordedContent';
import type { Recorder } from './recorder';
import { type NewRecording, type SavedRecording, saveRecording } from './saveRecording';
import { removeRecorded } from './writeRecorded';

/** A recorder that cannot be seen from here, as in a container, shows itself by recording. */
const SILENCE_MS = 10 * 60_000;

/** The interrupted recordings of a project, oldest first. */
export async function interruptedRecordings(root: string): Promise<readonly InterruptedRecording[]> {
  const found: InterruptedRecording[] = [];
  for (const id of [...(await new OwnState(root).files(JOURNAL_FOLDER))].sort()) {
    const journal = await readInterrupted(root, id);
    if (journal === undefined || journal.entries.length === 0) continue;
    const { tape, since } = journal.head;
    const { length: interactions } = journal.entries;
    found.push({ id, tape, since, interactions, ...(journal.isOfFailedRun && { failed: true }) });
  }
  return found;
}

/**
 * Saves an interrupted recording as its tape, as its end would have done: the take that it replaces is kept. `as` is another file to
 * save it in, by itself. Rejects like `saveRecording`, and then it can still be recovered.
 */
export async function recoverRecording(
  root: string,
  id: string,
  recorder: Recorder,
  as?: string,
): Promise<SavedRecording> {
  const { head, entries } = await requireInterrupted(root, id);
  const recorded = entries.map(({ interaction }) => recorder.interaction(interaction));
  const saved = await saveRecording({
    root,
    recorded,
    recorder,
    ...(as === undefined ? ownPlace(root, id, { head, entries }) : otherPlace(as, head)),
  });
  await removeJournal(root, id);
  if (head.base !== undefined) await removeForkBase(root, join(root, head.base));
  return saved;
}

/** Removes what failed runs have recorded of a tape, which is now recorded anew as a whole. */
export async function discardFailed(root: string, tape: string): Promise<void> {
  for (const recording of await interruptedRecordings(root))
    if (recording.failed && recording.tape === tape) await discardRecording(root, recording.id);
}

type RecoveredPlace = Omit<NewRecording, 'root' | 'recorded' | 'recorder'>;

function ownPlace(
  root: string,
  id: string,
  { head, entries }: Pick<JournalReading, 'head' | 'entries'>,
): RecoveredPlace {
  return {
    journal: { saving: (tape: RecordedContent) => appendToJournal(root, id, savingLine(tape)) },
    path: join(root, head.base ?? head.tape),
    target: join(root, head.tape),
    format: head.format,
    test: head.test,
    append: head.append,
    // A recording that continues a tape has replayed what was before its first request.
    ...(head.continues && { keep: entries[0]?.number ?? 0, keptOf: head.continues }),
  };
}

function otherPlace(path: string, { tape, continues }: JournalHead): RecoveredPlace {
  if (continues === undefined) return { path, format: undefined, append: false };
  throw new UserError(
    () => t('the recording continues {0} and is not a complete tape without it', tape),
    () => t('Save it as {0}, or record again to another file.', tape),
  );
}

/** Removes an interrupted recording for good. */
export async function discardRecording(root: string, id: string): Promise<void> {
  const { head } = await requireInterrupted(root, id);
  await removeJournal(root, id);
  if (head.base !== undefined) await removeForkBase(root, join(root, head.base));
}

function removeJournal(root: string, id: string): Promise<void> {
  return removeRecorded(root, join(root, JOURNAL_FOLDER, id));
}

async function requireInterrupted(root: string, id: string): Promise<JournalReading> {
  const journal = id === basename(id) ? await readInterrupted(root, id) : undefined;
  if (journal !== undefined) return journal;
  throw new UserError(
    () => t('there is no interrupted recording {0}', id),
    () => t('For a list of them: tapedeck recover'),
  );
}

/** A journal whose recorder is gone, or has ended it; undefined for any other. */
async function readInterrupted(root: string, id: string): Promise<JournalReading | undefined> {
  const state = new OwnState(root);
  const path = `${JOURNAL_FOLDER}/${id}`;
  const text = id.endsWith('.jsonl') ? await state.readText(path, FILE_LIMITS.tape) : undefined;
  const journal = text === undefined ? undefined : readJournal(text);
  if (journal === undefined) return undefined;
  if (!journal.isOfFailedRun && (await isRecording(journal.head, join(root, path)))) return undefined;
  const { base } = journal.head;
  if (base !== undefined && (await state.isForeign(base))) return undefined;
  if (!(await isSaved(root, journal))) return journal;
  await removeJournal(root, id);
  return undefined;
}

/** Whether the process was killed after it had written the tape. */
async function isSaved(root: string, { head, saving }: JournalReading): Promise<boolean> {
  if (saving.length === 0) return false;
  const tape = await readBytesIfThere(join(root, head.tape), FILE_LIMITS.tape);
  return tape !== undefined && saving.includes(tapeDigest(tape));
}

async function isRecording({ by }: JournalHead, path: string): Promise<boolean> {
  const running = isRunning(by);
  if (running !== undefined) return running;
  const changed = (await fileStatus(path))?.modifiedMs ?? 0;
  return Date.now() - changed < SILENCE_MS;
}
