import type { TestKind } from '../testRun';
import { pytestRun } from './pytestRun';
import { testTapeUses } from './pythonTapeUse';
import { readPythonTests } from './pythonTests';
import { nodeName } from './testNames';

/** The tests that pytest collects. */
export const pytestKind: TestKind = {
  language: 'python',
  isTestFile: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path),
  sources: /\.py$/,
  mayImport: /\bimport\s*\*|\bclass\s+\w+\s*\(/,
  named: (text) =>
    readPythonTests(text, () => true).map(({ nameSpan, start, ...test }) => {
      const name = nodeName(test);
      return { names: [[name], [`${name}[`, '']], nameSpan, start };
    }),
  selectOf: (name) => name,
  read: (file, text) => {
    if (!MENTIONS.test(text)) return { tests: [], isUnclear: false };
    const tests = readPythonTests(text).flatMap((test) => {
      const uses = testTapeUses(test, file);
      const { nameSpan, start } = test;
      const name = nodeName(test);
      return uses.length === 0
        ? []
        : [{ file, language: 'python' as const, name, select: name, nameSpan, start, uses }];
    });
    return { tests, isUnclear: false };
  },
  run: pytestRun,
};

/** Matches files that may use tapes; most test files do not, and need not be read. */
const MENTIONS = /\b(?:ca_cassette|use_cassette|tapedeck|mark\.(?:cassette|replay|vcr))\b/;
