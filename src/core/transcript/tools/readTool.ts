import { grouped } from '../../text/counts';
import { t } from '../../text/l10n';
import { blockLines, editLines, linesOf, patchLines } from './editLines';
import type { ToolArguments } from './toolArguments';
import type { EditLine, ToolView, ToolViewKind } from './toolView';

/** Reads the arguments of a tool; undefined where they are not those of the tool that has this name. */
export type ReadTool = (args: ToolArguments) => ToolView | undefined;

const PATH = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'dir_path', 'filename'] as const;

/** A view with the arguments that have not been read so far, so that none is hidden. */
function view(
  args: ToolArguments,
  kind: ToolViewKind,
  gist: string,
  content: Pick<ToolView, 'text' | 'lines'> = {},
): ToolView {
  return { kind, gist: gist.split('\n', 1)[0] ?? '', ...content, others: args.others };
}

/** A command of a shell: one text, or a list of words, or a list of commands. */
export const commandTool: ReadTool = (args) => {
  const words = args.texts('command');
  const text =
    args.text('command', 'cmd', 'code', 'script') ?? args.texts('commands')?.join('\n') ?? (words && shellOf(words));
  return text === undefined ? undefined : view(args, 'command', text, { text });
};

/** `["bash", "-lc", "npm test"]` is what its last word says. */
function shellOf(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && script !== undefined && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag))
    return script;
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** An edit that replaces one text of a file by another, or several. */
export const replaceTool: ReadTool = (args) => {
  const path = args.text(...PATH);
  const lines = replaced(args) ?? args.records('edits')?.flatMap((edit) => replaced(edit) ?? []);
  if (path === undefined || lines === undefined || lines.length === 0) return undefined;
  return view(args, 'edit', path, { lines });
};

function replaced(args: ToolArguments): readonly EditLine[] | undefined {
  const before = args.anyText('old_string', 'oldString', 'old_str', 'oldText', 'old_text');
  const after = args.anyText('new_string', 'newString', 'new_str', 'newText', 'new_text') ?? '';
  return before === undefined ? undefined : editLines(before, after);
}

/** An edit that is given as a patch. */
export const patchTool: ReadTool = (args) => {
  const path = args.text(...PATH);
  const text = args.text('diff', 'patch', 'input');
  if (text === undefined) return undefined;
  const lines = /^<{5,9} /m.test(text) ? blockLines(text) : patchLines(text);
  const gist = path ?? /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(text)?.[1] ?? 'patch';
  return view(args, 'edit', gist, { lines });
};

/** Text that is put into a file after a line. */
const insertion: ReadTool = (args) => {
  const path = args.text(...PATH);
  const text = args.anyText('insert_text', 'new_str', 'new_string');
  const line = args.count('insert_line', 'insertLine');
  if (path === undefined || text === undefined) return undefined;
  const place: EditLine[] = line === undefined ? [] : [{ type: 'place', text: t('after line {0}', grouped(line)) }];
  return view(args, 'edit', path, { lines: [...place, ...linesOf('added', text)] });
};

export const writeTool: ReadTool = (args) => {
  const path = args.text(...PATH);
  const text = args.anyText('content', 'file_text', 'contents', 'text');
  return path === undefined || text === undefined ? undefined : view(args, 'write', path, { text });
};

export const readingTool: ReadTool = (args) => {
  const path = args.text(...PATH) ?? args.texts('paths', 'file_paths')?.join(', ');
  if (path === undefined) return undefined;
  return view(args, 'read', withLines(path, args));
};

function withLines(path: string, args: ToolArguments): string {
  const [first, last] = args.counts('view_range') ?? [args.count('startLine', 'start_line'), args.count('endLine')];
  if (first === undefined) return path;
  return last === undefined || last < first
    ? t('{0}, from line {1}', path, first)
    : t('{0}, lines {1} to {2}', path, first, last);
}

/** A search: for text in files, for files by their names, or on the web. */
export const searchTool: ReadTool = (args) => {
  const query = args.text('pattern', 'query', 'regex', 'q', 'search_query');
  if (query === undefined) return undefined;
  const place = args.text('path', 'dir_path', 'directory', 'target_directory');
  return view(args, 'search', place === undefined ? query : t('{0} in {1}', query, place));
};

export const fetchTool: ReadTool = (args) => {
  const url = args.text('url') ?? args.texts('urls')?.join(', ');
  return url === undefined ? undefined : view(args, 'fetch', url);
};

export const moveTool: ReadTool = (args) => {
  const from = args.text('source');
  const to = args.text('destination');
  return from === undefined || to === undefined ? undefined : view(args, 'action', t('Move {0} to {1}', from, to));
};

/** Anthropic's text editor, whose `command` says what to do. */
export const textEditorTool: ReadTool = (args) => {
  switch (args.text('command')) {
    case 'view':
      return readingTool(args);
    case 'create':
      return writeTool(args);
    case 'str_replace':
      return replaceTool(args);
    case 'insert':
      return insertion(args);
    default:
      return undefined;
  }
};

/** An operation of OpenAI's `apply_patch` tool, or the free text of its earlier form. */
export const applyPatchTool: ReadTool = (args) => {
  const operation = args.text('type');
  const seen = patchTool(args);
  if (seen !== undefined || operation !== 'delete_file') return seen;
  const path = args.text(...PATH);
  return path === undefined ? undefined : view(args, 'action', t('Delete {0}', path));
};

/** What a model does at a screen, with Anthropic's or OpenAI's computer tool. */
export const screenTool: ReadTool = (args) => {
  const action = args.text('action', 'type');
  if (action === undefined) return undefined;
  const typed = args.text('text') ?? args.texts('keys', 'key')?.join('+') ?? args.text('key');
  const spot = args.counts('coordinate')?.join(', ') ?? spotOf(args);
  const words = action.replaceAll('_', ' ');
  const told = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  const what = typed === undefined ? '' : ` \u201c${typed}\u201d`;
  return view(args, 'action', spot === undefined ? told + what : t('{0} at {1}', told + what, spot));
};

function spotOf(args: ToolArguments): string | undefined {
  const x = args.count('x');
  const y = args.count('y');
  return x === undefined || y === undefined ? undefined : `${x}, ${y}`;
}
