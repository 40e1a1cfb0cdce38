import { prettyJson } from '../../json/json';
import { decompressed } from '../decompressed';
import { recordedExchange } from '../recordedExchange';
import type { RecordedInteraction } from '../tapeFormat';
import { base64OfBody, headerObject, textOfBody } from './writtenBody';

/** A whole cassette as opencode's recorder writes it. Requests are text; a binary one has no place. */
export function writeOpencode(name: string, interactions: readonly RecordedInteraction[]): string {
  const recordedAt = interactions.find(({ timing }) => timing?.recordedAt !== undefined)?.timing?.recordedAt;
  const entries = interactions.map(recordedExchange).map((exchange) => {
    const { requestHeaders, requestBody } = decompressed(exchange);
    const base64 = base64OfBody(exchange.responseBody);
    return {
      transport: 'http',
      request: {
        method: exchange.method.toUpperCase(),
        url: exchange.url,
        headers: headerObject(requestHeaders),
        body: textOfBody(requestBody) ?? '',
      },
      response: {
        status: exchange.status ?? 0,
        headers: headerObject(exchange.responseHeaders),
        body: base64 ?? textOfBody(exchange.responseBody) ?? '',
        ...(base64 === undefined ? {} : { bodyEncoding: 'base64' }),
      },
    };
  });
  const metadata = { name, ...(recordedAt === undefined ? {} : { recordedAt }) };
  return `${prettyJson({ version: 1, metadata, interactions: entries })}\n`;
}
