import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { UserError } from '../errors/userError';
import { readBytesIfThere } from '../files/readFile';
import { removeFile, writeInProject } from '../files/writeFile';
import { caseFiles } from '../project/caseFiles';
import { contentDigest } from './stamp';

/** The files that decisions about one thing write. */
export interface DecidedFiles {
  readonly root: string;
  /** Whether it is about the last run of a case, or about a file itself. */
  readonly kind: 'run' | 'file';
  /** What is decided about, from the root: a case, a tape or a baseline. */
  readonly name: string;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** The contents of those files, in their order; absent where there is none. */
type Snapshot = readonly (Buffer | undefined)[];

/** What a decision did to one file. A large tape of which something was accepted has not changed, and is not kept. */
interface FileStep {
  readonly isChanged: boolean;
  /** What it held; absent where it was not there, or was not changed. */
  readonly before: Buffer | undefined;
  /** Of what it holds since. */
  readonly after: string;
}

type Step = readonly FileStep[];

/** What decisions did to files, so that they can be taken back, the last one first. It lasts as long as the process. */
export class DecisionHistory {
  readonly #steps = new Map<string, { readonly about: DecidedFiles; readonly steps: Step[] }>();

  /** Carries out a decision and remembers it. */
  async during(about: DecidedFiles, decide: () => Promise<void>): Promise<void> {
    const before = await snapshot(about);
    await decide();
    const after = await snapshot(about);
    const known = this.#steps.get(keyOf(about)) ?? { about, steps: [] };
    known.steps.push(after.map((now, index) => stepOf(before[index], now)));
    this.#steps.set(keyOf(about), known);
  }

  /** How many decisions can be taken back. */
  count(about: DecidedFiles): number {
    return this.#steps.get(keyOf(about))?.steps.length ?? 0;
  }

  /** The files of a project about which decisions can be taken back, by their paths from the root. */
  decidedFiles(root: string): readonly string[] {
    return [...this.#steps.values()]
      .filter(({ about, steps }) => about.kind === 'file' && about.root === root && steps.length > 0)
      .map(({ about }) => about.name);
  }

  /** Puts the files back to what they were. Refuses when somebody wrote them since. */
  async undo(about: DecidedFiles): Promise<void> {
    const { root, name, files } = about;
    const steps = this.#steps.get(keyOf(about))?.steps ?? [];
    const last = steps.at(-1);
    if (last === undefined) throw new UserError(`${name}: nothing to take back`, 'Decisions of earlier sessions stay.');
    const now = await snapshot(about);
    if (!last.every(({ after }, index) => contentDigest(now[index]) === after))
      throw new UserError(`${name}: it has changed since this decision`, 'Look at it again and decide anew.');
    for (const [index, file] of files.entries())
      if (last[index]?.isChanged) await restoreFile(root, file, last[index]?.before);
    steps.pop();
  }
}

/** What decisions about the last run of a case write: its baseline, and what was decided. */
export function caseDecision({ root, casePath }: { readonly root: string; readonly casePath: string }): DecidedFiles {
  const { name, baseline, decision } = caseFiles(root, casePath);
  return { root, kind: 'run', name, files: [baseline, decision] };
}

function keyOf({ root, kind, name }: DecidedFiles): string {
  return [root, kind, name].join('\0');
}

function stepOf(before: Buffer | undefined, now: Buffer | undefined): FileStep {
  const after = contentDigest(now);
  const isChanged = contentDigest(before) !== after;
  return { isChanged, before: isChanged ? before : undefined, after };
}

async function snapshot({ files }: DecidedFiles): Promise<Snapshot> {
  return Promise.all(files.map((file) => readBytesIfThere(file, FILE_LIMITS.tape)));
}

async function restoreFile(root: string, path: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) await removeFile(root, path);
  else await writeInProject(root, path, bytes);
}
