import { asRecord, asString, omitUndefined } from '../../../json/fields';
import { headLines, type JsonLine, readJsonLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import type { ChatResponse } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import type { Span } from '../../../text/source';
import type { TapeFormat } from '../../format';
import { type InteractionContent, LazyInteraction, LazyTape } from '../../lazyTape';
import { unreadRecords } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { lazyRequest, millisecondsBetween } from '../shared/sessionLog';
import { Subagents } from './subagents';
import { ClaudeTree, type SplitResponse, type TreeEntry } from './tree';

/**
 * Transcripts of Claude Code (`~/.claude/projects`): one message per line, each with the `parentUuid` of the previous
 * one, so that a file is a tree. A response of the API may be split over several lines with the same `message.id`.
 */
export const claudeCodeFormat = {
  id: 'claude-code',
  label: 'Claude Code transcript',
  family: 'session',
  extensions: ['jsonl'],
  looksLike,
  read,
} satisfies TapeFormat;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isOnly) return outline.has('parentUuid') && outline.has('sessionId');
  return headLines(text, 20).some(
    (line) => line.startsWith('{') && line.includes('"parentUuid"') && line.includes('"sessionId"'),
  );
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { lines, problems } = readJsonLines(text);
  const tree = new ClaudeTree(lines);
  const subagents = new Subagents(tree.entries);
  const calls = [...tree.responses.map((response) => responseCall(tree, subagents, response)), ...pendingPrompt(tree)];
  return new LazyTape(
    {
      format: 'claude-code',
      name: nameOf(lines),
      version: lines.find((line) => line.text('version') !== undefined)?.text('version'),
      interactions: calls.map(
        ({ source, read: readCall }, index) =>
          new LazyInteraction(index, source, () => ({ content: readCall(), problems: [] })),
      ),
      records: lines.length,
    },
    () => [...problems, ...unreadRecords('claude-code', text, tree.unread())],
  );
}

/** The name that Claude Code gave the session, or its id. */
function nameOf(lines: readonly JsonLine[]): string | undefined {
  const title = lines.findLast((line) => TITLE_TYPES.has(line.text('type') ?? ''));
  const session = lines.find((line) => line.text('sessionId') !== undefined);
  return title?.text('summary') ?? title?.text('customTitle') ?? session?.text('sessionId');
}

const TITLE_TYPES: ReadonlySet<string> = new Set(['summary', 'custom-title']);

/** A call of the model, and its position in the file. */
interface Call {
  readonly source: Span;
  read(): InteractionContent;
}

function responseCall(tree: ClaudeTree, subagents: Subagents, response: SplitResponse): Call {
  const [first] = response.entries;
  const last = response.entries.at(-1);
  if (first === undefined || last === undefined) return { source: { start: 0, end: 0 }, read: () => ({ kind: 'llm' }) };
  const source = { start: first.line.source.start, end: last.line.source.end };
  return { source, read: () => readModelCall(tree, subagents, response, first, last) };
}

function readModelCall(
  tree: ClaudeTree,
  subagents: Subagents,
  response: SplitResponse,
  first: TreeEntry,
  last: TreeEntry,
): InteractionContent {
  const { value } = first.line;
  const request = lazyRequest({ tools: [], params: {} }, () => tree.conversationBefore(first));
  const recordedAt = asString(last.line.value.timestamp);
  const durationMs = millisecondsBetween(asString(first.parent?.line.value.timestamp), recordedAt);
  return omitUndefined({
    kind: 'llm' as const,
    api: 'anthropic-messages' as const,
    request,
    response: withError(tree.response(response), value.isApiErrorMessage === true),
    timing: omitUndefined({ recordedAt, durationMs }),
    within: subagents.around(first),
    id: asString(asRecord(value.message).id),
  });
}

/** Claude Code writes errors of the API as responses of its own. */
function withError(response: ChatResponse, isError: boolean): ChatResponse {
  return isError ? { ...response, content: null, error: response.content ?? 'the API failed' } : response;
}

/** The prompt at the end, if it has no response. */
function pendingPrompt(tree: ClaudeTree): Call[] {
  const last = tree.entries.findLast(({ line }) => /^(?:user|assistant)$/.test(line.text('type') ?? ''));
  if (last === undefined || last.response !== undefined) return [];
  const read = (): InteractionContent => {
    const request = lazyRequest({ tools: [], params: {} }, () => tree.conversationWith(last));
    return { kind: 'llm', api: 'anthropic-messages', request };
  };
  return [{ source: last.line.source, read }];
}
