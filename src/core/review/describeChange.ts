import { isRecord, type Json, prettyJson } from '../json/json';
import type { ChangeKind, ChangeSubject, Weight } from './change';
import type { Found } from './found';

const CONTEXT: readonly ChangeSubject[] = ['message', 'role', 'tool definition', 'model', 'parameter', 'http', 'file'];
const ACCOUNTING: readonly ChangeSubject[] = ['usage', 'timing', 'id', 'details', 'finish'];

/** What a request carries is context; what the model answers, and what the agent does with it, is behaviour. */
export function weightOf({ subject, path }: Pick<Found, 'subject' | 'path'>): Weight {
  if (ACCOUNTING.includes(subject)) return 'accounting';
  const isGiven = path[0] === 'request' || path[0] === 'llm_request' || path[0] === 'workspace_before';
  if (subject === 'file' && path[0] === 'workspace_after') return 'behaviour';
  return isGiven || CONTEXT.includes(subject) ? 'context' : 'behaviour';
}

/** A change in a few words, such as "Arguments of get_weather". */
export function titleOf({ subject, path, name, kind }: Found): string {
  switch (subject) {
    case 'text':
      return textTitle(path);
    case 'message':
      return `${capital(name || 'a')} message ${kind}`;
    case 'tool call':
      return `Call of ${name} ${kind}`;
    case 'tool':
      return 'Tool that is called';
    case 'arguments':
      return `Arguments of ${name}`;
    case 'tool definition':
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
      return kind === 'edited' ? 'Kind of interaction' : `Interaction ${kind}`;
    default:
      return TITLES[subject] ?? capital(subject);
  }
}

const TITLES: Partial<Record<ChangeSubject, string>> = {
  usage: 'Tokens',
  finish: 'Finish reason',
  id: 'Id',
  status: 'Status',
  'tool result': 'Tool result',
};

function textTitle(path: Found['path']): string {
  if (path[0] === 'output_text') return 'Output';
  return path[0] === 'response' || path[0] === 'llm_response' ? 'Answer' : messageTitle(path, 'Text');
}

function messageTitle(path: Found['path'], what: string): string {
  const number = path.find((key) => typeof key === 'number');
  return number === undefined ? what : `${what} of message ${Number(number) + 1}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A side of a change as text: what is text stays as it is. */
export function sideText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : prettyJson(value);
}

export function languageOf(...sides: readonly (Json | undefined)[]): 'plaintext' | 'json' {
  return sides.some((side) => Array.isArray(side) || isRecord(side)) ? 'json' : 'plaintext';
}

/** What happened, in one word for people. */
export const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  added: 'new',
  removed: 'gone',
  moved: 'moved',
  edited: 'changed',
};
