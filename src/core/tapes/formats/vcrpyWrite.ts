import { compareCodePoints } from '../../json/pythonJson';
import { writeYaml } from '../../yaml/writeYaml';
import { headerLists, reasonPhrase, recordedExchange } from '../recordedExchange';
import type { RecordedInteraction } from '../tapeFormat';
import { bodyScalar } from './yamlHttp';

/** A whole cassette as vcrpy writes it: PyYAML with libyaml, all keys sorted. The name is that of the file only. */
export function writeVcrpy(_name: string, interactions: readonly RecordedInteraction[]): string {
  const entries = interactions.map(recordedExchange).map((exchange) => ({
    request: {
      body: bodyScalar(exchange.requestBody),
      headers: sorted(headerLists(exchange.requestHeaders)),
      method: exchange.method.toUpperCase(),
      uri: exchange.url,
    },
    response: {
      body: { string: bodyScalar(exchange.responseBody) ?? '' },
      headers: sorted(headerLists(exchange.responseHeaders)),
      status: { code: exchange.status ?? 0, message: reasonPhrase(exchange.status ?? 0) },
    },
  }));
  const style = { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |' } as const;
  return writeYaml({ interactions: entries, version: 1 }, style);
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => compareCodePoints(left, right)));
}
