import { diffLines, replacedText } from '../../diff/diffText';
import type { EditLine } from './toolView';

const TIMEOUT_MS = 100;

/** The lines of an edit that replaces one text by another. Each of several edits gets a share of the time limit. */
export function editLines(before: string, after: string, edits = 1): readonly EditLine[] {
  const hunks = diffLines(endLine(before), endLine(after), TIMEOUT_MS / edits) ?? replacedText(before, after);
  return hunks.flatMap((hunk) =>
    hunk.isEqual ? linesOf('same', hunk.before) : [...linesOf('removed', hunk.before), ...linesOf('added', hunk.after)],
  );
}

/** The last lines of two texts differ only in what is in them. */
function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

export function linesOf(type: EditLine['type'], text: string): readonly EditLine[] {
  if (text === '') return [];
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => ({ type, text: line }));
}

/** What begins a line of a patch that is no content: unified diffs and the patches of OpenAI's `apply_patch`. */
const PLACE =
  /^(?:@@|\*\*\* |diff --git |index [0-9a-f]+\.\.|(?:new|deleted) file mode |similarity index |rename (?:from|to) |--- |\+\+\+ )/;

/** Where a patch begins: one of OpenAI's, or a unified diff with its two files. */
const PATCH = /^(?:\*\*\* Begin Patch$|--- \S.*\n\+\+\+ \S.*\n@@ )/m;

export function isPatch(text: string): boolean {
  return PATCH.test(text);
}

/** Matches the name of a file in OpenAI's patches and in unified diffs, in which `/dev/null` is not a file. */
const PATCHED_FILE = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?(?!\/dev\/null))([^\t\n]+)/gm;

/** The files that a patch changes, each once. */
export function patchedFiles(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(PATCHED_FILE)].map(([, file = '']) => file.trim()))];
}

/** The lines of a patch. */
export function patchLines(patch: string): readonly EditLine[] {
  return linesOf('same', patch).map(({ text }) => {
    if (PLACE.test(text)) return { type: 'place', text };
    if (text.startsWith('+')) return { type: 'added', text: text.slice(1) };
    if (text.startsWith('-')) return { type: 'removed', text: text.slice(1) };
    return { type: 'same', text: text.replace(/^ /, '') };
  });
}

const MARKER = /^(?:<{5,9} |={5,9}$|>{5,9} )/;

/** The lines of an edit in blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`. */
export function blockLines(blocks: string): readonly EditLine[] {
  let type: EditLine['type'] = 'same';
  return linesOf('same', blocks).flatMap(({ text }): EditLine[] => {
    if (!MARKER.test(text)) return [{ type, text }];
    type = text.startsWith('<') ? 'removed' : text.startsWith('=') ? 'added' : 'same';
    return text.startsWith('<') ? [{ type: 'place', text: '@@' }] : [];
  });
}
