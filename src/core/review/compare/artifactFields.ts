import { asString, omitKeys } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { ChangeSubject } from '../../model/change';

/** A list in an artifact whose items are aligned. */
export interface ListField {
  readonly path: JsonPath;
  /** The subject of an item that is added, removed, moved, or edited as a whole. */
  readonly subject: ChangeSubject;
  nameOf(item: JsonRecord): string;
  /** Equal for two versions of the same item. */
  identity(item: JsonRecord): Json;
  /** The compared part of an item; the rest differs in every run. */
  compared(item: JsonRecord): JsonRecord;
  /** The members whose edits are changes of their own; otherwise an item is edited as a whole. */
  readonly members?: Readonly<Record<string, ChangeSubject>>;
  /** Whether a member of an item is what the model was given. */
  isGiven(member: string, item: JsonRecord): boolean;
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
  isGiven: (_: string, { role }: JsonRecord) => role !== 'assistant',
} as const;

const file = {
  subject: 'file',
  nameOf: memberName('relative_path'),
  identity: ({ relative_path }: JsonRecord) => relative_path ?? null,
  compared: withoutMembers('modified_ms'),
  isGiven: () => false,
} as const;

export const LIST_FIELDS: readonly ListField[] = [
  {
    path: ['tool_calls'],
    subject: 'tool call',
    nameOf: memberName('tool_name'),
    identity: ({ tool_name }) => tool_name ?? null,
    compared: withoutMembers('duration_ms'),
    members: { tool_name: 'tool', input: 'arguments', output: 'tool result', success: 'error', timed_out: 'error' },
    isGiven: (member) => member === 'output',
  },
  {
    path: ['assertions'],
    subject: 'assertion',
    nameOf: memberName('kind'),
    identity: ({ kind, expected }) => [kind ?? null, expected ?? null],
    // The actual value is part of the output or the tool calls, which are compared.
    compared: withoutMembers('actual', 'details', 'step'),
    isGiven: () => false,
  },
  { path: ['llm_request', 'messages'], ...message },
  { path: ['session_snapshot', 'messages'], ...message },
  { path: ['workspace_before', 'files'], ...file },
  { path: ['workspace_after', 'files'], ...file },
];

/** The subjects of single fields. */
export const FIELD_SUBJECTS: ReadonlyMap<string, ChangeSubject> = new Map([
  ['status', 'status'],
  ['output_text', 'text'],
  ['runner_error', 'error'],
  ['llm_request.model', 'model'],
  ['llm_response.content', 'text'],
  ['llm_response.tool_calls', 'tool call'],
  ['llm_response.usage', 'usage'],
]);

/** Fields that differ in every run, with the name of the rule that ignores them. */
export const FIELD_RULES: ReadonlyMap<string, string> = new Map([
  ['duration_ms', 'timing'],
  ['started_at_ms', 'timing'],
  ['execution_id', 'run'],
  ['agent.id', 'run'],
  ['session_id', 'run'],
  ['workspace_root', 'run'],
  ['tapedeck.mode', 'run'],
  ['tapedeck.tape', 'run'],
  // Whether requests matched is a result of the replay, not behaviour of the agent.
  ['tapedeck.verdicts', 'run'],
  ['tapedeck.masks', 'run'],
  // What an agent logs has times, durations, and addresses of its run. It is shown, and not judged.
  ['tapedeck.process.stderr', 'run'],
  // Token counts depend on the response, which is compared, and are part of the tape's review.
  ['llm_response.usage', 'usage'],
  ['tapedeck.tape_uses', 'run'],
]);

/** Fields of what the agent was given, whose volatile values are noise. */
export const GIVEN_FIELDS: readonly string[] = [
  'tapedeck.process.command',
  'tapedeck.process.exit_code',
  'tapedeck.process.stdout',
];

/** Objects whose members are compared one by one. */
export const NESTED_FIELDS: readonly string[] = [
  'llm_request',
  'llm_response',
  'session_snapshot',
  'workspace_before',
  'workspace_after',
  'agent',
  'tapedeck',
  'tapedeck.process',
];
