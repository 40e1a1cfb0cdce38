import { decodeBase64 } from '../../../bytes/base64';
import { utf8Length } from '../../../bytes/utf8';
import { omitUndefined } from '../../../json/fields';
import { prettyJson } from '../../../json/json';
import type { HttpBody } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { bodyContent } from '../../../wire/body/bodyContent';
import { statusPhrase } from '../../../wire/http';
import { writeYaml } from '../../../yaml/writeYaml';
import type { Destination } from '../../format';
import { any } from '../../marks';
import type { TapeFile } from '../../tapeFile';
import { emptyCassetteOf } from '../shared/emptyCassette';
import { httpFormat } from '../shared/httpFormat';
import { stringAt } from '../shared/httpTape';
import { bodyScalar, headerValuesByName } from '../shared/recordedHttp';
import { scalarOrNone } from '../shared/storedBody';
import { type Dialects, exchangesWithin, writeDocument } from '../shared/writeDocument';

/** Cassettes of Go's go-vcr (dnaeon/go-vcr), version 1 (its releases 1 and 2) and version 2 (3 and 4, and forks). */
export const goVcrFormat = httpFormat({
  id: 'go-vcr',
  label: 'go-vcr cassette',
  files: ['yaml', 'yml'],
  begins: ['interactions', 'version'],
  // Version 2 has the length of the body beside it, version 1 has fields of forms; opencode's JSON has neither.
  marks: [
    'interactions[].request.url',
    any('interactions[].request.content_length', 'interactions[].request.form', 'interactions[].request.proto'),
  ],
  isEmpty: (text) => emptyCassetteOf(text) === 'go-vcr',
  at: { entries: 'interactions', version: 'version', id: 'id', status: 'response.code' },
  lengths: { request: ['request.content_length'], response: ['response.content_length'] },
  body: ({ node }) => scalarOrNone(node),
  // Go writes 0s for a duration that is not known.
  timing: (entry) =>
    omitUndefined({ durationMs: goMilliseconds(stringAt(entry, 'response.duration') ?? '') || undefined }),
  // The text of the status, such as `200 OK`.
  isBeside: (key) => key === 'status',
  problems: unknownVersion,
  // yaml.v3 does not fold long lines.
  yaml: { step: 2, binaryColumns: 70 },
  servesInOrder: true,
  tested: { recorder: 'go-vcr', orphans: 'by-name' },
  write,
});

function unknownVersion({ text }: TapeFile, { version }: Tape): Problem[] {
  if (version === undefined || version === '1' || version === '2') return [];
  const at = Math.max(0, text.search(/^["']?version/m));
  return [
    {
      severity: 'warning',
      message: t('unsupported cassette version format: {0}', version),
      fix: t('Record it again with go-vcr 1 to 4. Only the fields that it shares with versions 1 and 2 were read.'),
      span: { start: at, end: at + 'version'.length },
    },
  ];
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a Go duration such as `1m2.5s` or `85.5µs`; undefined for any other text. */
function goMilliseconds(duration: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|[uµμ]s|ms|s|m|h))+$/.test(duration)) return undefined;
  const parts = duration.matchAll(/([\d.]+)(\D+)/g);
  return [...parts].reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** go-vcr reads JSON as the YAML that it is, and writes none. */
const DIALECTS: Dialects = {
  recorded: ['yaml', 'json'],
  yaml: (cassette) => `---\n${writeYaml(cassette, { binaryColumns: 70, binaryTag: '!!binary |', blocks: true })}`,
  json: (cassette) => `${prettyJson(cassette)}\n`,
};

/** A whole cassette of version 2, as go-vcr 4 writes it. */
function write(_name: string, interactions: readonly RecordedInteraction[], into: Destination | undefined): string {
  const entries = exchangesWithin(interactions, into, DIALECTS).map((exchange, id) => {
    const body = bodyScalar(exchange.responseBody) ?? '';
    return {
      id,
      request: {
        proto: 'HTTP/1.1',
        proto_major: 1,
        proto_minor: 1,
        content_length: sizeOf(exchange.requestBody),
        transfer_encoding: [],
        trailer: {},
        host: hostOf(exchange.url),
        remote_addr: '',
        request_uri: '',
        body: bodyScalar(exchange.requestBody) ?? '',
        form: {},
        headers: headerValuesByName(exchange.requestHeaders),
        url: exchange.url,
        method: exchange.method.toUpperCase(),
      },
      response: {
        proto: 'HTTP/1.1',
        proto_major: 1,
        proto_minor: 1,
        transfer_encoding: [],
        trailer: {},
        content_length: sizeOf(exchange.responseBody),
        uncompressed: false,
        body,
        headers: headerValuesByName(exchange.responseHeaders),
        status: `${exchange.status ?? 0} ${statusPhrase(exchange.status ?? 0)}`.trim(),
        code: exchange.status ?? 0,
        duration: `${goDuration(interactions[id]?.timing?.durationMs ?? 0)}`,
      },
    };
  });
  return writeDocument({ version: 2, interactions: entries }, into, DIALECTS);
}

function sizeOf(body: HttpBody): number {
  const content = bodyContent(body);
  if (content === undefined) return 0;
  return 'text' in content ? utf8Length(content.text) : (decodeBase64(content.base64)?.length ?? 0);
}

function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
}

/** Whole nanoseconds as a Go duration, in a unit that Go can parse. */
function goDuration(milliseconds: number): string {
  const nanoseconds = Math.round(milliseconds * 1e6);
  if (!Number.isSafeInteger(nanoseconds) || nanoseconds <= 0) return '0s';
  return nanoseconds % 1e6 === 0 ? `${nanoseconds / 1e6}ms` : `${nanoseconds}ns`;
}
