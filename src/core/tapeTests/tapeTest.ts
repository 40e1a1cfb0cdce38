import type { Span } from '../text/source';

export type TestLanguage = 'python' | 'javascript' | 'go';

/**
 * The library that records and replays for a test. `vcr`: pytest-recording or pytest-vcr. `use_cassette`: vcrpy itself.
 * `fixture`: a fixture of the AI SDK, which no library records. `tapedeck`: Tapedeck's own plugins.
 */
export type TestRecorder =
  | 'tapedeck'
  | 'checkagent'
  | 'reyn'
  | 'vcr'
  | 'use_cassette'
  | 'polly'
  | 'nock'
  | 'aimock'
  | 'fixture'
  | 'go-vcr'
  | 'httprr';

/** A tape that a test uses. Paths are from the project's root, with `/`. */
export interface TestTapeUse {
  readonly recorder: TestRecorder;
  /** The possible paths; recordings go to the first. Empty if the path is computed at run time. */
  readonly paths: readonly string[];
  /** The test has parameters, each with a tape of its own, whose name begins with this one. */
  readonly isFamily: boolean;
  /** The paths are only ends of the path: the folder is set elsewhere. */
  readonly isAnywhere?: boolean;
  /** The mark, decorator or call that names the tape. */
  readonly span: Span;
}

/** A test with its tapes. */
export interface TapeTest {
  /** The path relative to the root, with `/`. */
  readonly file: string;
  readonly language: TestLanguage;
  /** Unique within its file: `TestClass::test_name`, `suite > test`, `TestName/subtest`. */
  readonly name: string;
  /** What selects this test alone in its runner; undefined if its name is computed at run time. */
  readonly select: string | undefined;
  /** The place of its name. */
  readonly nameSpan: Span;
  /** Where its lenses are. */
  readonly start: number;
  readonly uses: readonly TestTapeUse[];
  /** The module that the test functions are imported from, if the file imports them. */
  readonly runner?: string | undefined;
}

/** What could be read from a file of tests. */
export interface TestFile {
  /** Those that use tapes. */
  readonly tests: readonly TapeTest[];
  /** It may use more tapes than could be read, such as through a function of another file. */
  readonly isUnclear: boolean;
}

/** Whether a tape, by its path from the root, belongs to a use. */
export function usesTape({ paths, isFamily, isAnywhere, recorder }: TestTapeUse, tape: string): boolean {
  return paths.some((path) => {
    if (path === tape) return true;
    if (isAnywhere) return tape.endsWith(`/${path}`);
    // vcrpy may have a library folder, and names without an extension.
    if (recorder === 'use_cassette') return tape.endsWith(`/${path}`) || tape === `${path}.yaml`;
    if (!isFamily) return false;
    const [, beginning = '', ending = ''] = /^(.*?)((?:\.tape)?\.\w+)$/.exec(path) ?? [];
    return tape.startsWith(beginning) && tape.endsWith(ending) && /^[[_]/.test(tape.slice(beginning.length));
  });
}
