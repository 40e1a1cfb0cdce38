import { isRecord, type Json } from '../../json/json';
import {
  applyPatchTool,
  commandTool,
  editByShape,
  fetchTool,
  moveTool,
  patchTool,
  type ReadTool,
  readingTool,
  replaceTool,
  screenTool,
  searchTool,
  sketchTool,
  textEditorTool,
  writeTool,
} from './readTool';
import { ToolArguments } from './toolArguments';
import type { ToolView } from './toolView';

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
