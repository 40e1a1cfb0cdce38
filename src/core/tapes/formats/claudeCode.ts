import { jsonOutline } from '../../json/jsonOutline';
import { present, recordOf, textOf } from '../../wire/fields';
import type { ChatResponse, Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { type Answer, ClaudeTree } from './claudeTree';
import { millisecondsBetween, requestOf } from './history';
import { headLines, type JsonLine, readJsonLines } from './jsonLines';

/**
 * Transcripts of Claude Code (`~/.claude/projects`): a message a line, each with the `parentUuid` of the one before it,
 * so that a file is a tree. An answer of the API may be split over lines that share its `message.id`.
 */
export const claudeCodeFormat = {
  id: 'claude-code',
  label: 'Claude Code transcript',
  looksLike,
  read,
} satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  const outline = jsonOutline(text);
  if (outline.isOnly) return outline.has('parentUuid') && outline.has('sessionId');
  return headLines(text, 20).some(
    (line) => line.startsWith('{') && line.includes('"parentUuid"') && line.includes('"sessionId"'),
  );
}

function read({ text }: TapeFile): Tape {
  const { lines, problems } = readJsonLines(text);
  const tree = new ClaudeTree(lines);
  const interactions = [...tree.answers.map((answer) => readAnswer(tree, answer)), ...unanswered(tree)];
  return present({
    format: 'claude-code' as const,
    name: nameOf(lines),
    version: textOf(lines.find(({ value }) => typeof value.version === 'string')?.value.version),
    interactions: interactions.map((interaction, index) => ({ index, ...interaction })),
    problems,
    records: lines.length,
  });
}

/** What Claude Code calls the session, or its own number. */
function nameOf(lines: readonly JsonLine[]): string | undefined {
  const title = lines.findLast(({ value }) => value.type === 'summary' || value.type === 'custom-title')?.value;
  const session = lines.find(({ value }) => typeof value.sessionId === 'string')?.value;
  return textOf(title?.summary) ?? textOf(title?.customTitle) ?? textOf(session?.sessionId);
}

type Call = Omit<Interaction, 'index'>;

function readAnswer(tree: ClaudeTree, answer: Answer): Call {
  const [first] = answer.entries;
  const last = answer.entries.at(-1);
  if (first === undefined || last === undefined) return { kind: 'llm', source: { start: 0, end: 0 } };
  const { value } = first.line;
  const request = requestOf({ tools: [], params: {} }, () => tree.conversationBefore(first));
  const recordedAt = textOf(last.line.value.timestamp);
  const durationMs = millisecondsBetween(textOf(first.parent?.line.value.timestamp), recordedAt);
  return present({
    kind: 'llm' as const,
    api: 'anthropic-messages' as const,
    request,
    response: withError(tree.response(answer), value.isApiErrorMessage === true),
    timing: present({ recordedAt, durationMs }),
    id: textOf(recordOf(value.message).id),
    source: { start: first.line.source.start, end: last.line.source.end },
  });
}

/** Claude Code writes the errors of the API as answers of its own. */
function withError(response: ChatResponse, isError: boolean): ChatResponse {
  return isError ? { ...response, content: null, error: response.content ?? 'the API failed' } : response;
}

/** The prompt at the end that nobody has answered. */
function unanswered(tree: ClaudeTree): Call[] {
  const last = tree.entries.findLast(({ line }) => line.value.type === 'user' || line.value.type === 'assistant');
  if (last === undefined || last.answer !== undefined) return [];
  const request = requestOf({ tools: [], params: {} }, () => tree.conversationWith(last));
  return [{ kind: 'llm', api: 'anthropic-messages', request, source: last.line.source }];
}
