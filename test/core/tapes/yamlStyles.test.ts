import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { jsonValue } from '../../../src/core/json/readJson';
import type { Tape } from '../../../src/core/model/tape';
import { isNotRead } from '../../../src/core/tapes/notRead';
import { detectFormat, readTape } from '../../../src/core/tapes/readTape';
import { decodeTapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { verifyFile } from '../../../src/core/verify/verifyFile';
import { readYaml } from '../../../src/core/yaml/readYaml';
import { samples } from '../../soak/samples';

const CASSETTE = samples.find(({ path }) => path === 'vcrpy.yaml')?.text ?? '';
/** Recorded HTTP in YAML, of each format. */
const RECORDED = samples.filter(
  ({ path, text }) =>
    /\.ya?ml$/.test(path) && readTape(tapeFileFromText(text, path))?.interactions[0]?.http !== undefined,
);

function read(text: string, path = 'a.yaml'): Tape | undefined {
  return readTape(tapeFileFromText(text, path));
}

function exchanges(tape: Tape | undefined): unknown {
  return tape?.interactions.map(({ http }) => http);
}

function rules(text: string | Uint8Array, path = 'a.yaml'): string[] {
  const file = typeof text === 'string' ? tapeFileFromText(text, path) : decodeTapeFile(path, text);
  return (verifyFile(file)?.findings ?? []).map(({ rule, message }) => `${rule}: ${message}`);
}

/** PyYAML's canonical form: `yaml.dump(value, canonical=True)`. */
function canonical(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `!!seq [\n${value.map((item) => `${inner}${canonical(item, inner)},\n`).join('')}${indent}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${inner}? !!str ${JSON.stringify(key)}\n${inner}: ${canonical(member, inner)},\n`,
    );
    return `!!map {\n${members.join('')}${indent}}`;
  }
  if (typeof value === 'string') return `!!str ${JSON.stringify(value)}`;
  return value === null ? '!!null "null"' : `!!int "${value}"`;
}

/** Its top level in blocks, each entry of a list on lines of its own, and all below in flow style. */
function inBlocks(value: unknown): string {
  const flow = (one: unknown): string => JSON.stringify(one).replace(/"([a-z_]+)":/g, '$1: ');
  if (Array.isArray(value)) return value.map((item) => `- ${flow(item)}\n`).join('');
  const members = Object.entries(value ?? {}).map(([key, member]) => {
    if (!Array.isArray(member)) return `${key}: ${flow(member)}\n`;
    const items = member.map((item) =>
      Object.entries(item).map(([name, part], at) => `${at === 0 ? '-' : ' '} ${name}: ${flow(part)}\n`),
    );
    return `${key}:\n${items.flat().join('')}`;
  });
  return members.join('');
}

describe('YAML in other styles than recorders choose', () => {
  for (const { path, text } of RECORDED) {
    const values = (readYaml(text).value ?? []).map((node) => jsonValue(node));
    if (/binary/.test(text) || values.length !== 1) continue;
    const expected = exchanges(read(text, path));
    const format = detectFormat(tapeFileFromText(text, path));
    const styles: Readonly<Record<string, string>> = {
      flow: stringify(values[0], {
        collectionStyle: 'flow',
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
      }),
      'flow after a marker': `--- ${stringify(values[0], { collectionStyle: 'flow', defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}`,
      'flow in blocks': inBlocks(values[0]),
      canonical: `---\n${canonical(values[0])}\n`,
      'with a directive': `%YAML 1.1\n---\n${text.replace(/^---\n/, '')}...\n`,
      'with comments and a marker': `# recorded\n--- # here\n${text.replace(/^---\n/, '')}`,
    };
    for (const [style, other] of Object.entries(styles))
      it(`is read: ${path}, ${style}`, () => {
        assert.equal(detectFormat(tapeFileFromText(other, path))?.id, format?.id, other.slice(0, 300));
        assert.deepEqual(exchanges(read(other, path)), expected);
      });
  }

  it('is told from JSON, which quotes names, and from TOML', () => {
    for (const text of ['{"interactions: []', '[1, 2', '[agent]\nname = "x"\n', '{ then: 1 }'])
      assert.equal(read(text, 'a.txt'), undefined, text);
  });
});

describe('a key of YAML that is no plain scalar', () => {
  const headers = `    headers:
      ? !!python/object/new:multidict._istr.istr [Content-Type]
      : application/json
      ? !!python/object/new:multidict._multidict.istr
      - X-Id
      : '324'
      ? !!python/object/apply:x.Name {args: [X-Args]}
      : a
      ? |-
        X-Block
      : b
      ? "X-Quoted"
      : c
`;

  it('is read as the name that it is made of', () => {
    const text = CASSETTE.replace('    headers: {}\n', headers);
    assert.deepEqual(read(text)?.interactions[1]?.http?.requestHeaders, [
      ['Content-Type', 'application/json'],
      ['X-Id', '324'],
      ['X-Args', 'a'],
      ['X-Block', 'b'],
      ['X-Quoted', 'c'],
    ]);
    assert.deepEqual(
      rules(text).filter((one) => one.startsWith('duplicate-key')),
      [],
    );
  });

  it('is two where two are the same', () => {
    const twice = `    headers:\n      ? !!x [A]\n      : 1\n      ? !!x [A]\n      : 2\n`;
    assert.equal(rules(CASSETTE.replace('    headers: {}\n', twice)).filter((one) => one.startsWith('dup')).length, 1);
  });
});

describe('a file of YAML as a whole', () => {
  it('has one document, unless each exchange is one', () => {
    for (const { path, text } of samples.filter((one) => /\.ya?ml$/.test(one.path))) {
      // Flakestorm names its own limit.
      const isOfDocuments = /httpmock|^flakestorm$/.test(detectFormat(tapeFileFromText(text, path))?.id ?? '');
      const twice = `${text}${text.startsWith('---') ? '' : '---\n'}${text}`;
      const problems = read(twice, path)?.problems ?? [];
      assert.equal(problems.some(isNotRead), !isOfDocuments, path);
      assert.deepEqual(read(`${text}---\n`, path)?.problems.filter(isNotRead), [], path);
      assert.deepEqual(read(`${text}...\n`, path)?.problems.filter(isNotRead), [], path);
    }
  });

  it('is UTF-8', () => {
    const text = CASSETTE.replace('application/json', 'application/json; name=é');
    assert.deepEqual(rules(Buffer.from(text, 'utf8')), []);
    assert.deepEqual(rules(Buffer.from(text, 'latin1')), [
      'format: the file is not UTF-8: its recorder cannot read it',
    ]);
    for (const [mark, encoded] of [
      [[0xff, 0xfe], Buffer.from(text, 'utf16le')],
      [[0xfe, 0xff], Buffer.from(text, 'utf16le').swap16()],
    ] as const)
      assert.deepEqual(rules(Buffer.concat([Buffer.from(mark), encoded])), [
        'format: the file is UTF-16: recorders read UTF-8 only',
      ]);
  });

  it('may end without a line end', () => {
    for (const { path, text } of RECORDED) {
      const before = rules(text, path);
      assert.deepEqual(rules(text.trimEnd(), path), before, path);
    }
  });

  it('is cut off where it ends in another member than those that stand last', () => {
    for (const end of ['    status:', '    headers:\n      content-encoding:', '      - gzip', 'gzip'])
      for (const more of [0, 1]) {
        const cut = CASSETTE.slice(0, CASSETTE.lastIndexOf(end) + (more === 0 ? 0 : end.length - 1));
        assert.match(rules(cut.trimEnd()).join(), /cut-off|syntax|format/, cut.slice(-100));
      }
  });
});
