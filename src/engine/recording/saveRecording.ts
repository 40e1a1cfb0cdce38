import { basename } from 'node:path';
import type { Interaction } from '../../core/model/interaction';
import type { TapeFormat } from '../../core/tapes/format';
import { findFormat, formatForNewFile, formats } from '../../core/tapes/registry';
import { isRecordable, toRecordedInteraction, type WritableFormat, writableIn } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { shellWord } from '../../core/text/shellWord';
import { isSystemError } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { type FileIdentity, fileIdentity } from '../files/fileStatus';
import { asideFolder } from '../files/projectPaths';
import { requireWritableFolder, unwritableError } from '../files/writableFolder';
import type { HiddenInteraction } from './hidden';
import { loadTape, type StoredTape } from './readTape';
import type { RecordedContent } from './recordedContent';
import type { Recorder } from './recorder';
import { holdsTape, type ReplacedTake, requireRecordable, type TapeTurn, withTape } from './replaceTape';
import { holdingPath } from './unheldError';
import { UnhiddenError, type UnhiddenSecret } from './unhiddenError';

export interface NewRecording {
  /** The project's root. */
  readonly root: string;
  readonly path: string;
  /** The file to write, when that is not the tape itself. */
  readonly target?: string;
  /** The format of a tape that does not exist yet. */
  readonly format: string | undefined;
  /** The id of the test that was recorded; by default, that of the existing tape. */
  readonly test?: string | undefined;
  readonly recorded: readonly HiddenInteraction[];
  readonly recorder: Recorder;
  /** Append to the tape instead of replacing it. */
  readonly append: boolean;
  /** With `append`: the interactions of the existing tape that the new ones take the place of. */
  replaces?(interaction: Interaction): boolean;
  /** How many interactions of the existing tape stay, byte for byte. The rest is replaced. */
  readonly keep?: number | undefined;
  /** With `keep`: the tape that these interactions were replayed from. Another one is not continued. */
  readonly keptOf?: FileIdentity | undefined;
  /** Where the recording was kept while it was made: it learns what is about to be the tape. */
  readonly journal?: SavedJournal | undefined;
}

interface SavedJournal {
  saving(tape: RecordedContent): Promise<void>;
}

export interface SavedRecording extends ReplacedTake {
  readonly interactions: number;
  /** How many of them stayed unchanged. */
  readonly kept?: number;
  /** What was not saved, because a secret in it cannot be hidden. */
  readonly leftOut?: readonly UnhiddenSecret[];
}

/**
 * Writes a recording. An existing tape keeps its format, and its previous take is kept. Rejects with a `UserError` that
 * names the file when it cannot be written.
 */
export async function saveRecording(recording: NewRecording): Promise<SavedRecording> {
  try {
    return await save(recording);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw unwritableError(recording.target ?? recording.path, error);
  }
}

async function save(recording: NewRecording): Promise<SavedRecording> {
  const { root, path, target = path } = recording;
  // Read and replaced in one turn: what another recorder has added meanwhile stays.
  return withTape({ root, tapePath: target }, (tape) => saveHidden(tape, recording));
}

/** A value that cannot be hidden costs its interaction, and not the others. */
async function saveHidden(tape: TapeTurn, recording: NewRecording): Promise<SavedRecording> {
  try {
    return await saveOn(tape, recording);
  } catch (error) {
    if (!(error instanceof UnhiddenError)) throw error;
    const { unhidden } = error;
    const recorded = recording.recorded.filter((one) => unhidden.every(({ interaction }) => interaction !== one));
    const isAround = unhidden.some(({ interaction }) => interaction === undefined);
    if (isAround || recorded.length === 0 || recorded.length === recording.recorded.length) throw error;
    return { ...(await saveOn(tape, { ...recording, recorded })), leftOut: unhidden };
  }
}

async function saveOn(tape: TapeTurn, recording: NewRecording): Promise<SavedRecording> {
  const { path, format, recorded, recorder, append, keep, keptOf, journal } = recording;
  const isReplaced = (one: Interaction) => recording.replaces?.(one) === true;
  if (keptOf !== undefined) await requireSame(path, keptOf);
  const old = await existingTape(path);
  const into = writable(old?.format ?? newFormat(path, format), path);
  const ended = recorded.filter(({ http }) => http?.ended === undefined || into.keepsBrokenResponses === true);
  if (ended.length === 0 && !append) throw nothingWhole(path, into);
  const stored = append && old !== undefined ? old.tape.interactions : [];
  const before = stored.filter((one) => !isReplaced(one));
  const end = { path, added: ended, into, recorder, journal };
  // Where nothing is replaced, the tape stays as it is: its interactions, and what else is in the file.
  const kept = keep ?? (append && before.length === stored.length ? before.length : undefined);
  if (kept !== undefined && old !== undefined) return saveEnd(tape, { ...end, old, keep: kept });
  if (writableIn(into, before).length < before.length) throw notWrittenAgain(path, into);
  const all = [...before.map((one) => recorder.interaction(toRecordedInteraction(one))), ...ended];
  const name = old?.tape.name ?? nameOf(path);
  const test = recording.test ?? old?.tape.test;
  const content = await recorder.tape({ path, format: into, name, test, interactions: all, old: old?.file });
  await journal?.saving(content);
  return { interactions: all.length, ...(await tape.replace(content)) };
}

