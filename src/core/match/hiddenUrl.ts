import type { Json } from '../json/json';
import { protocolOfRequest } from '../wire/read/detectProtocol';
import type { ComparableRequest } from './comparableRequest';

/** A word that filters write for what they remove. In small letters, most of them are also names. */
const PLACEHOLDER =
  /^[^A-Za-z0-9]*(?:(?:[Rr][Ee][Dd][Aa][Cc][Tt][Ee][Dd]|[Ff][Ii][Ll][Tt][Ee][Rr][Ee][Dd]|HIDDEN|REMOVED|MASKED|SCRUBBED|SANITIZED|CENSORED|OMITTED|DUMMY|PLACEHOLDER|SECRET|PRIVATE|API|BASE|HOST|URL|URI|[Xx]{3,})[^A-Za-z0-9]*)+$/;
const IN_SIGNS = /^(?:\*+[^*]+\*+|<[^<>]+>|\{\{[^{}]+\}\}|\[[^[\]]+\]|%[A-Z_]+%)$/;

/** Whether one part of a URL, or a host, stands for something that was removed. */
export function isPlaceholder(part: string): boolean {
  return PLACEHOLDER.test(part) || IN_SIGNS.test(part);
}

/**
 * Whether the address of a recorded request, such as `POST /**REDACTED**`, says nothing about where it went: its recorder was told to
 * leave the URL out.
 */
export function isHiddenAddress(address: string): boolean {
  const segments = address
    .slice(address.indexOf(' ') + 1)
    .split('/')
    .filter(Boolean);
  return segments.every(isPlaceholder) || isPlaceholder(segments.at(-1) ?? '');
}

/** The request as such a tape has it; undefined without a body, which alone can say which request it is. */
export function withHiddenAddress({ body }: ComparableRequest, address: string): ComparableRequest | undefined {
  if (isNothing(body)) return undefined;
  const protocol = protocolOfRequest('', body);
  return { ...(protocol && { protocol }), address, body };
}

function isNothing(body: Json): boolean {
  return body === null || body === '';
}
