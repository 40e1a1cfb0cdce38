import { asList, asRecord, asString, isBlank } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { HttpHeader } from '../../model/http';
import type { Frame } from '../body/frames';
import { headerOf } from '../http';

const MAX_EXCERPT = 300;

/** What a provider said in place of an answer, in any of the shapes that providers have for it; begins with `HTTP 400`. */
export function httpErrorMessage(
  status: number,
  json: Json | undefined,
  text: string | undefined,
  headers: readonly HttpHeader[],
): string {
  const awsType = headerOf(headers, 'x-amzn-errortype')?.split(':')[0];
  const { label = awsType, message = withoutStatus(excerpt(text), status) } = readError(json);
  return [`HTTP ${status}`, label].filter(Boolean).join(' ') + (message === '' ? '' : `: ${message}`);
}

/** What `httpFailure` said, for where the status stands already. */
export function stripHttpStatus(failure: string): string {
  return failure.replace(/^HTTP \d+:? ?/, '');
}

/** Pages of proxies are called `502 Bad Gateway`. */
function withoutStatus(text: string, status: number): string {
  return text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text;
}

/** The error inside an answer that came with a status of success; undefined where there is none. */
export function responseError(json: Json | undefined): string | undefined {
  if (!isRecord(json) || (isBlank(json.error) && json.type !== 'error' && json.object !== 'error')) return undefined;
  return describeError(json);
}

/** The first error in a stream: in an event of its own, or in the name of an AWS exception. */
export function streamError(frames: readonly Frame[]): string | undefined {
  for (const { event, json, data } of frames) {
    if (event !== undefined && /(Exception|^[A-Za-z]*Error)$/.test(event)) {
      return `${event}: ${readError(json).message ?? excerpt(data)}`;
    }
    const error = responseError(json);
    if (error !== undefined) return error;
    if (event === 'error') return readError(json).message ?? excerpt(data);
  }
  return undefined;
}

function describeError(json: JsonRecord): string {
  const { label, message } = readError(json);
  return [label, message].filter(Boolean).join(': ') || excerpt(compactJson(json));
}

interface ErrorDescription {
  readonly label?: string;
  readonly message?: string;
}

function readError(json: Json | undefined): ErrorDescription {
  if (Array.isArray(json)) return readError(json[0]);
  if (!isRecord(json)) return {};
  const { error } = json;
  if (typeof error === 'string')
    return labelled(json.error_type ?? json.code, asString(json.error_description) ?? error);
  const said = isRecord(error) ? error : json;
  // Google names its errors in `status`, where others repeat the number.
  const label = [said.type, said.code, said.status, said.__type].find(
    (name) => typeof name === 'string' && name !== 'error',
  );
  return labelled(label, messageOf(said) ?? messageOf(json));
}

function labelled(label: Json | undefined, message: string | undefined): ErrorDescription {
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
  if (Array.isArray(value)) return asList(value).map(itemText).filter(Boolean).join('; ');
  return isRecord(value) ? (textIn(value.detail) ?? asString(value.message) ?? excerpt(compactJson(value))) : undefined;
}

function itemText(item: Json): string {
  const { msg, message, loc } = asRecord(item);
  const said = asString(item) ?? asString(msg) ?? asString(message);
  return said === undefined ? excerpt(compactJson(item)) : [asList(loc).join('.'), said].filter(Boolean).join(': ');
}

/** The beginning of a text that is no JSON; of a page its title. */
function excerpt(text: string | undefined): string {
  const title = /<title>([^<]{1,300})<\/title>/i.exec((text ?? '').slice(0, 4096))?.[1];
  const line = (title ?? (text ?? '').slice(0, 4 * MAX_EXCERPT)).replace(/\s+/g, ' ').trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}
