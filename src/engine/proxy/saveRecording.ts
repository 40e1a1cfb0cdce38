import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isWritable, type WritableFormat } from '../../core/tapes/convert';
import { encodeTape } from '../../core/tapes/encodeTape';
import { formats } from '../../core/tapes/knownFormats';
import type { FormatId } from '../../core/tapes/tape';
import type { RecordedInteraction } from '../../core/tapes/tapeFormat';
import { UserError } from '../project/userError';
import { unlessMissing } from '../recording/fileErrors';
import { replaceTape } from '../recording/replaceTape';
import { readTapeOnDisk, type TapeOnDisk } from './tapeOnDisk';

export interface NewRecording {
  /** The project's root. */
  readonly root: string;
  readonly path: string;
  /** The format of a tape that is not there yet. */
  readonly format: string | undefined;
  readonly recorded: readonly RecordedInteraction[];
  /** Adds to what is on the tape, where it would otherwise be replaced. */
  readonly append: boolean;
}

export interface SavedRecording {
  readonly interactions: number;
  readonly previousTakePath?: string;
}

/** Writes what was recorded. A tape that is there keeps its format, and its previous take is kept. */
export async function saveRecording({ root, path, format, recorded, append }: NewRecording): Promise<SavedRecording> {
  const old = await existingTape(path);
  const target = writable(old?.format.id ?? format ?? formatFor(path), path);
  const before = append && old !== undefined ? old.tape.interactions : [];
  const all = [...before, ...recorded.filter(({ http }) => http?.ended === undefined || KEEPS_ENDINGS.has(target.id))];
  const text = target.serialise(old?.tape.name ?? nameOf(path), all);
  // A tape that was packed is packed again.
  const bytes = old === undefined ? text : encodeTape(old.file, text);
  const replaced = await replaceTape({ root, tapePath: path, text: bytes });
  return { interactions: all.length, ...replaced };
}

/** The others would make a whole answer of one that broke off: there it is not recorded. */
const KEEPS_ENDINGS: ReadonlySet<FormatId> = new Set(['tapedeck']);

/** What a recording to this place would be written in. Throws a `UserError` where it could not be. */
export async function requireWritable(path: string, format: string | undefined): Promise<WritableFormat> {
  return writable((await existingTape(path))?.format.id ?? format ?? formatFor(path), path);
}

/** The tape that is there. Whatever else is there is not overwritten: rejects with a `UserError`. */
async function existingTape(path: string): Promise<TapeOnDisk | undefined> {
  return (await unlessMissing(stat(path))) === undefined ? undefined : readTapeOnDisk(path);
}

/** What a new tape is written in, where nobody says: by the name of its file. */
function formatFor(path: string): FormatId {
  return /\.ya?ml$/i.test(path) ? 'vcrpy' : 'tapedeck';
}

function writable(id: string, path: string): WritableFormat {
  const found = formats.find((format) => format.id === id);
  if (found !== undefined && isWritable(found)) return found;
  const known = formats.filter(isWritable).map((format) => format.id);
  if (found === undefined) throw new UserError(`there is no format ${id}`, `Written are: ${known.join(', ')}.`);
  throw new UserError(
    `${path} is a ${found.label}, which Tapedeck reads and does not write`,
    `Record to another file, or convert it first: tapedeck convert ${path} OUT --to ${known[0]}. Written are: ${known.join(', ')}.`,
  );
}

function nameOf(path: string): string {
  return basename(path).replace(/(?:\.tape)?\.[^.]+(?:\.gz)?$/, '');
}
