import { diffLines, replacedText } from '../../diff/diffText';
import { isRecord, type Json } from '../../json/json';
import { grouped } from '../../text/counts';
import { t } from '../../text/l10n';
import { ToolArguments } from './toolArguments';
import type { EditLine, ToolView, ToolViewKind } from './toolView';

/** Reads the arguments of a tool; undefined if they are not those of the tool that has this name. */
type ReadTool = (args: ToolArguments) => ToolView | undefined;

const PATH = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'dir_path', 'filename'] as const;
const FOLDER = ['cwd', 'workdir', 'working_directory', 'directory', 'dir_path', 'cd'] as const;

/** A command of a shell: one text, or a list of words, or a list of commands. Codex edits files with one, `apply_patch`. */
const commandTool: ReadTool = (args) => {
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

/** An edit that replaces one text of a file by another, or several. */
const replaceTool: ReadTool = (args) => {
  const path = args.text(...PATH);
  const lines = replaced(args);
  if (path !== undefined && lines !== undefined && lines.length > 0) return view(args, 'edit', path, { lines });
  const edits = (args.records('edits', 'replacements') ?? []).slice(0, MAX_EDITS + 1);
  return edits.length > MAX_EDITS ? undefined : severalEdits(args, path, edits);
};

/** Calls with more edits are shown as they were recorded. */
const MAX_EDITS = 200;

/** New code for a file, with comments in place of what stays: `insert_edit_into_file`, cells of a notebook. */
const sketchTool: ReadTool = (args) => {
  const file = args.text(...PATH);
  const text = args.anyText('code', 'new_source', 'newCode');
  return file === undefined || text === undefined ? undefined : view(args, 'edit', file, { text, file });
};

/** An edit that is given as a patch. */
const patchTool: ReadTool = (args) => {
  const text = args.text('diff', 'patch', 'input', 'patchText');
  return text === undefined ? undefined : patchView(args, text);
};

/** The edit that the arguments of an unknown tool are: texts of a file before and after it, or a patch. */
const editByShape: ReadTool = (args) => {
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

const writeTool: ReadTool = (args) => {
  const path = args.text(...PATH);
  const text = args.anyText('content', 'file_text', 'contents', 'text');
  return path === undefined || text === undefined ? undefined : view(args, 'write', path, { text, file: path });
};

const readingTool: ReadTool = (args) => {
  const file = args.text(...PATH);
  const path = file ?? args.texts('paths', 'file_paths')?.join(', ');
  if (path === undefined) return undefined;
  return view(args, 'read', withLines(path, args), file === undefined ? {} : { file });
};

/** A search: for text in files, for files by their names, or on the web. */
const searchTool: ReadTool = (args) => {
  const query = args.text('pattern', 'query', 'regex', 'q', 'search_query');
  if (query === undefined) return undefined;
  const place = args.text('path', 'dir_path', 'directory', 'target_directory');
  return view(args, 'search', place === undefined ? query : t('{0} in {1}', query, place));
};

const fetchTool: ReadTool = (args) => {
  const url = args.text('url') ?? args.texts('urls')?.join(', ');
  return url === undefined ? undefined : view(args, 'fetch', url);
};

const moveTool: ReadTool = (args) => {
  const from = args.text('source');
  const to = args.text('destination');
  return from === undefined || to === undefined ? undefined : view(args, 'action', t('Move {0} to {1}', from, to));
};

/** Anthropic's text editor, whose `command` says what to do. */
const textEditorTool: ReadTool = (args) => {
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
const applyPatchTool: ReadTool = (args) => {
  const operation = args.text('type');
  const seen = patchTool(args);
  if (seen !== undefined || operation !== 'delete_file') return seen;
  const path = args.text(...PATH);
  return path === undefined ? undefined : view(args, 'action', t('Delete {0}', path));
};

/** What a model does at a screen, with Anthropic's or OpenAI's computer tool. */
const screenTool: ReadTool = (args) => {
  const action = args.text('action', 'type');
  if (action === undefined) return undefined;
  const typed = args.text('text') ?? args.texts('keys', 'key')?.join('+') ?? args.text('key');
  const spot = args.counts('coordinate')?.join(', ') ?? spotOf(args);
  const words = action.replaceAll('_', ' ');
  const told = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  const what = typed === undefined ? '' : ` \u201c${typed}\u201d`;
  return view(args, 'action', spot === undefined ? told + what : t('{0} at {1}', told + what, spot));
};

const TIMEOUT_MS = 100;

/** What begins a line of a patch that is no content: unified diffs and the patches of OpenAI's `apply_patch`. */
const PLACE =
  /^(?:@@|\*\*\* |diff --git |index [0-9a-f]+\.\.|(?:new|deleted) file mode |similarity index |rename (?:from|to) |--- |\+\+\+ )/;

/** Where a patch begins: one of OpenAI's, or a unified diff with its two files. */
const PATCH = /^(?:\*\*\* Begin Patch$|--- \S.*\n\+\+\+ \S.*\n@@ )/m;

/** Matches the name of a file in OpenAI's patches and in unified diffs, in which `/dev/null` is not a file. */
const PATCHED_FILE = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?(?!\/dev\/null))([^\t\n]+)/gm;

const MARKER = /^(?:<{5,9} |={5,9}$|>{5,9} )/;

/** The tools of one provider or agent: a way to read their arguments, and the names of the tools that have such. */
type ToolNames = readonly (readonly [readTool: ReadTool, ...names: readonly string[]])[];

/** The tools that are known, by who defines them. A name means the same for all, as far as its arguments fit. */
const KNOWN_TOOLS: Readonly<Record<string, ToolNames>> = {
  anthropic: [
    [commandTool, 'bash', 'bash_code_execution', 'code_execution'],
    [textEditorTool, 'str_replace_editor', 'str_replace_based_edit_tool', 'text_editor_code_execution'],
    [screenTool, 'computer'],
    [searchTool, 'web_search'],
    [fetchTool, 'web_fetch'],
  ],
  openai: [
    [commandTool, 'shell', 'local_shell', 'shell_command', 'container.exec', 'exec_command', 'code_interpreter'],
    [applyPatchTool, 'apply_patch'],
    [screenTool, 'computer_use_preview'],
    [searchTool, 'file_search'],
  ],
  'MCP filesystem': [
    [readingTool, 'read_file', 'read_text_file', 'read_media_file', 'read_multiple_files', 'get_file_info'],
    [readingTool, 'list_directory', 'list_directory_with_sizes', 'directory_tree'],
    [writeTool, 'write_file'],
    [replaceTool, 'edit_file'],
    [searchTool, 'search_files'],
    [moveTool, 'move_file'],
  ],
  'Claude Code': [
    [commandTool, 'Bash'],
    [readingTool, 'Read', 'LS'],
    [replaceTool, 'Edit', 'MultiEdit'],
    [writeTool, 'Write'],
    [searchTool, 'Grep', 'Glob', 'WebSearch'],
    [fetchTool, 'WebFetch'],
    [sketchTool, 'NotebookEdit'],
  ],
  'Gemini CLI': [
    [commandTool, 'run_shell_command'],
    [replaceTool, 'replace'],
    [readingTool, 'read_many_files'],
    [searchTool, 'search_file_content', 'grep_search', 'glob', 'google_web_search'],
  ],
  opencode: [
    [readingTool, 'read', 'list'],
    [replaceTool, 'edit'],
    [writeTool, 'write'],
    [searchTool, 'grep'],
    [fetchTool, 'webfetch'],
    [patchTool, 'patch'],
  ],
  'GitHub Copilot': [
    [commandTool, 'run_in_terminal'],
    [replaceTool, 'replace_string_in_file', 'multi_replace_string_in_file'],
    [sketchTool, 'insert_edit_into_file', 'edit_notebook_file'],
    [writeTool, 'create_file'],
    [searchTool, 'semantic_search'],
    [fetchTool, 'fetch_webpage'],
  ],
  Cline: [
    [commandTool, 'execute_command'],
    [writeTool, 'write_to_file'],
    [patchTool, 'replace_in_file', 'apply_diff'],
    [readingTool, 'list_files'],
  ],
  others: [[commandTool, 'python', 'execute_bash', 'run_terminal_cmd', 'run_command', 'terminal', 'developer__shell']],
};

const READERS: ReadonlyMap<string, ReadTool> = new Map(
  Object.values(KNOWN_TOOLS).flatMap((tools) =>
    tools.flatMap(([readTool, ...names]) => names.map((name) => [name, readTool])),
  ),
);

/** Claude Code and others put the server's name before a tool of MCP: `mcp__filesystem__read_file`. */
const MCP_PREFIX = /^mcp__.+?__/;
/** Longer arguments, and edits of more lines, are shown as they were recorded. */
const MAX_LENGTH = 100_000;
const MAX_LINES = 5_000;

/**
 * What a call of a well-known tool does, or an edit by any tool; undefined for any other, and where the arguments are not those
 * of that tool.
 */
export function toolView(name: string, args: Json, argumentsText: string): ToolView | undefined {
  if (argumentsText.length > MAX_LENGTH) return undefined;
  // The input of a custom tool of OpenAI is free text.
  const record = typeof args === 'string' && args !== '' ? { input: args } : args;
  if (!isRecord(record)) return undefined;
  const readTool = READERS.get(name.replace(MCP_PREFIX, '')) ?? editByShape;
  const view = readTool(new ToolArguments(record)) ?? editByShape(new ToolArguments(record));
  return (view?.lines?.length ?? 0) > MAX_LINES ? undefined : view;
}

/** A view with the arguments that have not been read so far, so that none is hidden. */
function view(
  args: ToolArguments,
  kind: ToolViewKind,
  gist: string,
  content: Pick<ToolView, 'text' | 'lines' | 'cwd' | 'file'> = {},
): ToolView {
  return { kind, gist: gist.split('\n', 1)[0] ?? '', ...content, others: args.others };
}

/** `["bash", "-lc", "npm test"]` is what its last word says. */
function shellOf(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  if (words.length === 3 && script !== undefined && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag))
    return script;
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

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

function patchView(args: ToolArguments, patch: string, content: Pick<ToolView, 'cwd'> = {}): ToolView {
  const lines = /^<{5,9} /m.test(patch) ? blockLines(patch) : patchLines(patch);
  const gist = args.text(...PATH) ?? (patchedFiles(patch).join(', ') || 'patch');
  return view(args, 'edit', gist, { lines, ...content });
}

function withLines(path: string, args: ToolArguments): string {
  const [first, last] = args.counts('view_range') ?? [args.count('startLine', 'start_line'), args.count('endLine')];
  if (first === undefined) return path;
  return last === undefined || last < first
    ? t('{0}, from line {1}', path, first)
    : t('{0}, lines {1} to {2}', path, first, last);
}

function spotOf(args: ToolArguments): string | undefined {
  const x = args.count('x');
  const y = args.count('y');
  return x === undefined || y === undefined ? undefined : `${x}, ${y}`;
}

/** The lines of an edit that replaces one text by another. Each of several edits gets a share of the time limit. */
function editLines(before: string, after: string, edits = 1): readonly EditLine[] {
  const hunks = diffLines(endLine(before), endLine(after), TIMEOUT_MS / edits) ?? replacedText(before, after);
  return hunks.flatMap((hunk) =>
    hunk.isEqual ? linesOf('same', hunk.before) : [...linesOf('removed', hunk.before), ...linesOf('added', hunk.after)],
  );
}

/** The last lines of two texts differ only in what is in them. */
function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(type: EditLine['type'], text: string): readonly EditLine[] {
  if (text === '') return [];
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => ({ type, text: line }));
}

function isPatch(text: string): boolean {
  return PATCH.test(text);
}

/** The files that a patch changes, each once. */
function patchedFiles(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(PATCHED_FILE)].map(([, file = '']) => file.trim()))];
}

/** The lines of a patch. */
function patchLines(patch: string): readonly EditLine[] {
  return linesOf('same', patch).map(({ text }) => {
    if (PLACE.test(text)) return { type: 'place', text };
    if (text.startsWith('+')) return { type: 'added', text: text.slice(1) };
    if (text.startsWith('-')) return { type: 'removed', text: text.slice(1) };
    return { type: 'same', text: text.replace(/^ /, '') };
  });
}

/** The lines of an edit in blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`. */
function blockLines(blocks: string): readonly EditLine[] {
  let type: EditLine['type'] = 'same';
  return linesOf('same', blocks).flatMap(({ text }): EditLine[] => {
    if (!MARKER.test(text)) return [{ type, text }];
    type = text.startsWith('<') ? 'removed' : text.startsWith('=') ? 'added' : 'same';
    return text.startsWith('<') ? [{ type: 'place', text: '@@' }] : [];
  });
}
