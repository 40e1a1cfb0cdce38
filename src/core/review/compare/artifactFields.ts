import { asString, omitKeys } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { ChangeSubject } from '../../model/change';

/** A list in an artifact whose items are aligned. */
export interface ListField {
  readonly path: JsonPath;
  /** Of an item that is new, gone, moved, or edited as a whole. */
  readonly subject: ChangeSubject;
  nameOf(item: JsonRecord): string;
  /** What two items that are the same thing have in common, edited or not. */
  identity(item: JsonRecord): Json;
  /** What of an item is compared; the rest is different in every run. */
  compared(item: JsonRecord): JsonRecord;
  /** The members that are changes of their own; without them an item is edited as a whole. */
  readonly members?: Readonly<Record<string, ChangeSubject>>;
}

/** The name of an item by one of its members. */
const memberName = (member: string) => (item: JsonRecord) => asString(item[member]) ?? '';
const withoutMembers =
  (...keys: readonly string[]) =>
  (item: JsonRecord) =>
    omitKeys(item, ...keys);
const wholeItem = (item: JsonRecord): JsonRecord => item;

const message = {
  subject: 'message',
  nameOf: memberName('role'),
  identity: ({ role }: JsonRecord) => role ?? null,
  compared: wholeItem,
  members: { content: 'text', role: 'role' },
} as const;

const file = {
  subject: 'file',
  nameOf: memberName('relative_path'),
  identity: ({ relative_path }: JsonRecord) => relative_path ?? null,
  compared: withoutMembers('modified_ms'),
} as const;

export const LIST_FIELDS: readonly ListField[] = [
  {
    path: ['tool_calls'],
    subject: 'tool call',
    nameOf: memberName('tool_name'),
    identity: ({ tool_name }) => tool_name ?? null,
    compared: withoutMembers('duration_ms'),
    members: { tool_name: 'tool', input: 'arguments', output: 'tool result', success: 'error', timed_out: 'error' },
  },
  {
    path: ['assertions'],
    subject: 'assertion',
    nameOf: memberName('kind'),
    identity: ({ kind, expected }) => [kind ?? null, expected ?? null],
    // What was found shows where it changed: in the output, the tool calls.
    compared: withoutMembers('actual', 'details'),
  },
  { path: ['llm_request', 'messages'], ...message },
  { path: ['session_snapshot', 'messages'], ...message },
  { path: ['workspace_before', 'files'], ...file },
  { path: ['workspace_after', 'files'], ...file },
];

/** What single fields are about. */
export const FIELD_SUBJECTS: ReadonlyMap<string, ChangeSubject> = new Map([
  ['status', 'status'],
  ['output_text', 'text'],
  ['runner_error', 'error'],
  ['llm_request.model', 'model'],
  ['llm_response.content', 'text'],
  ['llm_response.tool_calls', 'arguments'],
  ['llm_response.usage', 'usage'],
]);

/** What is different in every run, with the name of the rule. */
export const FIELD_RULES: ReadonlyMap<string, string> = new Map([
  ['duration_ms', 'timing'],
  ['started_at_ms', 'timing'],
  ['execution_id', 'run'],
  ['session_id', 'run'],
  ['workspace_root', 'run'],
  ['tapedeck.mode', 'run'],
  ['tapedeck.tape', 'run'],
  // Whether each request was as recorded is the verdict of the run, not what the agent did.
  ['tapedeck.verdicts', 'run'],
  // They follow from the answer, which is compared; the review of the tape shows them.
  ['llm_response.usage', 'usage'],
  ['tapedeck.tape_uses', 'run'],
]);

/** Objects whose members are compared one by one. */
export const NESTED_FIELDS: readonly string[] = [
  'llm_request',
  'llm_response',
  'session_snapshot',
  'workspace_before',
  'workspace_after',
  'agent',
  'tapedeck',
];
