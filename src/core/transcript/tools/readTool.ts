import { grouped } from '../../text/counts';
import { t } from '../../text/l10n';
import { blockLines, editLines, isPatch, linesOf, patchedFiles, patchLines } from './editLines';
import type { ToolArguments } from './toolArguments';
import type { EditLine, ToolView, ToolViewKind } from './toolView';

/** Reads the arguments of a tool; undefined if they are not those of the tool that has this name. */
export type ReadTool = (args: ToolArguments) => ToolView | undefined;

const PATH = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'dir_path', 'filename'] as const;
const FOLDER = ['cwd', 'workdir', 'working_directory', 'directory', 'dir_path', 'cd'] as const;

/** A view with the arguments that have not been read so far, so that none is hidden. */
function view(
  args: ToolArguments,
  kind: ToolViewKind,
  gist: string,
  content: Pick<ToolView, 'text' | 'lines' | 'cwd' | 'file'> = {},
): ToolView {
  return { kind, gist: gist.split('\n', 1)[0] ?? '', ...content, others: args.others };
}

/** A command of a shell: one text, or a list of words, or a list of commands. Codex edits files with one, `apply_patch`. */
export const commandTool: ReadTool = (args) => {
  const words = args.texts('command', 'cmd');
  const text =
    args.text('command', 'cmd', 'code', 'script') ?? args.texts('commands')?.join('\n') ?? (words && shellOf(words));
  if (text === undefined) return undefined;
  const cwd = args.text(...FOLDER);
  const patch = words?.[0] === 'apply_patch' ? words[1] : PATCH_COMMAND.exec(text)?.[1];
  const content = cwd === undefined ? {} : { cwd };
  if (patch !== undefined && isPatch(patch)) return patchView(args, patch, content);
  return view(args, 'command', text, { text, ...content });
};

/** `apply_patch <<'EOF' … EOF`, perhaps after `cd folder &&`, and nothing after it. */
const PATCH_COMMAND = /^\s*(?:cd \S+ *&& *)?apply_?patch *<<-? *['"]?\w+['"]?\n([\s\S]*?\n\*\*\* End Patch)\n\w+\s*$/;

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
  const lines = replaced(args);
  if (path !== undefined && lines !== undefined && lines.length > 0) return view(args, 'edit', path, { lines });
  const edits = (args.records('edits', 'replacements') ?? []).slice(0, MAX_EDITS + 1);
  return edits.length > MAX_EDITS ? undefined : severalEdits(args, path, edits);
};

/** Calls with more edits are shown as they were recorded. */
const MAX_EDITS = 200;

/** Several edits of one file, or each of its own. */
function severalEdits(
  args: ToolArguments,
  path: string | undefined,
  edits: readonly ToolArguments[],
): ToolView | undefined {
  const paths = new Set(path === undefined ? [] : [path]);
  const lines = edits.flatMap((edit): readonly EditLine[] => {
    const own = edit.text(...PATH);
    const place: readonly EditLine[] = own === undefined || own === path ? [] : [{ type: 'place', text: own }];
    if (own !== undefined) paths.add(own);
    return [...place, ...(replaced(edit, edits.length) ?? [])];
  });
  return paths.size === 0 || lines.length === 0 ? undefined : view(args, 'edit', [...paths].join(', '), { lines });
}

function replaced(args: ToolArguments, edits?: number): readonly EditLine[] | undefined {
  const before = args.anyText('old_string', 'oldString', 'old_str', 'oldText', 'old_text');
  const after = args.anyText('new_string', 'newString', 'new_str', 'newText', 'new_text') ?? '';
  return before === undefined ? undefined : editLines(before, after, edits);
}

/** New code for a file, with comments in place of what stays: `insert_edit_into_file`, cells of a notebook. */
export const sketchTool: ReadTool = (args) => {
  const file = args.text(...PATH);
  const text = args.anyText('code', 'new_source', 'newCode');
  return file === undefined || text === undefined ? undefined : view(args, 'edit', file, { text, file });
};

/** An edit that is given as a patch. */
export const patchTool: ReadTool = (args) => {
  const text = args.text('diff', 'patch', 'input', 'patchText');
  return text === undefined ? undefined : patchView(args, text);
};

function patchView(args: ToolArguments, patch: string, content: Pick<ToolView, 'cwd'> = {}): ToolView {
  const lines = /^<{5,9} /m.test(patch) ? blockLines(patch) : patchLines(patch);
  const gist = args.text(...PATH) ?? (patchedFiles(patch).join(', ') || 'patch');
  return view(args, 'edit', gist, { lines, ...content });
}

/** The edit that the arguments of an unknown tool are: texts of a file before and after it, or a patch. */
export const editByShape: ReadTool = (args) => {
  const edit = textEditorTool(args.unread()) ?? replaceTool(args.unread());
  if (edit !== undefined && edit.kind !== 'read') return edit;
  const patch = args.textThat(isPatch);
  return patch === undefined ? undefined : patchView(args, patch);
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
  return path === undefined || text === undefined ? undefined : view(args, 'write', path, { text, file: path });
};

export const readingTool: ReadTool = (args) => {
  const file = args.text(...PATH);
  const path = file ?? args.texts('paths', 'file_paths')?.join(', ');
  if (path === undefined) return undefined;
  return view(args, 'read', withLines(path, args), file === undefined ? {} : { file });
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
