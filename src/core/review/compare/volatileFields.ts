import type { Json } from '../../json/json';

/** Members that name one request or call, whatever their value: they are new in each recording, also in arguments. */
const REQUEST_IDS: ReadonlySet<string> = new Set([
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'toolUseId',
  'request_id',
  'requestId',
  'x_request_id',
  'trace_id',
  'traceId',
  'span_id',
  'spanId',
  'correlation_id',
  'correlationId',
  'idempotency_key',
  'idempotencyKey',
  'nonce',
]);

/** Members of what a provider sends that name its own objects, if the value is generated. */
const OBJECT_IDS: ReadonlySet<string> = new Set([
  'id',
  'response_id',
  'responseId',
  'generation_id',
  'message_id',
  'item_id',
  'event_id',
  'run_id',
  'thread_id',
  'session_id',
  'previous_response_id',
]);

/** What an id of a run names, which is new in each. Any other id may be that of a customer, an order, or a file. */
export const RUN_NAMES: readonly string[] = [
  ...['request', 'response', 'generation', 'completion', 'message', 'msg', 'event', 'run', 'thread', 'session'],
  ...['conversation', 'chat', 'call', 'trace', 'span', 'correlation', 'execution', 'invocation', 'operation', 'job'],
  ...['task', 'batch', 'interaction', 'previous_response', 'tool_call', 'tool_use', 'x_request'],
];

/** Members of what a provider sends that say when it made or changed something, if the value is a time. */
const TIME =
  /^(?:created?|updated?|started|completed|modified|upload(?:ed)?|issued|expires|expiration)(?:_?(?:at|on|time|date|timestamp|time_iso_8601))?$/i;

/** The preset whose values are expected in a member, by its name. */
interface VolatileField {
  readonly preset: 'provider-id' | 'timestamp';
  /** Any value counts, not only one of the preset's shape. */
  readonly isAnyValue?: true;
}

/**
 * What is known of a member by its name; undefined for one that may say something. `isWire`: the member stands in what a provider
 * or server sent, not in what a model wrote.
 */
export function volatileField(name: string, isWire: boolean): VolatileField | undefined {
  if (REQUEST_IDS.has(name)) return { preset: 'provider-id', isAnyValue: true };
  if (!isWire) return undefined;
  if (OBJECT_IDS.has(name)) return { preset: 'provider-id' };
  return TIME.test(name) ? { preset: 'timestamp' } : undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const EPOCH = /^1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Whether a scalar has the shape that its field is known for. */
export function fitsField(value: Json, { preset, isAnyValue }: VolatileField): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (isAnyValue) return true;
  const text = String(value);
  return preset === 'timestamp' ? EPOCH.test(text) || DATE_TIME.test(text) : UUID.test(text) || isGeneratedId(text);
}

/** The least number of characters, and of changes between digits, capitals and small letters, of a generated id. */
const ID_LENGTH = 12;
const ID_CHANGES = 3;

/** Whether the part of an id after its prefix is random: `call_9fK2mQ7xVb1c` is, `thread-general1` and `item_20260404A` are not. */
export function isGeneratedId(id: string): boolean {
  const tail = id.replace(/^[A-Za-z]+(?:-tool)?[-_]/, '').replace(/[-_]/g, '');
  const kinds = [...tail].map((char) =>
    /\d/.test(char) ? 'digit' : char === char.toUpperCase() ? 'capital' : 'small',
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return tail.length >= ID_LENGTH && changes >= ID_CHANGES;
}
