// The files and projects of hostile.mjs. Each is made in a folder of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

const MIB = 2 ** 20;
const times = (text, size) => Buffer.alloc(size, text);

/** A file, and the folders above it. */
function put(folder, name, content) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const tape = (name, file, content) => ({ name, kind: 'tape', file, make: (folder) => put(folder, file, content()) });
const project = (name, files, more) => ({
  name,
  kind: 'project',
  make: (folder, places) => {
    for (const [path, content] of Object.entries(files))
      put(folder, path, typeof content === 'function' ? content() : content);
    more?.(folder, places);
  },
});

/** A committed tape, which stands beside it as `old.tape.json` as well, and what it has become. */
const pair = (name, before, after, file = 'tapes/a.tape.json') => ({
  name: `pair: ${name}`,
  kind: 'pair',
  file,
  make: (folder) => {
    put(folder, file, before());
    put(folder, 'old.tape.json', before());
    put(folder, '.gitignore', '/old.tape.json\n');
    const git = (...args) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args], { cwd: folder });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x');
    put(folder, file, after());
  },
});

const TAPE = JSON.stringify({
  version: 1,
  case_name: 'a',
  interactions: [
    {
      request: {
        messages: [
          { role: 'system', content: '# A\n\nYou are A.', tool_call_id: null, tool_calls: [] },
          { role: 'user', content: 'hi', tool_call_id: null, tool_calls: [] },
        ],
        model: null,
        temperature: null,
        max_tokens: null,
        tool_names: [],
      },
      response: 'hello',
      tool_calls: [],
      usage: null,
    },
  ],
});
/** A tape of so many interactions. */
const tapeOf = (count, question, answer) => {
  const { interactions, ...rest } = JSON.parse(TAPE);
  const all = Array.from({ length: count }, (_, at) => {
    const [{ request, ...one }] = interactions;
    const [system, user] = request.messages;
    const messages = [system, { ...user, content: question(at) }];
    return { ...one, request: { ...request, messages }, response: answer(at) };
  });
  return JSON.stringify({ ...rest, interactions: all });
};
const conversationOf = (count, text) => {
  const tape = JSON.parse(TAPE);
  const message = tape.interactions[0].request.messages[1];
  tape.interactions[0].request.messages = Array.from({ length: count }, (_, at) => ({ ...message, content: text(at) }));
  return JSON.stringify(tape);
};
const longText = (word, count) => Array.from({ length: count }, (_, at) => `${word}${(at * 7919) % 10_007}`).join(' ');
const same = (text) => () => text;
const isEnd = (at, length) => at === 0 || at === length - 1;

const caseOf = (more = '') =>
  `name = "a"\nprompt = "hi"\n[agent]\nname = "A"\n[llm]\ntape = "../tapes/a.tape.json"\n${more}`;
const cases = (text) => ({ 'cases/a.toml': text, 'tapes/a.tape.json': TAPE });

/** Lists of lists, of this many bytes. */
const lists = (size) => Buffer.concat([Buffer.from('[[]'), times(',[]', size), Buffer.from(']')]);
const deep = (levels, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

/** A zstd frame of blocks of one repeated byte: four bytes for 128 KiB. */
function zstdBomb(blocks) {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b0000_0000, 0b0111_1000])];
  for (let at = 0; at < blocks; at += 1) {
    const header = (131072 << 3) | (1 << 1) | (at === blocks - 1 ? 1 : 0);
    parts.push(Buffer.from([header & 255, (header >> 8) & 255, header >> 16, 0x61]));
  }
  return Buffer.concat(parts);
}

function har(bodies) {
  const entries = bodies.map(({ body, encoding }) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      httpVersion: 'HTTP/1.1',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      headers: [
        { name: 'content-encoding', value: encoding },
        { name: 'content-type', value: 'application/json' },
      ],
      content: { size: body.length, mimeType: 'application/json', encoding: 'base64', text: body.toString('base64') },
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });
}
const body = (name, encoding, content, count = 1) =>
  tape(`body: ${name}`, 'a.har', () => {
    const made = { body: content(), encoding };
    return har(Array.from({ length: count }, () => made));
  });

