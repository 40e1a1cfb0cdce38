import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { readTape } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { traceFiles } from '../../core/tapes/formats/traceSamples';
import { inProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { CLEAN, SEEDED_TAPES } from './seededTapes';

const WRITABLE = formats.filter(({ serialise }) => serialise !== undefined).map(({ id }) => id);

describe('convert', function () {
  this.timeout(60_000);

  it('without --to writes what it read, byte for byte', async () => {
    await inProject({}, async (project) => {
      const bytes = gzipSync(
        `\uFEFF${SEEDED_TAPES.find(({ name }) => name === 'vcrpy.yaml')?.write(CLEAN)}`.replaceAll('\n', '\r\n'),
      );
      await writeFile(project.path('a.yaml.gz'), bytes);
      const { code, stdout, stderr } = await tapedeck(project, 'convert', 'a.yaml.gz', 'sub/b.yaml.gz');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^sub\/b\.yaml\.gz: .+, unchanged\n$/);
      assert.deepEqual(await readFile(project.path('sub/b.yaml.gz')), bytes);
    });
  });

  it('--to case makes a case of a traced run, which replays; it says what the trace lacks', async () => {
    // That of Phoenix ends with the call of the tool.
    const whole = traceFiles.filter(({ path }) => !path.startsWith('phoenix'));
    await inProject(Object.fromEntries(whole.map(({ path, text }) => [path, text])), async (project) => {
      for (const { path } of whole) {
        const to = `cases/${path.replaceAll('.', '-')}.toml`;
        const { code, stdout, stderr } = await tapedeck(project, 'convert', path, to, '--to', 'case');
        assert.deepEqual([code, stdout], [0, `${to}: case with its tape, 2 interactions\n`], stderr);
        assert.match(stderr, /built-in agent, which does not send it: .*temperature/);
        assert.match((await tapedeck(project, 'convert', path, to, '--to', 'case')).stderr, /already exists/);
      }
      const { code, stdout } = await tapedeck(project, 'run', 'cases', '--json');
      const { results } = JSON.parse(stdout) as { results: readonly { readonly requests?: unknown }[] };
      assert.deepEqual([code, results.length], [0, whole.length], stdout);
    });
  });

  it('--to case needs a prompt, and the name of a case', async () => {
    await inProject({ 'trace.jsonl': '{"resourceSpans":[]}' }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'convert', 'trace.jsonl', 'a.toml', '--to', 'case');
      assert.deepEqual([code, /has no prompt/.test(stderr), project.has('a.toml')], [2, true, false]);
      assert.equal((await tapedeck(project, 'convert', 'trace.jsonl', 'a.json', '--to', 'case')).code, 2);
    });
  });

  it('writes every format that can be written, from every format', async () => {
    const files = Object.fromEntries(SEEDED_TAPES.map(({ name, write }) => [name, write(CLEAN)]));
    await inProject(files, async (project) => {
      for (const target of WRITABLE) {
        const to = `out/${target}.json`;
        const { code, stdout, stderr } = await tapedeck(project, 'convert', 'codex.jsonl', to, '--to', target);
        if (target === 'mcp-recorder') {
          assert.match(stderr, /which only stores messages to one MCP server and their replies/);
          assert.deepEqual([code, project.has(to)], [2, false]);
          continue;
        }
        assert.equal(code, 0, `${target}: ${stderr}`);
        assert.match(stdout, /interactions?\n$/);
        assert.equal(readTape(tapeFileFromText(await project.read(`out/${target}.json`)))?.format, target);
      }
      // A session has no answer of a model, which is all that a MoFA tape holds.
      for (const { name } of SEEDED_TAPES.filter((seeded) => !/^(?:flakestorm-written|mcp)/.test(seeded.name))) {
        const { code } = await tapedeck(project, 'convert', name, `out/${name}.tape.json`, '--to', 'mofa');
        assert.equal(code, 0, name);
        const tape = readTape(tapeFileFromText(await project.read(`out/${name}.tape.json`)));
        assert.deepEqual([tape?.format, tape?.problems], ['mofa', []], name);
      }
    });
  });

  it('says field by field what the target cannot carry', async () => {
    const codex = SEEDED_TAPES.find(({ name }) => name === 'codex.jsonl')?.write(CLEAN) ?? '';
    await inProject({ 'a.jsonl': codex }, async (project) => {
      const { stdout, stderr } = await tapedeck(project, 'convert', 'a.jsonl', 'b.tape.json', '--to', 'mofa');
      assert.equal(stdout, 'b.tape.json: MoFA tape, 2 interactions\n');
      const [head, ...fields] = stderr.trimEnd().split('\n');
      assert.equal(head, 'MoFA tape cannot store everything in this Codex rollout: 2 of 2 interactions lose data');
      assert.ok(fields.includes('  timing.recordedAt: lost in 2 of 2'), stderr);
      assert.ok(!fields.some((field) => /messages|content/.test(field)), stderr);
    });
  });

  it('has nothing to say where nothing is lost', async () => {
    await inProject({ 'a.tape.json': tapeOf('a', ['one', 'two']) }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'convert', 'a.tape.json', 'b.tape.jsonl', '--to', 'tapedeck');
      assert.deepEqual([code, stderr], [0, '']);
      const [before, after] = [
        readTape(tapeFileFromText(await project.read('a.tape.json'))),
        readTape(tapeFileFromText(await project.read('b.tape.jsonl'))),
      ];
      assert.deepEqual(
        after?.interactions.map(({ response }) => response),
        before?.interactions.map(({ response }) => response),
      );
    });
  });

  it('says what the other recorder needs to play what was written', async () => {
    await inProject({ 'a.tape.json': tapeOf('a', ['one']) }, async (project) => {
      const { stderr } = await tapedeck(project, 'convert', 'a.tape.json', 'a.har', '--to', 'polly-har');
      assert.match(stderr, /Polly\.JS finds these requests with `matchRequestsBy: \{ headers: false \}`/);
    });
  });

  it('names a cassette after its test and its content, in a folder', async () => {
    await inProject(
      { 't.tape.json': tapeOf('tests/test_a.py::test_one', ['hello']), 'cassettes/keep.txt': '' },
      async (project) => {
        const { code, stdout } = await tapedeck(project, 'convert', 't.tape.json', 'cassettes', '--to', 'checkagent');
        assert.equal(code, 0);
        const [, path = ''] = /^(cassettes\/tests\/test_a\.py\/test_one\/[0-9a-f]{12}\.json): /.exec(stdout) ?? [];
        const { meta } = (await project.json(path)) as { meta: { content_hash: string } };
        assert.ok(path.endsWith(`/${meta.content_hash.slice(0, 12)}.json`));
      },
    );
  });

  it('copies byte for byte what is of that format already', async () => {
    // A key is made of a request that is no longer there.
    const fixture = `{"key": "k", "model": "m", "prompt_preview": "hi", "response": {"choices": []}}\n`;
    const session = 'id: a\ninput: hi\ncontract: strict\nexpected_failure: it lied\n';
    await inProject({ 'a.jsonl': fixture, 'a.yaml': session }, async (project) => {
      for (const [name, format] of [
        ['a.jsonl', 'reyn'],
        ['a.yaml', 'flakestorm'],
      ] as const) {
        const { code, stderr } = await tapedeck(project, 'convert', name, `out/${name}`, '--to', format);
        assert.deepEqual([code, stderr], [0, '']);
        assert.equal(await project.read(`out/${name}`), await project.read(name));
      }
    });
  });

  it('refuses what the target has no place for, and says what it would have a place for', async () => {
    const gemini = SEEDED_TAPES.find(({ name }) => name === 'gemini.responses')?.write(CLEAN) ?? '';
    await inProject({ 'a.responses': gemini }, async (project) => {
      for (const [target, holds] of [
        ['reyn', 'completions and embeddings whose whole request is known'],
        ['flakestorm', 'one thing that a user says, and the results of tools'],
      ] as const) {
        const { code, stdout, stderr } = await tapedeck(project, 'convert', 'a.responses', 'b.json', '--to', target);
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, /a\.responses: none of its \d+ interactions? can be written as .+, which only stores /);
        assert.ok(
          stderr.includes(holds) && stderr.includes('Choose another format. Formats that can be written: mofa'),
          stderr,
        );
        assert.ok(!project.has('b.json'));
      }
    });
  });

  it('says how large a tape may be for another format', async () => {
    const interactions = Array.from({ length: 20_001 }, () => ({ request: { messages: [] }, response: 'Yes' }));
    const tape = JSON.stringify({ version: 1, case_name: 'n', interactions });
    await inProject({ 'a.tape.json': tape }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'convert', 'a.tape.json', 'a.har', '--to', 'har');
      assert.equal(code, 2);
      assert.match(stderr, /a\.tape\.json has 20,001 interactions; at most 20,000 can be converted to another format/);
      assert.equal((await tapedeck(project, 'convert', 'a.tape.json', 'b.tape.json')).code, 0);
    });
  });

  it('replaces a file only when it is told to, and leaves nothing beside it', async () => {
    const mine = tapeOf('b', ['mine']);
    await inProject({ 'a.tape.json': tapeOf('a', ['one']), 'b.json': mine, 'c/d.txt': '' }, async (project) => {
      const refused = await tapedeck(project, 'convert', 'a.tape.json', 'b.json');
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /b\.json already exists\n {2}Name another file, or overwrite it with --force\./);
      assert.equal(await project.read('b.json'), mine);
      assert.equal((await tapedeck(project, 'convert', 'a.tape.json', 'b.json', '--force')).code, 0);
      assert.equal(await project.read('b.json'), tapeOf('a', ['one']));
      assert.match((await tapedeck(project, 'convert', 'a.tape.json', 'c', '--force')).stderr, /c is a folder/);
      assert.equal((await tapedeck(project, 'convert', 'a.tape.json', 'a.tape.json', '--force')).code, 0);
      assert.ok((await stat(project.path('a.tape.json'))).size > 0);
    });
  });

  it('ends with 2 for what it cannot read or write', async () => {
    const files = {
      'a.tape.json': tapeOf('a', ['one']),
      'b.json': '{}',
      'broken.json': '{"case_name": "x", "interactions": [',
    };
    await inProject(files, async (project) => {
      const cases = [
        [['a.tape.json'], /name the tape and the file to write/],
        [['b.json', 'c.json'], /b\.json is not a tape in a known format/],
        [['no.json', 'c.json'], /no\.json: there is no such file/],
        [['a.tape.json', 'c.json', '--to', 'no'], /--to cannot be `no`: use one of mofa/],
        [
          ['a.tape.json', 'c.json', '--to', 'codex'],
          /--to codex: tapes cannot be written as Codex rollout\. Tapedeck can read this format but cannot write it\.\n {2}Formats that can be written: mofa/,
        ],
        [
          ['a.tape.json', 'c.json', '--to', 'flakestorm-config'],
          /Flakestorm configuration\. It configures a test run and has no place for recorded responses\. Convert to a replay session/,
        ],
        [
          ['a.tape.json', 'c.json', '--to', 'mofa-assertions'],
          /MoFA semantic assertions\. It lists requirements on a response, and has no place for a recorded one/,
        ],
        [['broken.json', 'c.json', '--to', 'loader'], /broken\.json: invalid JSON.*\n {2}For details: tapedeck verify/],
        [['a.tape.json', 'b.json/c.json'], /b\.json\/c\.json: part of the path is not a folder/],
      ] as const;
      for (const [args, message] of cases) {
        const { code, stdout, stderr } = await tapedeck(project, 'convert', ...args);
        assert.deepEqual([code, stdout], [2, ''], args.join(' '));
        assert.match(stderr, message);
      }
      assert.ok(!project.has('c.json'));
    });
  });
});
