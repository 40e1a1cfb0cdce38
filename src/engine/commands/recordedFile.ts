import { looksLikeCase } from '../../core/cases/looksLikeCase';
import { type Artifact, readArtifact } from '../../core/runs/artifact';
import { detectFormat } from '../../core/tapes/readTape';
import type { Tape } from '../../core/tapes/tape';
import type { TapeFormat } from '../../core/tapes/tapeFormat';
import { UserError } from '../project/userError';
import { readTextFile } from './readTextFile';

/** A file that holds recorded runs. */
export type RecordedFile =
  | { readonly kind: 'tape'; readonly text: string; readonly tape: Tape; readonly format: TapeFormat }
  | { readonly kind: 'artifact'; readonly text: string; readonly artifact: Artifact };

/** Reads a tape or an artifact, whichever it is. Rejects with a `UserError` when it is neither. */
export async function readRecordedFile(path: string, cwd: string): Promise<RecordedFile> {
  const text = await readTextFile(path, cwd);
  const format = detectFormat(text);
  if (format !== undefined) return { kind: 'tape', text, tape: format.read(text), format };
  const { value: artifact } = readArtifact(text);
  if (artifact !== undefined) return { kind: 'artifact', text, artifact };
  if (looksLikeCase(text)) throw new UserError(`${path} is a case, not a recording`, `Run it: tapedeck run ${path}`);
  throw new UserError(
    `${path} is neither a tape nor an artifact of a known format`,
    'Known are: MoFA tapes, and the artifacts and baselines of Tapedeck and MoFA.',
  );
}