/** A zip of stored or deflated files, as Inspect's logs are. */
function zip(files) {
  const locals = [];
  const central = [];
  let at = 0;
  for (const { name, content, method = 8, packed = deflateRawSync(content), overlap } of files) {
    const start = overlap ?? at;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(start, 42);
    central.push(entry, Buffer.from(name));
    if (overlap !== undefined) continue;
    locals.push(local, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length & 0xffff, 8);
  end.writeUInt16LE(files.length & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
const HEADER = { name: 'header.json', content: Buffer.from('{"version":2,"status":"success","eval":{}}') };

const git = (folder, ...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'ignore' });

/** A committed project whose configuration has git run a program for each file. */
function withFilter(folder) {
  put(folder, '.gitattributes', '* filter=x diff=x\n');
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'a');
  for (const key of [
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'diff.x.textconv',
    'diff.x.command',
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
  ])
    git(folder, 'config', key, 'sh -c "touch $MARKER; cat"');
  put(folder, '.git/hooks/post-index-change', '#!/bin/sh\ntouch $MARKER\n');
  execFileSync('chmod', ['+x', join(folder, '.git/hooks/post-index-change')]);
  put(folder, 'tapes/a.tape.json', `${TAPE}\n`);
}

const pattern = (name, source) => [
  project(
    `pattern: ${name}, in [normalise]`,
    {
      ...cases(caseOf()),
      'tapedeck.toml': `[[normalise.patterns]]\nname = "x"\npattern = ${JSON.stringify(source)}\n`,
      '.tapedeck/runs/.keep': '',
    },
    changedTape,
  ),
  project(`pattern: ${name}, in matches`, cases(caseOf(`\n[assert]\nmatches = ${JSON.stringify(source)}\n`)), longTape),
];

const LONG = `${'a'.repeat(50_000)}!`;

/** The response is long, which makes a pattern that backtracks take for ever. */
function longTape(folder) {
  put(folder, 'tapes/a.tape.json', TAPE.replace('hello', LONG));
}

/** Committed with another response, so that `check` compares them. */
function changedTape(folder) {
  put(folder, 'tapes/a.tape.json', TAPE.replace('hello', `${LONG}1`));
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'a');
  longTape(folder);
}

const ESC = '\u001b[2J\u001b]0;owned\u0007';

