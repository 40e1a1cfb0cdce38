import { readJsonLines } from '../../json/jsonLines';
import { readJson } from '../../json/readJson';
import { message, t } from '../../text/l10n';
import type { Problem } from '../../text/source';
import { readToml } from '../../toml/readToml';
import { readYaml } from '../../yaml/readYaml';
import type { CaseKind, WrittenCaseKind } from '../caseKind';

/**
 * Files that lie where only cases lie, and are empty or broken beyond recognition. Such a file is a case that fails: a test
 * must not disappear because its file was emptied or cut off.
 */
export function unreadableKind(kinds: readonly CaseKind[]): WrittenCaseKind {
  return {
    id: 'unreadable',
    label: 'Unreadable case',
    looksLike: (text, path) =>
      kinds.some(({ places }) => places?.test(path)) && unreadableReasons(text, path).length > 0,
    list(text, path) {
      const label = kinds.find(({ places }) => places?.test(path))?.label;
      const problems = unreadableReasons(text, path);
      return { cases: [], problems: label === undefined ? problems : problems.map((one) => inPlaceOf(label, one)) };
    },
  };
}

const RESTORE = message('Restore it from version control, record it again, or delete it.');

/** A file with nothing but space, or an empty document. */
const NOTHING = /^[\s\uFEFF]*(?:\{\s*\}|\[\s*\]|null|~|---)?\s*$/;

/** Why nothing can be read from a file that may hold cases: it is empty, or its syntax is broken. None for any other. */
export function unreadableReasons(text: string, path: string): readonly Problem[] {
  if (NOTHING.test(text))
    return [{ severity: 'error', message: t('the file is empty'), fix: t(RESTORE), span: { start: 0, end: 0 } }];
  return syntaxProblems(text, path).filter(({ severity }) => severity === 'error');
}

function syntaxProblems(text: string, path: string): readonly Problem[] {
  switch (/\.(\w+)$/.exec(path)?.[1]?.toLowerCase()) {
    case 'json':
      return readJson(text).problems;
    case 'jsonl': {
      const { lines, problems } = readJsonLines(text);
      return lines.length > 0 ? [] : problems;
    }
    case 'toml':
      return readToml(text).problems;
    default:
      return readYaml(text).problems;
  }
}

function inPlaceOf(label: string, problem: Problem): Problem {
  return { ...problem, message: t('{0}; in its place, it should be a {1}', problem.message, label) };
}
