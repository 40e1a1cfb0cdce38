import type { ListedCase } from '../cases/caseKind';
import type { InputRole, SourcePlace } from '../model/runRecord';
import { parseCaseAddress } from '../project/caseAddress';
import { baselinePath, CONFIG_FILE } from '../project/layout';

/** How many files of an agent's source are followed. The first ones in the order of their paths. */
export const MAX_SOURCE_FILES = 500;

/** The files that the result of a case depends on, and the places of its agent's source. Paths are relative to the project's root. */
export interface CaseInputs {
  readonly files: readonly { readonly role: InputRole; readonly path: string }[];
  readonly sources: readonly SourcePlace[];
}

/** @param casePath The path of the case, with its id if its file has several. `listed` is absent while the file cannot be read. */
export function caseInputs(casePath: string, listed: ListedCase | undefined): CaseInputs {
  const { path } = parseCaseAddress(casePath);
  const besideCase = (name: string): string => joinPath(path.slice(0, path.lastIndexOf('/') + 1), name);
  const { tapes = [], reads = [], sources = [] } = listed ?? {};
  const files = [
    { role: 'case', path },
    ...reads.map((name) => ({ role: 'case', path: besideCase(name) }) as const),
    ...tapes.map((name) => ({ role: 'tape', path: besideCase(name) }) as const),
    { role: 'baseline', path: baselinePath(casePath) },
    { role: 'rules', path: CONFIG_FILE },
  ] as const;
  return {
    files: [...new Map(files.toReversed().map((file) => [file.path, file])).values()].toReversed(),
    sources: sources.map((place) => ({ ...place, path: besideCase(place.path) })),
  };
}

/** `folder/name` without `.` and, where there is a folder to leave, without `..`. */
function joinPath(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${name.startsWith('/') ? '' : folder}${name}`.split(/[\\/]/)) {
    if (part === '' && parts.length > 0) continue;
    if (part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
