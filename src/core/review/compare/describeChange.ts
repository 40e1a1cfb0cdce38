import { isRecord, type Json, prettyJson } from '../../json/json';
import type { Change, ChangeSubject, ChangeWeight } from '../../model/change';
import { type Difference, ORDER_OF_PARTS } from './difference';

const CONTEXT_SUBJECTS: readonly ChangeSubject[] = [
  'message',
  'role',
  'name',
  'tool definition',
  'model',
  'parameter',
  'http',
  'file',
];
const ACCOUNTING_SUBJECTS: readonly ChangeSubject[] = ['usage', 'timing', 'id', 'details', 'finish'];

/** The content of requests is context; the model's responses and the agent's actions are behaviour. */
export function changeWeight({ subject, path }: Pick<Difference, 'subject' | 'path'>): ChangeWeight {
  if (ACCOUNTING_SUBJECTS.includes(subject)) return 'accounting';
  const isGiven = path[0] === 'request' || path[0] === 'llm_request' || path[0] === 'workspace_before';
  if (subject === 'file' && path[0] === 'workspace_after') return 'behaviour';
  return isGiven || CONTEXT_SUBJECTS.includes(subject) ? 'context' : 'behaviour';
}

/** The title of a change, such as "Arguments of get_weather". */
export function changeTitle({ subject, path, name, kind }: Difference): string {
  switch (subject) {
    case 'text':
      return name === 'refusal' ? inMessage(path, 'Refusal') : textTitle(path);
    case 'part':
      return partTitle(path, name);
    case 'finish':
      return capital(name ?? 'finish reason');
    case 'role':
    case 'name':
      return messageTitle(path, capital(subject));
    case 'message':
      return `${capital(name || 'a')} message ${kind}`;
    case 'tool call':
      return `Call to ${name} ${kind}`;
    case 'tool':
      return 'Called tool';
    case 'error':
      return path.at(-1) === 'endedEarly' ? 'End of the stream' : 'Error';
    case 'arguments':
      return `Arguments of ${name}`;
    case 'tool definition':
      if (name === 'order of tools') return capital(name);
      return `Definition of ${name}${kind === 'edited' ? '' : ` ${kind}`}`;
    case 'parameter':
    case 'http':
      return capital(name || subject);
    case 'assertion':
      return `Assertion ${name}`;
    case 'file':
      return `File ${name}${kind === 'edited' ? '' : ` ${kind}`}`;
    case 'details':
      return name ? capital(name.replaceAll('_', ' ')) : 'Recording details';
    case 'interaction':
      if (name !== undefined) return name;
      return kind === 'edited' ? 'Kind of interaction' : `Interaction ${kind}`;
    default:
      return TITLES[subject] ?? capital(subject);
  }
}

const TITLES: Partial<Record<ChangeSubject, string>> = {
  usage: 'Tokens',
  finish: 'Finish reason',
  id: 'ID',
  status: 'Status',
  'tool result': 'Tool result',
};

function textTitle(path: Difference['path']): string {
  if (path[0] === 'output_text') return 'Output';
  return path[0] === 'response' || path[0] === 'llm_response' ? 'Response' : messageTitle(path, 'Text');
}

const PART_NAMES: Readonly<Record<string, string>> = {
  server_tool: 'Server tool',
  embeddings: 'Embeddings',
  form: 'Form of the result',
};

/** What a part is, with its message: a member of the body is known by its own name. */
function partTitle(path: Difference['path'], name = ''): string {
  const isOfTool = path.some((key) => key === 'tools' || key === 'functions');
  if (path[1] === 'body') return isOfTool ? `${capital(name)} of a tool` : messageTitle(path, capital(name));
  return inMessage(path, name === ORDER_OF_PARTS ? capital(name) : (PART_NAMES[name] ?? 'Part'));
}

/** The title alone for a response. */
function inMessage(path: Difference['path'], what: string): string {
  return path[0] === 'response' ? what : messageTitle(path, what);
}

function messageTitle(path: Difference['path'], what: string): string {
  const number = path.find((key) => typeof key === 'number');
  return number === undefined ? what : `${what} of message ${Number(number) + 1}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One side of a change as text: text unchanged, other values as JSON. */
export function sideText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : prettyJson(value);
}

export function languageOf(...sides: readonly (Json | undefined)[]): 'plaintext' | 'json' {
  return sides.some((side) => Array.isArray(side) || isRecord(side)) ? 'json' : 'plaintext';
}

/** Titles that fit beside a file's name. */
const MAX_NAMED = 2;
const WEIGHT_ORDER: readonly ChangeWeight[] = ['behaviour', 'context', 'accounting'];

/** A summary of changes, the most important first, with counts: "Response ×3, Model, 2 more". */
export function summariseChanges(changes: readonly Pick<Change, 'title' | 'weight'>[]): string {
  const counts = new Map<string, number>();
  const inOrder = WEIGHT_ORDER.flatMap((weight) => changes.filter((change) => change.weight === weight));
  for (const { title } of inOrder) counts.set(title, (counts.get(title) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_NAMED);
  const rest = changes.length - named.reduce((sum, [, count]) => sum + count, 0);
  const words = named.map(([title, count]) => (count === 1 ? title : `${title} ×${count}`));
  return [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
