import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { HttpHeader } from '../tapes/tape';
import { headerOf } from './body';
import { compactJson } from './compactJson';
import { isBlank, listOf, recordOf, textOf } from './fields';
import type { Frame } from './frames';

const LONGEST_EXCERPT = 300;

/** What a provider said in place of an answer, in any of the shapes that providers have for it; begins with `HTTP 400`. */
export function httpFailure(
  status: number,
  json: Json | undefined,
  text: string | undefined,
  headers: readonly HttpHeader[],
): string {
  const awsType = headerOf(headers, 'x-amzn-errortype')?.split(':')[0];
  const { label = awsType, message = withoutStatus(excerpt(text), status) } = describe(json);
  return [`HTTP ${status}`, label].filter(Boolean).join(' ') + (message === '' ? '' : `: ${message}`);
}

/** What `httpFailure` said, for where the status stands already. */
export function withoutHttpStatus(failure: string): string {
  return failure.replace(/^HTTP \d+:? ?/, '');
}

/** Pages of proxies are called `502 Bad Gateway`. */
function withoutStatus(text: string, status: number): string {
  return text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text;
}

/** The error inside an answer that came with a status of success; undefined where there is none. */
export function errorOf(json: Json | undefined): string | undefined {
  if (!isRecord(json) || (isBlank(json.error) && json.type !== 'error' && json.object !== 'error')) return undefined;
  return inWords(json);
}

/** The first error in a stream: in an event of its own, or in the name of an AWS exception. */
export function errorInStream(frames: readonly Frame[]): string | undefined {
  for (const { event, json, data } of frames) {
    if (event !== undefined && /(Exception|^[A-Za-z]*Error)$/.test(event)) {
      return `${event}: ${describe(json).message ?? excerpt(data)}`;
    }
    const error = errorOf(json);
    if (error !== undefined) return error;
    if (event === 'error') return describe(json).message ?? excerpt(data);
  }
  return undefined;
}

function inWords(json: JsonRecord): string {
  const { label, message } = describe(json);
  return [label, message].filter(Boolean).join(': ') || excerpt(compactJson(json));
}

interface Description {
  readonly label?: string;
  readonly message?: string;
}

function describe(json: Json | undefined): Description {
  if (Array.isArray(json)) return describe(json[0]);
  if (!isRecord(json)) return {};
  const { error } = json;
  if (typeof error === 'string') return labelled(json.error_type ?? json.code, textOf(json.error_description) ?? error);
  const said = isRecord(error) ? error : json;
  // Google names its errors in `status`, where others repeat the number.
  const label = [said.type, said.code, said.status, said.__type].find(
    (name) => typeof name === 'string' && name !== 'error',
  );
  return labelled(label, messageOf(said) ?? messageOf(json));
}

function labelled(label: Json | undefined, message: string | undefined): Description {
  return {
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

function messageOf(said: JsonRecord): string | undefined {
  for (const value of [said.message, said.Message, said.detail, said.errors, said.title, said.reason]) {
    const text = textIn(value);
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** Validators answer with a list of what is wrong with each field. */
function textIn(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return listOf(value).map(itemText).filter(Boolean).join('; ');
  return isRecord(value) ? (textIn(value.detail) ?? textOf(value.message) ?? excerpt(compactJson(value))) : undefined;
}

function itemText(item: Json): string {
  const { msg, message, loc } = recordOf(item);
  const said = textOf(item) ?? textOf(msg) ?? textOf(message);
  return said === undefined ? excerpt(compactJson(item)) : [listOf(loc).join('.'), said].filter(Boolean).join(': ');
}

/** The beginning of a text that is no JSON; of a page its title. */
function excerpt(text: string | undefined): string {
  const title = /<title>([^<]{1,300})<\/title>/i.exec((text ?? '').slice(0, 4096))?.[1];
  const line = (title ?? (text ?? '').slice(0, 4 * LONGEST_EXCERPT)).replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_EXCERPT ? `${line.slice(0, LONGEST_EXCERPT)}…` : line;
}
