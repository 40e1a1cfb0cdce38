import type { IncomingMessage } from 'node:http';
import { isKeptRequestHeader } from '../../core/secrets/recordedHeaders';
import type { Redactor } from '../../core/secrets/redactor';
import type { HiddenRequest } from './hidden';

/** A request as it arrived at the proxy. */
export interface SentRequest {
  readonly message: Pick<IncomingMessage, 'method' | 'headers'>;
  readonly path: string;
  readonly body: Buffer;
  /** Where only recordings of this host are served. */
  readonly host?: string;
}

const SEALED = Buffer.from('[a body that cannot be searched for secrets]');

/** Stands for a request of which no part can be searched. */
export const SEALED_REQUEST: HiddenRequest = {
  method: 'GET',
  url: '/',
  headers: [],
  body: SEALED,
  isSealed: true,
  isChanged: true,
};

export function hideRequest({ message, path, body: sent, host }: SentRequest, redactor: Redactor): HiddenRequest {
  const { method = 'GET', headers } = message;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const body = redactor.body(sent, pairs);
  const url = redactor.url(path);
  return {
    method,
    url,
    headers: redactor.headers(pairs.filter(([name]) => isKeptRequestHeader(name))),
    body: body ?? SEALED,
    isSealed: body === undefined,
    isChanged: body !== sent || url !== path,
    ...(host !== undefined && { host }),
  };
}
