import { looksLikeCase } from '../../core/cases/looksLikeCase';
import { type Artifact, readArtifact } from '../../core/runs/artifact';
import { detectFormat } from '../../core/tapes/readTape';
import type { Tape } from '../../core/tapes/tape';
import { type TapeFile, tapeFile } from '../../core/tapes/tapeFile';
import type { TapeFormat } from '../../core/tapes/tapeFormat';
import { useNodeBrotli } from '../project/nodeBrotli';
import { UserError } from '../project/userError';
import { readBytes } from './readBytes';

/** A file that holds recorded runs. */
export type RecordedFile =
  | { readonly kind: 'tape'; readonly file: TapeFile; readonly tape: Tape; readonly format: TapeFormat }
  | { readonly kind: 'artifact'; readonly text: string; readonly artifact: Artifact };

useNodeBrotli();

/** Reads a tape or an artifact, whichever it is. Rejects with a `UserError` when it is neither. */
export async function readRecordedFile(path: string, cwd: string): Promise<RecordedFile> {
  const file = tapeFile(path, await readBytes(path, cwd));
  const format = detectFormat(file);
  if (format !== undefined) return { kind: 'tape', file, tape: format.read(file), format };
  const { text } = file;
  const { value: artifact } = readArtifact(text);
  if (artifact !== undefined) return { kind: 'artifact', text, artifact };
  if (looksLikeCase(text)) throw new UserError(`${path} is a case, not a recording`, `Run it: tapedeck run ${path}`);
  throw new UserError(
    `${path} is neither a tape nor an artifact of a known format`,
    'Known are: MoFA tapes, and the artifacts and baselines of Tapedeck and MoFA.',
  );
}
