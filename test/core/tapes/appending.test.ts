import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { spliceTape } from '../../../src/core/tapes/spliceTape';
import { type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { unheldIn } from '../../../src/core/tapes/unheld';
import { isRecordable } from '../../../src/core/tapes/writableFormat';
import { samples } from '../../soak/samples';
import { exchange as chat } from './chatArbitraries';
import { httpExchange } from './httpArbitraries';

const ADDED: RecordedInteraction = {
  kind: 'llm',
  http: {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [['content-type', 'application/json']],
    requestBody: { type: 'text', text: '{"model":"m","messages":[{"role":"user","content":"new é"}]}' },
    status: 200,
    responseHeaders: [['content-type', 'application/json']],
    responseBody: {
      type: 'text',
      text: '{"id":"n","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"added"},"finish_reason":"stop"}]}',
    },
  },
  request: { model: 'm', messages: [{ role: 'user', content: 'new é', toolCalls: [] }], tools: [], params: {} },
  response: { content: 'added', toolCalls: [], finishReason: 'stop' },
};

/** Files that can be recorded, with at least one interaction. */
const RECORDABLE = samples.flatMap(({ path, text }) => {
  const file = tapeFileFromText(text, path);
  const format = detectFormat(file);
  const isOne = format !== undefined && isRecordable(format) && format.read(file).interactions.length > 0;
  return isOne ? [{ path, text, format }] : [];
});

/** The same tape as people and other versions of its recorder leave it. */
function variants(text: string, syntax: string | undefined): Readonly<Record<string, string>> {
  const isJson = /^\s*[{[]/.test(text);
  const isLines =
    isJson &&
    text
      .trim()
      .split('\n')
      .every((line) => line.startsWith('{') && line.endsWith('}'));
  if (syntax === 'records') return { 'as it is': text };
  const all = {
    'as it is': text,
    'with line ends of Windows': text.replaceAll('\n', '\r\n'),
    'without a last line end': text.trimEnd(),
  };
  if (isLines) return all;
  if (isJson) {
    const value = JSON.parse(text);
    return {
      ...all,
      'on one line': JSON.stringify(value),
      'indented by tabs': JSON.stringify(value, null, '\t'),
      'by four spaces': `${JSON.stringify(value, null, 4)}\n\n`,
      'with unknown members': Array.isArray(value)
        ? text
        : JSON.stringify({ _first: [1.5, 'é'], ...value, x_last: { a: null } }, null, 3),
    };
  }
  return {
    ...all,
    'with comments': `# do not re-record\n${text.replace(/\n(?=- |version|recorded_with)/g, '\n# here\n')}# end\n`,
    'with blank lines': text.replace(/\n(?=- )/g, '\n\n'),
    'with an unknown member': `${text.trimEnd()}\nx_last: {a: 1}\n`,
  };
}

/** Whether a text is another one in which something was inserted, at one place. */
function isInserted(text: string, changed: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === changed[start]) start += 1;
  let end = 0;
  while (end < text.length - start && text[text.length - 1 - end] === changed[changed.length - 1 - end]) end += 1;
  return start + end === text.length;
}

/** A file with a character for each byte. */
const bytesOf = ({ bytes }: TapeFile): string => Buffer.from(bytes).toString('latin1');

/** Formats that keep a number or a hash of all interactions, in which that follows, or two lists. */
const FOLLOWS: ReadonlySet<string> = new Set(['checkagent', 'langchain-gz']);

/** Formats in which a file is one run of an agent: a written one is written again, others are refused. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['flakestorm', 'loader']);

function append(file: TapeFile, take: readonly RecordedInteraction[]) {
  const format = detectFormat(file);
  assert.ok(format);
  const spliced = spliceTape(format, file, format.read(file).interactions.length, take);
  assert.ok('file' in spliced, `${'refused' in spliced && spliced.refused}\n${file.text}`);
  return { format, ...spliced };
}

describe('adding to a tape', () => {
  for (const { path, text, format } of RECORDABLE)
    for (const [how, changed] of Object.entries(variants(text, format.syntax)))
      it(`leaves every byte that was there: ${path}, ${how}`, function () {
        const file = tapeFileFromText(changed, path);
        if (detectFormat(file) !== format || OF_ONE_RUN.has(format.id)) return this.skip();
        const { file: after, tape } = append(file, [ADDED, ADDED]);
        assert.ok(isInserted(bytesOf(file), bytesOf(after)) || FOLLOWS.has(format.id), after.text);
        if (how === 'with line ends of Windows') assert.equal(/(?<!\r)\n/.test(after.text), false, after.text);
        assert.deepEqual(unheldIn(format, [ADDED, ADDED], tape.interactions.slice(-2)), []);
      });

  it('does so with any exchange', () => {
    const any = fc.oneof(
      httpExchange.map((http): RecordedInteraction => ({ kind: 'http', http })),
      chat.map((one): RecordedInteraction => ({ kind: 'llm', ...one })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...RECORDABLE),
        fc.array(any, { minLength: 1, maxLength: 3 }),
        ({ path, text, format }, take) => {
          const written = format.writableSubset?.select(take) ?? take;
          for (const changed of Object.values(variants(text, format.syntax))) {
            const file = tapeFileFromText(changed, path);
            if (detectFormat(file) !== format) continue;
            const spliced = spliceTape(format, file, format.read(file).interactions.length, written);
            if ('refused' in spliced) continue;
            const isKept = isInserted(bytesOf(file), bytesOf(spliced.file));
            assert.ok(isKept || FOLLOWS.has(format.id), spliced.file.text);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const EMPTY: Readonly<Record<string, string>> = {
    'a.yaml': '# for ticket 17\ninteractions: []\nversion: 1\n# the end\n',
    'b.yaml': 'interactions: [] # none yet\r\nversion: 1\r\n',
    'a.json': '{"version": 1, "interactions": []}',
    'b.json': '{\n\t"version": 1,\n\t"interactions": []\n}\n',
    'a.har':
      '{\n "log": {\n  "version": "1.2",\n  "creator": {"name": "x"},\n  "pages": [{}],\n  "entries": []\n }\n}\n',
    'a.tape.jsonl': '{"tapedeck":"tape","version":1,"name":"a","owner":"me"}',
    'a.yml': '---\nhttp_interactions: []\nrecorded_with: VCR 6.0.0\n',
  };

  for (const [path, text] of Object.entries(EMPTY))
    it(`leaves what is in a tape without interactions: ${path}`, () => {
      const { file } = append(tapeFileFromText(text, path), [ADDED, ADDED]);
      const rest = text.replace(/ ?\[\]/, '').split(/(?<=interactions"?:|entries"?:)/);
      for (const part of rest) assert.ok(file.text.includes(part.trim()), file.text);
      assert.equal(detectFormat(file)?.read(file).interactions.length, 2);
    });
});
