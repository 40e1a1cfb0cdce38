import { ancestorsOf, folderOf, joined } from './testPaths';

/** A test as its tape names it: where it was recorded, and what its runner calls it, with its parameters. */
export interface TestId {
  /** From the folder that its runner ran in, which may be any around the tape; in Go only its name. */
  readonly file: string;
  /** `TestClass::test_name[17]`, `suite > test`, `TestName/subtest`. */
  readonly name: string;
}

/** A test, or several that one place in a source defines. */
export interface NamedTest {
  /** The names that it may have, each as what is literal of it: between two pieces is what is computed. */
  readonly names: readonly (readonly string[])[];
  readonly nameSpan: { readonly start: number; readonly end: number };
  /** Where its lenses are. */
  readonly start: number;
}

/** Reads `FILE::NAME`; undefined for an id of another form. */
export function readTestId(id: string): TestId | undefined {
  const [, file = '', name = ''] = /^([^:]+?)::(.+)$/s.exec(id) ?? [];
  return name === '' || file.startsWith('/') ? undefined : { file, name };
}

/**
 * Where the file of a test may be, by the place of its tape, the likeliest first: below a folder around the tape, or, if the runner
 * ran outside of the project, below the root. Paths are from there, with `/`.
 */
export function placesOf({ file }: TestId, tape: string): readonly string[] {
  const around = ancestorsOf(folderOf(tape)).map((folder) => joined(folder, file));
  const parts = file.split('/');
  return [...new Set([...around, ...parts.map((_, from) => parts.slice(from).join('/'))])].filter(isInside);
}

function isInside(path: string): boolean {
  return !/^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(path);
}

/** The test with a name: of several, the one of which most is literal. */
export function findNamed(tests: readonly NamedTest[], name: string): NamedTest | undefined {
  let best: NamedTest | undefined;
  let most = 0;
  for (const test of tests)
    for (const [at, pieces] of test.names.entries()) {
      const literal = pieces.reduce((sum, piece) => sum + piece.length, pieces.length === 1 ? 2 : 1);
      // Of equal ones, the first: others are names without their suites.
      const weight = 2 * literal + (at === 0 ? 1 : 0);
      if (weight > most && isMadeOf(name, pieces)) [best, most] = [test, weight];
    }
  return best;
}

function isMadeOf(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.endsWith(last) && name.length - last.length >= at;
}
