import { stampOfFile } from '../files/fileStatus';
import { caseFilesIn, namedTapes, type TapesOfCase } from './caseTapes';

/** Which case names which tape, by paths from the root. */
export class CasesByTape {
  readonly #tapes = new Map<string, string>();
  readonly #cases = new Map<string, Set<string>>();

  constructor(cases: Iterable<TapesOfCase>) {
    for (const { path, recorded, tapes } of cases) {
      if (recorded !== undefined) this.#tapes.set(path, recorded);
      for (const tape of tapes) this.#cases.set(tape, (this.#cases.get(tape) ?? new Set()).add(path));
    }
  }

  /** The tape that a recording of the case makes. */
  tapeOf(casePath: string): string | undefined {
    return this.#tapes.get(casePath);
  }

  /** The case of which a tape is the recording; undefined for one of several cases: what it changes is not the result of one of them. */
  only(tape: string): string | undefined {
    const [casePath, ...others] = this.#cases.get(tape) ?? [];
    return casePath !== undefined && others.length === 0 && this.tapeOf(casePath) === tape ? casePath : undefined;
  }
}

/** Reads which tapes the cases of projects name. What was read of a file is kept for as long as it is the same. */
export class CaseReader {
  readonly #known = new Map<string, { readonly stamp: string; readonly cases: readonly TapesOfCase[] }>();

  read(root: string): CasesByTape {
    return new CasesByTape(caseFilesIn(root).flatMap((path) => this.#casesIn(root, path)));
  }

  #casesIn(root: string, path: string): readonly TapesOfCase[] {
    const stamp = stampOfFile(path);
    if (stamp === undefined) return [];
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.cases;
    const cases = namedTapes(root, path);
    this.#known.set(path, { stamp, cases });
    return cases;
  }
}
