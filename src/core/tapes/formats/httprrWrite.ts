import { utf8Length } from '../../text/utf8';
import { statusPhrase } from '../../wire/statusPhrase';
import { decompressed } from '../decompressed';
import { recordedExchange } from '../recordedExchange';
import type { HttpBody, HttpHeader } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';
import { textOfBody } from './writtenBody';

/** A whole trace. It is UTF-8, so that a body which is not even decompressed has no place; and no body is in chunks. */
export function writeHttprr(_name: string, interactions: readonly RecordedInteraction[]): string {
  const records = interactions
    .map(recordedExchange)
    .map(decompressed)
    .map((exchange) => {
      const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(exchange.url)?.[1];
      const isHosted = host === undefined || exchange.requestHeaders.some(([name]) => /^host$/i.test(name));
      const hosted: readonly HttpHeader[] = isHosted ? [] : [['Host', host]];
      const asked = `${exchange.method.toUpperCase()} ${exchange.url.replace(/\s/g, '%20')} HTTP/1.1`;
      const status = exchange.status ?? 0;
      const answered = `HTTP/1.1 ${`${status}`.padStart(3, '0')} ${statusPhrase(status)}`;
      const request = message(asked, [...hosted, ...exchange.requestHeaders], exchange.requestBody);
      const response = message(answered, exchange.responseHeaders, exchange.responseBody);
      return `${utf8Length(request)} ${utf8Length(response)}\n${request}${response}`;
    });
  return `httprr trace v1\n${records.join('')}`;
}

function message(startLine: string, headers: readonly HttpHeader[], body: HttpBody): string {
  const text = textOfBody(body) ?? '';
  const kept = headers.filter(([name]) => !/^(?:transfer-encoding|content-length)$/i.test(name));
  const length: readonly HttpHeader[] = text === '' ? [] : [['Content-Length', `${utf8Length(text)}`]];
  // A line of a header ends where it does: what is no header cannot be smuggled in.
  const lines = [...kept, ...length].map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ').trim()}\r\n`);
  return `${startLine}\r\n${lines.join('')}\r\n${text}`;
}