function notWrittenAgain(path: string, { label }: WritableFormat): UserError {
  return new UserError(
    () => t('{0} was not written: some of its interactions would be lost, as {1} cannot store them again', path, label),
    () => t('Record to a file such as {0}, which holds everything.', holdingPath(path)),
  );
}

function nothingWhole(path: string, { label }: WritableFormat): UserError {
  return new UserError(
    () => t('{0} was not written: every response broke off, and {1} cannot store incomplete responses', path, label),
    () => t('Record to a file such as {0}, which holds everything.', holdingPath(path)),
  );
}

/** What has been recorded so far, as the text of a new tape. */
export async function recordedTape({
  path,
  recorded,
  recorder,
}: Pick<NewRecording, 'path' | 'recorded'> & { readonly recorder: Recorder }): Promise<string> {
  const format = writable(newFormat(path, NEW_RECORDING), path);
  const interactions = writableIn(format, recorded);
  const { bytes } = await recorder.tape({ path, format, name: nameOf(path), interactions, isPreview: true });
  return typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
}

async function requireSame(path: string, known: FileIdentity): Promise<void> {
  if (JSON.stringify(await fileIdentity(path)) === JSON.stringify(known)) return;
  throw new UserError(
    () => t('{0} was replaced while it was being continued', path),
    () => t('Record again, starting from the tape as it is now.'),
  );
}

interface NewEnd {
  readonly path: string;
  readonly old: StoredTape;
  readonly keep: number;
  readonly added: readonly HiddenInteraction[];
  readonly into: WritableFormat;
  readonly recorder: Recorder;
  readonly journal: SavedJournal | undefined;
}

async function saveEnd(tape: TapeTurn, end: NewEnd): Promise<SavedRecording> {
  const { path, old, keep, added, into, recorder, journal } = end;
  const isWhole = keep === old.tape.interactions.length;
  const content = await recorder.resumedTape({ path, format: into, old: old.file, keep, isWhole, interactions: added });
  await journal?.saving(content);
  const replaced = await tape.replace(content);
  return { interactions: keep + added.length, ...(keep > 0 && { kept: keep }), ...replaced };
}

/**
 * The format in which a recording to this file would be written. Rejects with a `UserError` if it could not be. Called
 * before a recording, which would otherwise be paid for in vain.
 */
export async function requireWritable(root: string, path: string, format: string | undefined): Promise<WritableFormat> {
  await requireRecordable(root, path);
  await requireWritableFolder(path);
  await requireWritableFolder(asideFolder(root));
  return writable((await existingTape(path))?.format ?? newFormat(path, format), path);
}

/** The existing tape. Rejects with a `UserError` for any other file, which is not overwritten. */
async function existingTape(path: string): Promise<StoredTape | undefined> {
  return (await holdsTape(path)) ? loadTape(path) : undefined;
}

/** The format of new recordings of a user's own agent, where neither the user nor the name of the file chooses one. */
const NEW_RECORDING = 'tapedeck';

/** The format of a new tape: the one that the user named, or else by the name of the file. */
function newFormat(path: string, id: string | undefined): TapeFormat {
  const found = id === undefined ? formatForNewFile(path, 'ofAgents', NEW_RECORDING) : findFormat(id);
  if (found !== undefined) return found;
  throw new UserError(
    () => t('there is no format {0}', id ?? ''),
    () => t('Formats that can be written: {0}.', recordableIds().join(', ')),
  );
}

function recordableIds(): string[] {
  return formats.filter(isRecordable).map(({ id }) => id);
}

function writable(format: TapeFormat, path: string): WritableFormat {
  if (isRecordable(format)) return format;
  const known = recordableIds();
  throw new UserError(
    () => t('{0} is a {1}, which Tapedeck reads but does not write', path, format.label),
    () =>
      t(
        'Record to another file, or convert it first: tapedeck convert {0} OUT --to {1}. Formats that can be written: {2}.',
        shellWord(path),
        known[0] ?? '',
        known.join(', '),
      ),
  );
}

function nameOf(path: string): string {
  return basename(path).replace(/(?:\.tape)?\.[^.]+(?:\.gz)?$/, '');
}
