import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pollyRecordingPath } from '../../../src/core/tapeTests/javascript/pollyRecording';
import { isTestFile, readTestFile, testRun } from '../../../src/core/tapeTests/registry';
import { usesTape } from '../../../src/core/tapeTests/tapeTest';

const FILE = 'packages/shop/test/order.test.ts';
const testsOf = (source: string, file = FILE) => readTestFile(file, source).tests;
const pathsOf = (source: string) =>
  testsOf(source).flatMap(({ name, uses }) => uses.map(({ recorder, paths }) => [name, recorder, ...paths]));

describe('tests of Vitest and Jest', () => {
  it('are recognised by the name of their file', () => {
    const names = [
      'a.test.ts',
      'a.spec.mjs',
      'src/__tests__/a.tsx',
      'a.ts',
      'test/a.js',
      '__tests__/a.d.ts',
      'tests.ts',
    ];
    assert.deepEqual(names.map(isTestFile), [true, true, true, false, false, false, false]);
  });

  it('use the recording that `new Polly` names, in the folder that is written there, or in any', () => {
    const source = `
      import { it, describe } from 'vitest';
      // it('in a comment', () => { new Polly('x') })
      describe('orders', () => {
        it("says \\u0022where\\u0022", async () => {
          const polly = new Polly('where is it', { persisterOptions: { fs: { recordingsDir: path.join(__dirname, '../tapes') } } });
        });
        it.only('any folder', () => { new Polly("where is it") });
        it('a name that is computed', () => { new Polly(\`\${name}\`) });
        it('none', () => { /* new Polly('x') */ const s = "new Polly('y')"; });
      });`;
    assert.deepEqual(pathsOf(source), [
      ['orders > says "where"', 'polly', 'packages/shop/tapes/where-is-it_3622208045/recording.har'],
      ['orders > any folder', 'polly', 'where-is-it_3622208045/recording.har'],
      ['orders > a name that is computed', 'polly'],
    ]);
    const [, anywhere] = testsOf(source).flatMap(({ uses }) => uses);
    assert.ok(anywhere && usesTape(anywhere, 'packages/shop/__recordings__/where-is-it_3622208045/recording.har'));
    assert.ok(anywhere && !usesTape(anywhere, 'packages/shop/__recordings__/other_1/recording.har'));
  });

  it('have one tape each with `setupPolly`, and share what a hook of their suite names', () => {
    const source = `
      import { setupPolly } from 'setup-polly-jest';
      describe('suite', () => {
        setupPolly({ adapters: [] });
        test('one', () => {});
        test.each([1, 2])('number %d', () => {});
      });
      describe('other', () => {
        beforeEach(() => { polly = new Polly('shared') });
        test('two', () => {});
      });
      test('three', () => {});`;
    assert.deepEqual(pathsOf(source), [
      ['suite > one', 'polly', pollyRecordingPath('suite/one')],
      ['suite > number %d', 'polly'],
      ['other > two', 'polly', pollyRecordingPath('shared')],
    ]);
  });

  it('use the fixture of `nock.back`, in the folder that the file sets', () => {
    const body = `test('a', async () => { await nockBack('chat/a.json'); });`;
    const head = `const nockBack = require('nock').back;\n`;
    const fixture = (folder: string) => pathsOf(`${head}${folder}\n${body}`)[0]?.slice(2);
    assert.deepEqual(fixture("nockBack.fixtures = path.join(__dirname, '/fixtures')"), [
      'packages/shop/test/fixtures/chat/a.json',
    ]);
    assert.deepEqual(fixture(`nockBack.fixtures = \`\${__dirname}/fixtures\`;`), [
      'packages/shop/test/fixtures/chat/a.json',
    ]);
    assert.deepEqual(fixture("const HOME = __dirname + '/nock'\nnockBack.fixtures = HOME"), [
      'packages/shop/test/nock/chat/a.json',
    ]);
    assert.deepEqual(fixture("nockBack.fixtures = fileURLToPath(new URL('./nock', import.meta.url))"), [
      'packages/shop/test/nock/chat/a.json',
    ]);
    assert.deepEqual(fixture("nockBack.fixtures = './test/fixtures/';"), [
      'packages/shop/test/test/fixtures/chat/a.json',
      'packages/shop/test/fixtures/chat/a.json',
      'packages/test/fixtures/chat/a.json',
      'test/fixtures/chat/a.json',
    ]);
    // Not known, so the name is looked for: nothing is guessed.
    assert.deepEqual(fixture('nockBack.fixtures = folderOf(process.env.X)'), ['chat/a.json']);
    assert.deepEqual(fixture(`nockBack.fixtures = \`\${__dirname}/\${NAME}\``), ['chat/a.json']);
    assert.deepEqual(pathsOf(`${head}test('a', () => nockBack(\`\${n}.json\`))`), [['a', 'nock']]);
    assert.deepEqual(pathsOf(`import { back } from 'nock'\ntest('a', () => back('b.json'))`), [
      ['a', 'nock', 'b.json'],
    ]);
  });

  it('use the fixtures of aimock and of the AI SDK', () => {
    assert.deepEqual(
      pathsOf(`import { useAimock } from '@copilotkit/aimock/vitest';
        describe('s', () => {
          const mock = useAimock({ fixtures: new URL('./chat.json', import.meta.url).pathname });
          it('a', () => {});
          it('b', () => { mock().llm.loadFixtureFile(\`\${__dirname}/b.json\`) });
        });`),
      [
        ['s > a', 'aimock', 'packages/shop/test/chat.json'],
        ['s > b', 'aimock', 'packages/shop/test/chat.json'],
        ['s > b', 'aimock', 'packages/shop/test/b.json'],
      ],
    );
    const [paths] = pathsOf(`function prepareChunksFixtureResponse(filename: string) {
        server.response = fs.readFileSync(\`src/__fixtures__/\${filename}.chunks.txt\`, 'utf8');
      }
      it('streams', () => { prepareChunksFixtureResponse('text'); });`);
    assert.ok(paths?.includes('packages/shop/src/__fixtures__/text.chunks.txt'), String(paths));
  });

  it('run alone with the runner that their file or package names', () => {
    const run = (source: string, mode: 'replay' | 'record', requirements: string) => {
      const [test] = testsOf(source);
      assert.ok(test);
      return testRun(test, mode, { folder: 'packages/shop', requirements });
    };
    const polly = `describe('a (b)', () => { it('c?', () => { new Polly('x') }) })`;
    assert.deepEqual(run(polly, 'replay', '{"devDependencies": {"vitest": "4"}}'), {
      program: 'vitest',
      args: ['run', 'test/order.test.ts', '--coverage.enabled=false', '-t', '^\\s*a \\(b\\)(?: > | )c\\?$'],
      env: {},
      folder: 'packages/shop',
      needsTapeAside: false,
    });
    const recorded = run(polly, 'record', '{"devDependencies": {"jest": "30"}}');
    assert.deepEqual(
      [recorded.program, recorded.env, recorded.needsTapeAside],
      ['jest', { POLLY_MODE: 'record' }, true],
    );
    const nock = `import { test } from 'node:test';\nconst nockBack = require('nock').back;\ntest('a', () => nockBack('a.json'))`;
    assert.deepEqual(run(nock, 'replay', '{}').env, { NOCK_BACK_MODE: 'lockdown' });
    assert.equal(run(nock, 'replay', '{}').program, 'node');
  });

  it('are not run alone where a title is computed', () => {
    const select = (source: string) => testsOf(source)[0]?.select;
    assert.equal(select(`it(name, () => { new Polly('x') })`), undefined);
    assert.equal(select(`describe(name, () => { it('a', () => { new Polly('x') }) })`), undefined);
    assert.equal(select(`it(\`a \${b} c\`, () => { new Polly('x') })`), 'a .* c');
  });

  it('are read from any text without a failure', () => {
    const pieces = fc.constantFrom(
      "new Polly('x')",
      'it(',
      "describe('a', () => {",
      '`',
      '${',
      '}',
      ')',
      "'",
      '"',
      '/',
      '\\',
      'nockBack(',
      '.fixtures =',
      '\n',
      '+',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        for (const file of [FILE, 'a_test.go']) readTestFile(file, `Polly recorder.New ${parts.join('')}`);
      }),
    );
    assert.deepEqual(testsOf(`Polly ${'`${'.repeat(50_000)}`), []);
    assert.deepEqual(testsOf(`Polly ${'it('.repeat(20_000)}`), []);
  });
});

describe('the folder of a recording of Polly', () => {
  // As @pollyjs/core 6.0.6 names them.
  const names: Readonly<Record<string, string>> = {
    a: 'a_3826002220',
    'it works: "really"': 'it-works-really_80059733',
    'Ünï cödé': 'n-c-d_3153726894',
    '  spaces  ': 'spaces_2746909402',
    '--': '_550313231',
    [`${'x'.repeat(200)}`]: `${'x'.repeat(89)}_3018110693`,
    a_b: 'a_b_463759473',
    'suite/a': 'suite_2580943743/a_3826002220',
  };

  for (const [name, folder] of Object.entries(names))
    it(`is that of Polly for ${JSON.stringify(name.slice(0, 20))}`, () => {
      assert.equal(pollyRecordingPath(name), `${folder}/recording.har`);
    });
});
