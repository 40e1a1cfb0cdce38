import type { FormatId } from '../tapes/tape';
import { type PythonTest, readPythonTests } from './pythonTests';
import { isUseOf, type TapeUse, tapeUses } from './tapeUse';

/** A test with the tapes that it uses. */
export interface TapeTest {
  /** From the root, with `/`. */
  readonly file: string;
  readonly test: PythonTest;
  readonly uses: readonly TapeUse[];
}

/** Could a file be one of pytest's? By its name, as pytest finds them. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path);
}

/** The tests of a file that use tapes. */
export function readTapeTests(file: string, text: string): TapeTest[] {
  if (!MENTIONS.test(text)) return [];
  return readPythonTests(text).flatMap((test) => {
    const uses = tapeUses(test, file);
    return uses.length === 0 ? [] : [{ file, test, uses }];
  });
}

/** Most test files have to do with no tape: they need not be read. */
const MENTIONS = /\b(?:ca_cassette|use_cassette|mark\.(?:cassette|replay|vcr))\b/;

/** Why nobody can be using a tape, as a sentence; undefined where somebody does, or where that cannot be told. */
export function orphanReason(
  tape: string,
  format: FormatId,
  testFiles: ReadonlyMap<string, readonly TapeTest[]>,
): string | undefined {
  const all = [...testFiles.values()].flat();
  if (all.some(({ uses }) => uses.some((use) => isUseOf(use, tape)))) return undefined;
  if (format === 'reyn') return reynOrphan(all);
  if (format !== 'checkagent' && format !== 'vcrpy' && format !== 'vcrpy-parsed-body') return undefined;
  const [, folder = '', stem] = /^(?:(.*)\/)?cassettes\/(test_[^/]+|[^/]+_test)\/[^/]+$/.exec(tape) ?? [];
  if (stem === undefined) return undefined;
  const file = folder === '' ? `${stem}.py` : `${folder}/${stem}.py`;
  const tests = testFiles.get(file);
  if (testFiles.size === 0) return undefined;
  if (tests === undefined) return `its test file ${file} is not there any more`;
  // A path that only the running test knows may be this one.
  if (tests.some(({ uses }) => uses.some(({ paths }) => paths.length === 0))) return undefined;
  return `no test in ${file} uses it`;
}

/** Fixtures lie where their tests say, and nowhere else: that can be told once there are such tests. */
function reynOrphan(tests: readonly TapeTest[]): string | undefined {
  const uses = tests.flatMap((one) => one.uses).filter(({ recorder }) => recorder === 'reyn');
  const isKnown = uses.length > 0 && uses.every(({ paths }) => paths.length > 0);
  return isKnown ? 'no test has a mark `replay` with this fixture' : undefined;
}