export const hostile = [
  // gzip: 16
  tape('gzip: lists of lists, 510 kB for 250 MB', 'a.tape.json.gz', () => gzipSync(lists(250 * MIB))),
  tape('gzip: lists of lists, 20 MB', 'a.tape.json.gz', () => gzipSync(lists(20 * MIB))),
  tape('gzip: lists of lists, 12 MB', 'a.tape.json.gz', () => gzipSync(lists(12 * MIB))),
  tape('gzip: a trailer of 100 bytes', 'a.tape.json.gz', () => {
    const packed = gzipSync(lists(900 * MIB), { level: 1 });
    packed.writeUInt32LE(100, packed.length - 4);
    return packed;
  }),
  tape('gzip: a trailer of 4 GB', 'a.tape.json.gz', () => {
    const packed = gzipSync(Buffer.from(TAPE));
    packed.writeUInt32LE(0xffff_ffff, packed.length - 4);
    return packed;
  }),
  tape('gzip: 2,000 members of 1 MB', 'a.tape.json.gz', () =>
    Buffer.concat(Array(2000).fill(gzipSync(times(' ', MIB)))),
  ),
  tape('gzip: zeros, 200 MB', 'a.json.gz', () => gzipSync(times('\0', 200 * MIB))),
  tape('gzip: cut off', 'a.tape.json.gz', () => gzipSync(lists(100 * MIB)).subarray(0, 100_000)),
  tape('gzip: a tape with a wide list of numbers', 'a.tape.json.gz', () =>
    gzipSync(Buffer.from(TAPE.replace('"tool_names":[]', `"tool_names":[0${',0'.repeat(6_000_000)}]`))),
  ),
  tape('gzip: a tape with 300,000 interactions', 'a.tape.json.gz', () =>
    gzipSync(Buffer.from(`{"version":1,"case_name":"a","interactions":[{}${',{}'.repeat(300_000)}]}`)),
  ),
  tape('gzip: JSON lines, empty objects, 15 MB', 'a.jsonl.gz', () => gzipSync(times('{}\n', 15 * MIB))),
  tape('gzip: YAML, 15 MB of items', 'a.yaml.gz', () =>
    gzipSync(Buffer.concat([Buffer.from('interactions:\n'), times('- {}\n', 15 * MIB)])),
  ),
  tape('gzip in gzip', 'a.tape.json.gz', () => gzipSync(gzipSync(lists(250 * MIB)))),
  tape('gzip: one string of 100 MB', 'a.tape.json.gz', () =>
    gzipSync(Buffer.from(TAPE.replace('hello', 'x'.repeat(100_000_000)))),
  ),
  tape('gzip: escapes only, 15 MB', 'a.tape.json.gz', () =>
    gzipSync(Buffer.from(TAPE.replace('hello', '\\u0041'.repeat(2_500_000)))),
  ),
  tape('gzip: raw bytes, 15 MB', 'a.tape.json.gz', () => gzipSync(times('\xff\xfe', 15 * MIB))),
  // compressed bodies: 16
  body('gzip of 1 GB', 'gzip', () => gzipSync(times('a', 1024 * MIB))),
  body('gzip of lists, 60 MB', 'gzip', () => gzipSync(lists(60 * MIB))),
  body('gzip of lists, 25 MB at a low ratio', 'gzip', () => gzipSync(lists(25 * MIB), { level: 1 })),
  body('100 × gzip of 100 MB', 'gzip', () => gzipSync(times('a', 100 * MIB)), 100),
  body('2,000 × gzip of 1 MB', 'gzip', () => gzipSync(times('a', MIB - 1)), 2000),
  body('zlib of 1 GB', 'deflate', () => deflateSync(times('a', 1024 * MIB))),
  body('raw deflate of 1 GB', 'deflate', () => deflateRawSync(times('a', 1024 * MIB))),
  body('brotli of 1 GB', 'br', () => brotliCompressSync(times('a', 1024 * MIB), { params: { 1: 4 } })),
  body('50 × brotli of 200 MB', 'br', () => brotliCompressSync(times('a', 200 * MIB), { params: { 1: 4 } }), 50),
  body('zstd of 4 GB', 'zstd', () => zstdBomb(32_000)),
  body('100 × zstd of 128 MB', 'zstd', () => zstdBomb(1000), 100),
  body('gzip in gzip in gzip', 'gzip, gzip, gzip', () => gzipSync(gzipSync(gzipSync(times('a', 1024 * MIB))))),
  body('base64 of base64 of gzip', 'gzip', () =>
    Buffer.from(Buffer.from(gzipSync(times('a', 200 * MIB)).toString('base64')).toString('base64')),
  ),
  body('an event stream of 5,000,000 events', 'gzip', () => gzipSync(times('data: {}\n\n', 30 * MIB), { level: 1 })),
  body('an event stream of one line, 30 MB', 'gzip', () =>
    gzipSync(Buffer.concat([Buffer.from('data: '), times('x', 30 * MIB)]), { level: 1 }),
  ),
  body('JSON of depth 100,000', 'gzip', () => gzipSync(Buffer.from(deep(100_000)))),
  // zip: 7
  tape('zip: a sample of 1 GB', 'a.eval', () =>
    zip([HEADER, { name: 'samples/1.json', content: times(' ', 1024 * MIB) }]),
  ),
  tape('zip: 100 samples of 60 MB', 'a.eval', () => {
    const content = times(' ', 60 * MIB);
    const packed = deflateRawSync(content);
    return zip([HEADER, ...Array.from({ length: 100 }, (_, at) => ({ name: `samples/${at}.json`, content, packed }))]);
  }),
  tape('zip: 30,000 files that overlap', 'a.eval', () => {
    const content = times(' ', 4 * MIB);
    const first = { name: 'samples/0.json', content, packed: deflateRawSync(content) };
    return zip([first, { ...HEADER }, ...Array.from({ length: 30_000 }, () => ({ ...first, overlap: 0 }))]);
  }),
  tape('zip: a sample of lists, 40 MB', 'a.eval', () =>
    zip([HEADER, { name: 'samples/1.json', content: lists(40 * MIB) }]),
  ),
  tape('zip: 60,000 empty files', 'a.eval', () =>
    zip([
      HEADER,
      ...Array.from({ length: 60_000 }, (_, at) => ({ name: `samples/${at}.json`, content: Buffer.from('{}') })),
    ]),
  ),
  tape('zip: names with escapes', 'a.eval', () =>
    zip([HEADER, { name: `samples/${ESC}.json`, content: Buffer.from('[') }]),
  ),
  tape('zip: a directory that lies', 'a.eval', () => {
    const made = zip([HEADER]);
    made.writeUInt16LE(0xffff, made.length - 12);
    made.writeUInt32LE(7, made.length - 6);
    return made;
  }),
  // JSON: 16
  tape('JSON: depth 1,000,000 of lists', 'a.tape.json', () => deep(1_000_000)),
  tape('JSON: depth 1,000,000 of objects', 'a.tape.json', () => deep(1_000_000, '{"interactions":', '}')),
  tape('JSON: depth 400 in an argument', 'a.tape.json', () =>
    TAPE.replace('"tool_names":[]', `"tool_names":${deep(400)}`),
  ),
  tape('JSON: 5,000,000 empty lists', 'a.tape.json', () =>
    TAPE.replace('"tool_names":[]', `"tool_names":[[]${',[]'.repeat(5_000_000)}]`),
  ),
  tape('JSON: 1,400,000 empty lists', 'a.tape.json', () =>
    TAPE.replace('"tool_names":[]', `"tool_names":[[]${',[]'.repeat(1_400_000)}]`),
  ),
  tape(
    'JSON: 1,000,000 members',
    'a.tape.json',
    () =>
      `{"version":1,"case_name":"a","interactions":[],${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":0`).join()}}`,
  ),
  tape(
    'JSON: one key a million times',
    'a.tape.json',
    () => `{"version":1,"case_name":"a","interactions":[]${',"name":1'.repeat(700_000)}}`,
  ),
  tape('JSON: a number of 5,000,000 digits', 'a.tape.json', () => TAPE.replace('null', '1'.repeat(5_000_000))),
  tape(
    'JSON: a string that does not end, 20 MB',
    'a.tape.json',
    () => `{"version":1,"case_name":"a","interactions":["${'\\"'.repeat(10_000_000)}`,
  ),
  tape('JSON: one line of 60 MB', 'a.tape.json', () => TAPE.replace('hello', 'x'.repeat(60_000_000))),
  tape('JSON: 300,000 messages', 'a.tape.json', () =>
    TAPE.replace(
      '"messages":[',
      `"messages":[${'{"role":"user","content":"a","tool_call_id":null,"tool_calls":[]},'.repeat(300_000)}`,
    ),
  ),
  tape('JSON: 100,000 interactions', 'a.tape.json', () =>
    TAPE.replace(
      '"interactions":[',
      `"interactions":[${`${JSON.stringify(JSON.parse(TAPE).interactions[0])},`.repeat(99_999)}`,
    ),
  ),
  tape('JSON: as many messages as are read, 50,000', 'a.tape.json', () =>
    TAPE.replace(
      '"messages":[',
      `"messages":[${'{"role":"user","content":"a","tool_call_id":null,"tool_calls":[]},'.repeat(49_998)}`,
    ),
  ),
  tape('JSON: as many interactions as are read, 50,000', 'a.tape.json', () =>
    TAPE.replace(
      '"interactions":[',
      `"interactions":[${`${JSON.stringify(JSON.parse(TAPE).interactions[0])},`.repeat(49_999)}`,
    ),
  ),
  tape('JSON lines: 1,000,000 lines', 'a.jsonl', () => '{"type":"x"}\n'.repeat(1_000_000)),
  tape('JSON lines: broken, 500,000 lines', 'a.jsonl', () => '{"type":\n'.repeat(500_000)),
  // YAML: 12
  tape(
    'YAML: aliases of aliases',
    'a.yaml',
    () =>
      `interactions:\n- &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 30 }, (_, at) => `- &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`).join('\n')}\nversion: 1\n`,
  ),
  tape('YAML: an alias of itself', 'a.yaml', () => 'interactions: &a\n- *a\n- {request: *a}\nversion: 1\n'),
  tape(
    'YAML: merges of merges',
    'a.yaml',
    () =>
      `a0: &a0 {x: 1}\n${Array.from({ length: 3000 }, (_, at) => `a${at + 1}: &a${at + 1}\n  <<: *a${at}\n  k${at}: 1`).join('\n')}\ninteractions: []\nversion: 1\n`,
  ),
  tape('YAML: depth 100,000, flow', 'a.yaml', () => `interactions: ${deep(100_000)}\nversion: 1\n`),
  tape(
    'YAML: depth 5,000, block',
    'a.yaml',
    () => `interactions:\n${Array.from({ length: 5000 }, (_, at) => `${' '.repeat(at)}- a:`).join('\n')}\nversion: 1\n`,
  ),
  tape('YAML: 1,000,000 items', 'a.yaml', () => `interactions:\n${'- a\n'.repeat(1_000_000)}version: 1\n`),
  tape('YAML: 400,000 flow items', 'a.yaml', () => `interactions: [${'{a: b}, '.repeat(400_000)}]\nversion: 1\n`),
  tape('YAML: 10 MB of flow', 'a.yaml', () => `interactions: [${'[], '.repeat(2_500_000)}]\nversion: 1\n`),
  tape(
    'YAML: one scalar of 30 MB',
    'a.yaml',
    () => `interactions:\n- request:\n    body: ${'x'.repeat(30_000_000)}\nversion: 1\n`,
  ),
  tape('YAML: 300,000 documents', 'a.yaml', () => 'interactions: []\nversion: 1\n---\n'.repeat(300_000)),
  tape(
    'YAML: tags that run code',
    'a.yaml',
    () =>
      'interactions:\n- request: !!python/object/apply:os.system ["touch $MARKER"]\n  response: !!js/function "f"\nversion: 1\n',
  ),
  tape(
    'YAML: 200,000 anchors',
    'a.yaml',
    () => `interactions:\n${Array.from({ length: 200_000 }, (_, at) => `- &a${at} x`).join('\n')}\nversion: 1\n`,
  ),
  // TOML: 8
  project('TOML: depth 50,000 of lists', cases(caseOf(`x = ${deep(50_000)}\n`))),
  project('TOML: a key of 50,000 parts', cases(caseOf(`${'a.'.repeat(50_000)}b = 1\n`))),
  project(
    'TOML: 300,000 keys',
    cases(() => caseOf(Array.from({ length: 300_000 }, (_, at) => `k${at} = ${at}`).join('\n'))),
  ),
  project(
    'TOML: 100,000 tables',
    cases(() => caseOf(Array.from({ length: 100_000 }, (_, at) => `[t${at}]\nx = 1`).join('\n'))),
  ),
  project(
    'TOML: inline tables, 20 MB',
    cases(() => caseOf(`x = [${'{}, '.repeat(5_000_000)}]\n`)),
  ),
  project(
    'TOML: a string of 30 MB',
    cases(() => caseOf(`x = "${'a'.repeat(30_000_000)}"\n`)),
  ),
  project('TOML: tapedeck.toml of 10 MB', {
    ...cases(caseOf()),
    'tapedeck.toml': () => `[normalise]\nignore = [${'"a.b", '.repeat(1_200_000)}]\n`,
  }),
  project(
    'TOML: unknown keys with escapes',
    cases(caseOf(`"${'\\u001b'}[2J\\u001b]0;owned\\u0007" = 1\n["x\\u009b31m"]\ny = 1\n`)),
  ),
  // patterns: 12
  ...pattern('(a+)+$', '(a+)+$'),
  ...pattern('^(a|a)*$', '^(a|a)*$'),
  ...pattern('nested repetitions', '((a{1,100}){1,100}){1,100}b'),
  ...pattern('quadratic', 'a[^z]*z|a'),
  ...pattern('10,000 alternatives', Array.from({ length: 1500 }, (_, at) => `a{${at % 50}}b${at}`).join('|')),
  ...pattern('overlapping stars', 'a*a*a*a*a*a*a*a*a*a*b'),
  // names: 6
  tape('name: escapes', `a${ESC}.tape.json`, () =>
    TAPE.replace('"version":1,"case_name":"a"', `"name":"${'\\u001b'}[2J\\u009b31m"`),
  ),
  tape('name: begins with -', '--help.tape.json', () => TAPE),
  tape('name: has a colon', 'C:a:1:2.tape.json', () => TAPE),
  tape('name: a line break', 'a\nb.tape.json', () => '{'),
  project('name: cases with escapes and dashes', {
    [`cases/a${ESC}.toml`]: caseOf(),
    'cases/-x.toml': caseOf(),
    'cases/--:(top)x.toml': caseOf(),
    'tapes/a.tape.json': TAPE,
  }),
  tape('content: escapes in every text', 'a.tape.json', () =>
    TAPE.replaceAll('"hi"', JSON.stringify(ESC)).replace('"hello"', JSON.stringify(`${ESC}\u009b31m\u202e`)),
  ),
  // links: 4
  project('links: a tape outside', cases(caseOf()), (folder, { outside }) =>
    symlinkSync(join(outside, 'secret.tape.json'), join(folder, 'tapes/b.tape.json')),
  ),
  project('links: a folder outside', cases(caseOf()), (folder, { outside }) =>
    symlinkSync(outside, join(folder, 'cases/more')),
  ),
  project('links: a cycle', cases(caseOf()), (folder) => symlinkSync(folder, join(folder, 'cases/again'))),
  project('links: .tapedeck outside', cases(caseOf()), (folder, { outside }) =>
    symlinkSync(outside, join(folder, '.tapedeck')),
  ),
  // git and many files: 5
  project('git: filters, hooks, a monitor', cases(caseOf()), withFilter),
  project('git: a nested bare repository', {
    ...cases(caseOf()),
    HEAD: 'ref: refs/heads/main\n',
    config:
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch $MARKER"\n[filter "x"]\n\tclean = "touch $MARKER; cat"\n',
    'objects/.keep': '',
    'refs/.keep': '',
    '.gitattributes': '* filter=x\n',
  }),
  project('files: 20,000 tapes', {}, (folder) => {
    mkdirSync(join(folder, 'tapes'));
    for (let at = 0; at < 20_000; at += 1) writeFileSync(join(folder, 'tapes', `${at}.tape.json`), TAPE);
  }),
  project('files: folders 500 deep', {}, (folder) => put(folder, `${'d/'.repeat(500)}a.toml`, caseOf())),
  project('files: 3,000 cases', {}, (folder) => {
    put(folder, 'tapes/a.tape.json', TAPE);
    mkdirSync(join(folder, 'cases'));
    for (let at = 0; at < 3000; at += 1) writeFileSync(join(folder, 'cases', `${at}.toml`), caseOf());
  }),
  project('files: 60 changed tapes of 5 MB', {}, (folder) => {
    const content = (word) => TAPE.replace('hello', longText(word, 600_000));
    for (let at = 0; at < 60; at += 1) put(folder, `tapes/${at}.tape.json`, content(`a${at}`));
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'a');
    for (let at = 0; at < 60; at += 1) put(folder, `tapes/${at}.tape.json`, content(`b${at}`));
  }),
  // two tapes that differ: 12
  pair(
    '50,000 equal interactions, the first and the last edited',
    () => tapeOf(50_000, same('hi'), same('hello')),
    () => tapeOf(50_000, same('hi'), (at) => (isEnd(at, 50_000) ? 'bye' : 'hello')),
  ),
  pair(
    '50,000 interactions, each edited',
    () =>
      tapeOf(
        50_000,
        (at) => `question ${at}`,
        (at) => `hello ${at}`,
      ),
    () =>
      tapeOf(
        50_000,
        (at) => `question ${at}`,
        (at) => `bye ${at}`,
      ),
  ),
  pair(
    '50,000 interactions, nothing in common',
    () =>
      tapeOf(
        50_000,
        (at) => `question ${at}`,
        (at) => `hello ${at}`,
      ),
    () =>
      tapeOf(
        50_000,
        (at) => `what about ${at}`,
        (at) => `well ${at}`,
      ),
  ),
  pair(
    '50,000 interactions, in reverse',
    () =>
      tapeOf(
        50_000,
        (at) => `question ${at}`,
        (at) => `hello ${at}`,
      ),
    () =>
      tapeOf(
        50_000,
        (at) => `question ${50_000 - at}`,
        (at) => `hello ${50_000 - at}`,
      ),
  ),
  pair(
    '10,000 interactions, 5,000 of them edited',
    () =>
      tapeOf(
        10_000,
        (at) => `question ${at}`,
        (at) => `hello ${at}`,
      ),
    () =>
      tapeOf(
        10_000,
        (at) => `question ${at}`,
        (at) => (at % 2 ? `bye ${at}` : `hello ${at}`),
      ),
  ),
  pair(
    '50,000 messages, two edited',
    () => conversationOf(50_000, same('a')),
    () => conversationOf(50_000, (at) => (isEnd(at, 50_000) ? 'b' : 'a')),
  ),
  pair(
    '50,000 messages, each edited',
    () => conversationOf(50_000, (at) => `a ${at}`),
    () => conversationOf(50_000, (at) => `b ${at}`),
  ),
  pair(
    'a line of 60 MB, edited at its end',
    () => TAPE.replace('hello', 'x'.repeat(60_000_000)),
    () => TAPE.replace('hello', `${'x'.repeat(59_999_999)}y`),
  ),
  pair(
    'more interactions than are read, the last one edited',
    () => tapeOf(60_000, same('hi'), same('hello')),
    () => tapeOf(60_000, same('hi'), (at) => (at === 59_999 ? 'bye' : 'hello')),
  ),
  pair(
    '120 MB packed, edited at their end',
    () => gzipSync(TAPE.replace('hello', longText('a', 20_000_000))),
    () => gzipSync(TAPE.replace('hello', `${longText('a', 20_000_000)} z`)),
    'tapes/a.tape.json.gz',
  ),
  pair(
    '200 MB packed, which are not read, edited at their end',
    () => gzipSync(TAPE.replace('hello', longText('a', 33_000_000))),
    () => gzipSync(TAPE.replace('hello', `${longText('a', 33_000_000)} z`)),
    'tapes/a.tape.json.gz',
  ),
  pair(
    '50 texts of 700 kB, nothing in common',
    () =>
      tapeOf(
        50,
        (at) => `question ${at}`,
        (at) => longText(`a${at}w`, 80_000),
      ),
    () =>
      tapeOf(
        50,
        (at) => `question ${at}`,
        (at) => longText(`b${at}w`, 80_000),
      ),
  ),
];
