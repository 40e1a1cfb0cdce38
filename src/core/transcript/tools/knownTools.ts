import { isRecord, type Json } from '../../json/json';
import {
  applyPatch,
  command,
  fetch,
  move,
  patch,
  type ReadTool,
  read,
  replacement,
  screen,
  search,
  textEditor,
  write,
} from './readTool';
import { ToolArguments } from './toolArguments';
import type { ToolView } from './toolView';

/** The tools of one provider or agent: a way to read their arguments, and the names of the tools that have such. */
type ToolNames = readonly (readonly [read: ReadTool, ...names: readonly string[]])[];

/** The tools that are known, by who defines them. A name means the same for all, as far as its arguments fit. */
const KNOWN_TOOLS: Readonly<Record<string, ToolNames>> = {
  anthropic: [
    [command, 'bash', 'bash_code_execution', 'code_execution'],
    [textEditor, 'str_replace_editor', 'str_replace_based_edit_tool', 'text_editor_code_execution'],
    [screen, 'computer'],
    [search, 'web_search'],
    [fetch, 'web_fetch'],
  ],
  openai: [
    [command, 'shell', 'local_shell', 'exec_command', 'code_interpreter'],
    [applyPatch, 'apply_patch'],
    [screen, 'computer_use_preview'],
    [search, 'file_search'],
  ],
  'MCP filesystem': [
    [read, 'read_file', 'read_text_file', 'read_media_file', 'read_multiple_files', 'get_file_info'],
    [read, 'list_directory', 'list_directory_with_sizes', 'directory_tree'],
    [write, 'write_file'],
    [replacement, 'edit_file'],
    [search, 'search_files'],
    [move, 'move_file'],
  ],
  'Claude Code': [
    [command, 'Bash'],
    [read, 'Read', 'LS'],
    [replacement, 'Edit', 'MultiEdit'],
    [write, 'Write'],
    [search, 'Grep', 'Glob', 'WebSearch'],
    [fetch, 'WebFetch'],
  ],
  'Gemini CLI': [
    [command, 'run_shell_command'],
    [replacement, 'replace'],
    [read, 'read_many_files'],
    [search, 'search_file_content', 'grep_search', 'glob', 'google_web_search'],
  ],
  opencode: [
    [read, 'read', 'list'],
    [replacement, 'edit'],
    [write, 'write'],
    [search, 'grep'],
    [fetch, 'webfetch'],
    [patch, 'patch'],
  ],
  'GitHub Copilot': [
    [command, 'run_in_terminal'],
    [replacement, 'replace_string_in_file'],
    [write, 'create_file'],
    [search, 'semantic_search'],
    [fetch, 'fetch_webpage'],
  ],
  Cline: [
    [command, 'execute_command'],
    [write, 'write_to_file'],
    [patch, 'replace_in_file', 'apply_diff'],
    [read, 'list_files'],
  ],
};

const READERS: ReadonlyMap<string, ReadTool> = new Map(
  Object.values(KNOWN_TOOLS).flatMap((tools) => tools.flatMap(([read, ...names]) => names.map((name) => [name, read]))),
);

/** Claude Code and others put the server's name before a tool of MCP: `mcp__filesystem__read_file`. */
const MCP_PREFIX = /^mcp__.+?__/;
/** Longer arguments are shown as they were recorded. */
const MAX_LENGTH = 100_000;

/** What a call of a well-known tool does; undefined for any other, and where the arguments are not those of that tool. */
export function toolView(name: string, args: Json, argumentsText: string): ToolView | undefined {
  const readTool = READERS.get(name.replace(MCP_PREFIX, ''));
  if (readTool === undefined || argumentsText.length > MAX_LENGTH) return undefined;
  if (isRecord(args)) return readTool(new ToolArguments(args));
  // The input of a custom tool of OpenAI is free text.
  return typeof args === 'string' && args !== '' ? readTool(new ToolArguments({ input: args })) : undefined;
}
