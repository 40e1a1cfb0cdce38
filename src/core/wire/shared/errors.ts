import { asList, asRecord, asString, isBlank } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { HttpHeader } from '../../model/http';
import type { Frame } from '../body/frames';
import { headerOf } from '../http';
import type { ApiError, WrittenError } from '../protocol';

const MAX_EXCERPT = 300;

/** The message of a failed response, in any shape that providers use; begins with the status, as in `HTTP 400`. */
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

/** A message of `httpErrorMessage` without its status. */
export function stripHttpStatus(message: string): string {
  return message.replace(/^HTTP \d+:? ?/, '');
}

/** The title of a proxy's error page repeats the status, as in `502 Bad Gateway`. */
function withoutStatus(text: string, status: number): string {
  return text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text;
}

/** The error in a response whose status is a success; undefined if there is none. */
export function responseError(json: Json | undefined): string | undefined {
  if (!isRecord(json) || (isBlank(json.error) && json.type !== 'error' && json.object !== 'error')) return undefined;
  return describeError(json);
}

/** The first error in a stream: an event of its own, or an AWS exception. */
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
  const details = isRecord(error) ? error : json;
  // Google names its errors in `status`, where others repeat the number.
  const label = [details.type, details.code, details.status, details.__type].find(
    (name) => typeof name === 'string' && name !== 'error',
  );
  return labelled(label, messageOf(details) ?? messageOf(json));
}

function labelled(label: Json | undefined, message: string | undefined): ErrorDescription {
  return {
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    message,
  };
}

function messageOf(error: JsonRecord): string | undefined {
  for (const value of [error.message, error.Message, error.detail, error.errors, error.title, error.reason]) {
    const text = textIn(value);
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** Validators return a list of messages, one per field. */
function textIn(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return asList(value).map(itemText).filter(Boolean).join('; ');
  return isRecord(value) ? (textIn(value.detail) ?? asString(value.message) ?? excerpt(compactJson(value))) : undefined;
}

function itemText(item: Json): string {
  const { msg, message, loc } = asRecord(item);
  const text = asString(item) ?? asString(msg) ?? asString(message);
  return text === undefined ? excerpt(compactJson(item)) : [asList(loc).join('.'), text].filter(Boolean).join(': ');
}

/** The beginning of a text; of an HTML page, its title. */
function excerpt(text: string | undefined): string {
  const title = /<title>([^<]{1,300})<\/title>/i.exec((text ?? '').slice(0, 4096))?.[1];
  const line = (title ?? (text ?? '').slice(0, 4 * MAX_EXCERPT)).replace(/\s+/g, ' ').trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}

/** Writes an error in OpenAI's form, which most others have as well. */
export function writeOpenaiError({ message, code }: ApiError): WrittenError {
  return { body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}
