import { isRecord, type Json, prettyJson } from '../../json/json';
import type { Change, ChangeSubject, ChangeWeight } from '../../model/change';
import { grouped } from '../../text/counts';
import { joinedByCommas } from '../../text/joinedByCommas';
import { message, t } from '../../text/l10n';
import { type Difference, ORDER_OF_MEMBERS, ORDER_OF_PARTS } from './difference';

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
      return name === 'refusal' ? inMessage(path, t('Refusal')) : textTitle(path);
    case 'part':
      return partTitle(path, name);
    case 'finish':
      return named(name ?? 'finish reason');
    case 'role':
    case 'name':
      return messageTitle(path, named(subject));
    case 'message':
      return t(MESSAGES[kind], named(name || 'a'));
    case 'tool call':
      return t(CALLS[kind], name ?? '');
    case 'tool':
      return t('Called tool');
    case 'error':
      return path.at(-1) === 'endedEarly' ? t('End of the stream') : t('Error');
    case 'arguments':
      return t('Arguments of {0}', name ?? '');
    case 'tool definition':
      if (name === 'order of tools') return named(name);
      if (name === ORDER_OF_MEMBERS) return t('Order of members of {0}', String(path[2] ?? ''));
      return t(DEFINITIONS[kind], name ?? '');
    case 'http':
      if (path[1] === 'requestHeaders') return t('Request header {0}', name ?? '');
      if (path[1] === 'responseHeaders') return t('Response header {0}', name ?? '');
      return named(name || subject);
    case 'parameter':
      if (name === ORDER_OF_MEMBERS) return t('Order of members of {0}', String(path[2] ?? ''));
      return named(name || subject);
    case 'assertion':
      return t('Assertion {0}', name ?? '');
    case 'file':
      return t(FILES[kind], name ?? '');
    case 'details':
      return name ? named(name.replaceAll('_', ' ')) : t('Recording details');
    case 'interaction':
      if (name !== undefined) return name;
      return t(INTERACTIONS[kind]);
    default:
      return t(TITLES[subject] ?? capital(subject));
  }
}

const TITLES: Partial<Record<ChangeSubject, string>> = {
  usage: message('Tokens'),
  finish: message('Finish reason'),
  id: message('ID'),
  status: message('Status'),
  'tool result': message('Tool result'),
  reasoning: message('Reasoning'),
  media: message('Media'),
  model: message('Model'),
  timing: message('Timing'),
};

type Titles = Readonly<Record<Difference['kind'], string>>;

const MESSAGES: Titles = {
  added: message('{0} message added'),
  removed: message('{0} message removed'),
  edited: message('{0} message edited'),
  moved: message('{0} message moved'),
};
const CALLS: Titles = {
  added: message('Call to {0} added'),
  removed: message('Call to {0} removed'),
  edited: message('Call to {0} edited'),
  moved: message('Call to {0} moved'),
};
const DEFINITIONS: Titles = {
  added: message('Definition of {0} added'),
  removed: message('Definition of {0} removed'),
  edited: message('Definition of {0}'),
  moved: message('Definition of {0} moved'),
};
const FILES: Titles = {
  added: message('File {0} added'),
  removed: message('File {0} removed'),
  edited: message('File {0}'),
  moved: message('File {0} moved'),
};
const INTERACTIONS: Titles = {
  added: message('Interaction added'),
  removed: message('Interaction removed'),
  edited: message('Kind of interaction'),
  moved: message('Interaction moved'),
};

/** What comparisons name; other names are those of members in the recording. */
const NAMES: Readonly<Record<string, string>> = {
  'finish reason': message('Finish reason'),
  role: message('Role'),
  name: message('Name'),
  system: message('System'),
  developer: message('Developer'),
  user: message('User'),
  assistant: message('Assistant'),
  tool: message('Tool'),
  'order of tools': message('Order of tools'),
  'tapedeck.process.command': message('Command of the agent'),
  'tapedeck.process.exit code': message('Exit code of the agent'),
  'tapedeck.process.stdout': message('Printed output'),
  'tapedeck.process.stderr': message('Log of the agent'),
  'order of parts': message('Order of parts'),
  request: message('Request'),
  response: message('Response'),
  'response details': message('Response details'),
  method: message('Method'),
  address: message('Address'),
  status: message('Status'),
};

/** A name at the beginning of a title. */
function named(name: string): string {
  return Object.hasOwn(NAMES, name) ? t(NAMES[name] ?? name) : capital(name);
}

function textTitle(path: Difference['path']): string {
  if (path[0] === 'output_text') return t('Output');
  return path[0] === 'response' || path[0] === 'llm_response' ? t('Response') : messageTitle(path, t('Text'));
}

const PART_NAMES: Readonly<Record<string, string>> = {
  server_tool: message('Server tool'),
  embeddings: message('Embeddings'),
  form: message('Form of the result'),
  stream: message('Stream'),
};

/** What a part is, with its message: a member of the body is known by its own name. */
function partTitle(path: Difference['path'], name = ''): string {
  const isOfTool = path.some((key) => key === 'tools' || key === 'functions');
  if (path[0] === 'response' && path[1] === 'body') return t('{0} of the response', named(name));
  if (path[1] === 'body') return isOfTool ? t('{0} of a tool', named(name)) : messageTitle(path, named(name));
  return inMessage(path, name === ORDER_OF_PARTS ? named(name) : t(PART_NAMES[name] ?? message('Part')));
}

/** The title alone for a response. */
function inMessage(path: Difference['path'], what: string): string {
  return path[0] === 'response' ? what : messageTitle(path, what);
}

function messageTitle(path: Difference['path'], what: string): string {
  const number = path.find((key) => typeof key === 'number');
  return number === undefined ? what : t('{0} of message {1}', what, Number(number) + 1);
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
  const words = named.map(([title, count]) => (count === 1 ? title : `${title} ×${grouped(count)}`));
  return joinedByCommas([...words, ...(rest > 0 ? [t('{0} more', grouped(rest))] : [])]);
}
