import { asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import type { JsonLine } from '../../../json/jsonLines';
import type { RunStep } from '../../../model/interaction';
import type { ChatResponse } from '../../../model/message';
import { lazy } from '../../../text/memo';
import type { InteractionContent } from '../../lazyTape';
import { type LoggedCall, lazyRequest, millisecondsBetween, type Session } from '../shared/sessionLog';
import { ClaudeTree, type SplitResponse, type TreeEntry } from './tree';

/** The subagents of a session, whose lines are its side chains. */
class Subagents {
  readonly #entries: readonly TreeEntry[];
  readonly #names = lazy(() => namesByPrompt(this.#entries));

  constructor(entries: readonly TreeEntry[]) {
    this.#entries = entries;
  }

  /** The subagent that an entry is of; undefined for one of the session itself. */
  around(entry: TreeEntry): readonly RunStep[] | undefined {
    if (!entry.line.isTrue('isSidechain')) return undefined;
    const root = rootOf(entry);
    const id = entry.line.text('agentId') ?? root.line.text('uuid') ?? '';
    return [{ id, name: this.#names().get(promptOf(root)) ?? '' }];
  }
}

function rootOf(entry: TreeEntry): TreeEntry {
  let root = entry;
  while (root.parent?.line.isTrue('isSidechain')) root = root.parent;
  return root;
}

function promptOf({ line }: TreeEntry): string {
  const { content } = asRecord(line.value.message);
  return asString(content) ?? asString(asRecords(content)[0]?.text) ?? '';
}

/** What the calls that started subagents say that these are, by the prompts that they gave. */
function namesByPrompt(entries: readonly TreeEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { line, response } of entries) {
    if (response === undefined) continue;
    for (const { input } of asRecords(asRecord(line.value.message).content)) {
      const { prompt, subagent_type: type, description } = asRecord(input);
      const name = [type, description].flatMap((part) => asString(part) || []).join(': ');
      if (typeof prompt === 'string' && name !== '' && !names.has(prompt)) names.set(prompt, name);
    }
  }
  return names;
}

/** Reads the messages of a session as its calls of the model. */
export function readTranscript(lines: readonly JsonLine[]): Session {
  const tree = new ClaudeTree(lines);
  const subagents = new Subagents(tree.entries);
  return {
    name: nameOf(lines),
    version: lines.find((line) => line.text('version') !== undefined)?.text('version'),
    calls: [...tree.responses.map((response) => responseCall(tree, subagents, response)), ...pendingPrompt(tree)],
    unread: () => tree.unread(),
  };
}

/** The name that Claude Code gave the session, or its id. */
function nameOf(lines: readonly JsonLine[]): string | undefined {
  const title = lines.findLast((line) => TITLE_TYPES.has(line.text('type') ?? ''));
  const session = lines.find((line) => line.text('sessionId') !== undefined);
  return title?.text('summary') ?? title?.text('customTitle') ?? session?.text('sessionId');
}

const TITLE_TYPES: ReadonlySet<string> = new Set(['summary', 'custom-title']);

function responseCall(tree: ClaudeTree, subagents: Subagents, response: SplitResponse): LoggedCall {
  const [first] = response.entries;
  const last = response.entries.at(-1);
  if (first === undefined || last === undefined)
    return { source: { start: 0, end: 0 }, answers: [], read: () => ({ kind: 'llm' }) };
  const source = { start: first.line.source.start, end: last.line.source.end };
  const answers = response.entries.map(({ line }) => line.source);
  return { source, answers, read: () => readModelCall(tree, subagents, response, first, last) };
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
function pendingPrompt(tree: ClaudeTree): LoggedCall[] {
  const last = tree.entries.findLast(({ line }) => /^(?:user|assistant)$/.test(line.text('type') ?? ''));
  if (last === undefined || last.response !== undefined) return [];
  const read = (): InteractionContent => {
    const request = lazyRequest({ tools: [], params: {} }, () => tree.conversationWith(last));
    return { kind: 'llm', api: 'anthropic-messages', request };
  };
  return [{ source: last.line.source, answers: [], read }];
}
