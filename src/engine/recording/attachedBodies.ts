import { dirname, join } from 'node:path';
import { FILE_LIMITS, GZIPPED_TAPE } from '../../core/bytes/fileLimits';
import type { AttachedTape } from '../../core/tapes/format';
import { detectFormat } from '../../core/tapes/readTape';
import { formats } from '../../core/tapes/registry';
import { type TapeFile, tapeFileFromText } from '../../core/tapes/tapeFile';
import { requireInProject } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';

/**
 * A tape with the bodies in it that it keeps in files beside it, inside of the project, or in a zip. Any other file stays as it is.
 * `path` is absolute.
 */
export async function withBodies(file: TapeFile, root: string, path: string): Promise<TapeFile> {
  const limits = { ...GZIPPED_TAPE, maxBytes: FILE_LIMITS.tape };
  const format = detectFormat(file);
  for (const { attached } of format === undefined ? formats : [format]) {
    const names = format === undefined ? [] : (attached?.namesIn(file.text) ?? []);
    const tape =
      names.length > 0 ? await filesBeside(file.text, names, root, path) : attached?.unzip(file.bytes, limits);
    if (attached !== undefined && tape !== undefined)
      return tapeFileFromText(attached.embed(tape), file.path.replace(/\.zip$/i, ''));
  }
  return file;
}

async function filesBeside(text: string, names: readonly string[], root: string, path: string): Promise<AttachedTape> {
  const files = new Map<string, Uint8Array>();
  let left = FILE_LIMITS.tape;
  for (const name of names) {
    const place = join(dirname(path), name);
    await requireInProject(root, place);
    const content = await readBytesIfThere(place, left);
    if (content === undefined) continue;
    left -= content.length;
    files.set(name, content);
  }
  return { text, files };
}
