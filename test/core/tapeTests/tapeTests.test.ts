import assert from 'node:assert/strict';
import type { FormatId } from '../../../src/core/model/tape';
import { formatById } from '../../../src/core/tapes/registry';
import { isTestFile, readTestFile, testRun } from '../../../src/core/tapeTests/registry';
import { usesTape } from '../../../src/core/tapeTests/tapeTest';
import { TapeTests } from '../../../src/core/tapeTests/tapeTests';

const FILE = 'pkg/tests/unit/test_agent.py';
const usesOf = (source: string, file = FILE) =>
  readTestFile(file, source).tests.flatMap(({ uses }) => uses.map(({ recorder, paths }) => [recorder, ...paths]));

describe('the tapes of a test', () => {
  it('are, with CheckAgent, where its mark says, or named by the file and the test', () => {
    const folder = 'pkg/tests/unit/cassettes/test_agent';
    assert.deepEqual(usesOf('async def test_a(ca_cassette): pass'), [['checkagent', `${folder}/test_a.json`]]);
    assert.deepEqual(usesOf('@pytest.mark.cassette("cassettes/./my.json")\ndef test_a(ca_cassette): pass'), [
      ['checkagent', 'cassettes/my.json'],
    ]);
    assert.deepEqual(usesOf('@pytest.mark.cassette(path=HERE / "x.json")\ndef test_a(): pass'), [['checkagent']]);
    // Its default has no room for the class.
    assert.deepEqual(usesOf('class TestA:\n  def test_a(self, ca_cassette): pass'), [
      ['checkagent', `${folder}/test_a.json`],
    ]);
  });

  it('are, with Reyn, fixtures from the folder of the tests', () => {
    assert.deepEqual(usesOf('@pytest.mark.replay("fixtures/llm/a.jsonl")\ndef test_a(): pass'), [
      [
        'reyn',
        'pkg/tests/fixtures/llm/a.jsonl',
        'pkg/fixtures/llm/a.jsonl',
        'fixtures/llm/a.jsonl',
        'pkg/tests/unit/fixtures/llm/a.jsonl',
      ],
    ]);
  });

  it('are, with pytest-recording and pytest-vcr, in `cassettes`', () => {
    const folder = 'pkg/tests/unit/cassettes';
    assert.deepEqual(usesOf('@pytest.mark.vcr\ndef test_a(): pass'), [
      ['vcr', `${folder}/test_agent/test_a.yaml`, `${folder}/test_a.yaml`],
    ]);
    assert.deepEqual(
      usesOf('@pytest.mark.vcr()\nclass TestA:\n def test_a(self): pass')[0]?.[1],
      `${folder}/test_agent/TestA.test_a.yaml`,
    );
    assert.deepEqual(
      usesOf('@pytest.mark.default_cassette("d.yaml")\n@pytest.mark.vcr("m.yaml")\ndef test_a(): pass').map(
        ([, path]) => path,
      ),
      [`${folder}/test_agent/d.yaml`, `${folder}/test_agent/m.yaml`],
    );
  });

  it('are, with Tapedeck’s plugin, in `tapes`, or a cassette that is there', () => {
    const folder = 'pkg/tests/unit';
    const own = (name: string) => [
      'tapedeck',
      `${folder}/tapes/test_agent/${name}.tape.jsonl`,
      `${folder}/cassettes/test_agent/${name}.yaml`,
      `${folder}/cassettes/${name}.yaml`,
    ];
    assert.deepEqual(usesOf('@pytest.mark.tapedeck\ndef test_a(): pass'), [own('test_a')]);
    assert.deepEqual(usesOf('pytestmark = [pytest.mark.tapedeck(mask=["date"])]\nasync def test_a(): pass'), [
      own('test_a'),
    ]);
    assert.deepEqual(usesOf('@pytest.mark.tapedeck\nclass TestA:\n def test_b(self): pass'), [own('TestA.test_b')]);
    assert.deepEqual(usesOf('def test_a(tapedeck): pass'), [own('test_a')]);
    for (const mark of ['"refund.yaml"', 'tape="refund.yaml", match="subset"'])
      assert.deepEqual(usesOf(`@pytest.mark.tapedeck(${mark})\ndef test_a(): pass`), [
        ['tapedeck', `${folder}/tapes/refund.yaml`],
      ]);
    assert.deepEqual(usesOf('@pytest.mark.tapedeck(NAME)\ndef test_a(): pass'), [['tapedeck']]);
  });

  it('are, with Tapedeck’s plugin and parameters, all whose names begin with the test’s', () => {
    const text = '@pytest.mark.tapedeck\n@pytest.mark.parametrize("n", [1])\ndef test_a(n): pass';
    const tests = new TapeTests(new Map([['tests/test_x.py', readTestFile('tests/test_x.py', text)]]));
    const users = (tape: string) => tests.usersOf(`tests/tapes/test_x/${tape}.tape.jsonl`).length;
    assert.deepEqual(
      ['test_a', 'test_a[1]', 'test_a[Rome-Lazio]-0a1b2c3d', 'test_ab', 'test_b[1]'].map(users),
      [1, 1, 1, 0, 0],
    );
  });

  it('are, with vcrpy itself, where the call says', () => {
    assert.deepEqual(usesOf('@vcr.use_cassette("fix/a.yaml")\ndef test_a(): pass'), [
      ['use_cassette', 'fix/a.yaml', 'pkg/tests/unit/fix/a.yaml'],
    ]);
    assert.deepEqual(usesOf('@my_vcr.use_cassette()\ndef test_a(): pass'), [['use_cassette', 'pkg/tests/unit/test_a']]);
    assert.deepEqual(usesOf('def test_a():\n  with vcr.use_cassette(name): pass'), [['use_cassette']]);
  });

  it('are many where the test has parameters', () => {
    const source =
      '@pytest.mark.vcr\n@pytest.mark.parametrize("n", [1])\ndef test_a(n): pass\n@pytest.mark.vcr\ndef test_a_b(): pass';
    const [one, other] = readTestFile('test_x.py', source).tests;
    const uses = (tape: string) => [one, other].map((test) => test?.uses.some((use) => usesTape(use, tape)));
    assert.deepEqual(uses('cassettes/test_x/test_a[1].yaml'), [true, false]);
    assert.deepEqual(uses('cassettes/test_x/test_b.yaml'), [false, false]);
  });

  it('are none in files that do not mention any', () => {
    assert.deepEqual(readTestFile(FILE, 'def test_a(): pass').tests, []);
    assert.deepEqual(['test_a.py', 'a/b_test.py', 'a/test.py', 'tests/a.py'].map(isTestFile), [
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a tape that no test uses', () => {
  const files = new Map(
    Object.entries({
      'tests/test_a.py': 'def test_one(ca_cassette): pass',
      'tests/test_dynamic.py': '@pytest.mark.vcr(PATH)\ndef test_one(): pass',
      'tests/test_reyn.py': '@pytest.mark.replay("fixtures/a.jsonl")\ndef test_one(): pass',
      'tests/test_none.py': 'x = 1',
    }).map(([file, text]) => [file, readTestFile(file, text)]),
  );
  const tests = new TapeTests(files);
  const reason = (tape: string, format: FormatId) => tests.orphanReason(tape, formatById(format).tested);

  it('is told by the folder that recorders give to a test file', () => {
    assert.equal(reason('tests/cassettes/test_a/test_one.json', 'checkagent'), undefined);
    assert.match(
      reason('tests/cassettes/test_a/test_two.json', 'checkagent') ?? '',
      /no test in tests\/test_a\.py uses it/,
    );
    assert.match(reason('tests/cassettes/test_none/test_two.yaml', 'vcrpy') ?? '', /no test in/);
    assert.match(reason('tests/cassettes/test_gone/test_one.yaml', 'vcrpy') ?? '', /test_gone\.py no longer exists/);
  });

  it('is not told where only the running test knows, or where other programs record', () => {
    assert.equal(reason('tests/cassettes/test_dynamic/test_two.yaml', 'vcrpy'), undefined);
    assert.equal(reason('tests/cassettes/openai/chat.yaml', 'vcrpy'), undefined);
    assert.equal(reason('tests/cassettes/test_a/test_two.json', 'mofa'), undefined);
  });

  it('is told of Reyn where there are marks', () => {
    assert.equal(reason('tests/fixtures/a.jsonl', 'reyn'), undefined);
    assert.match(reason('tests/fixtures/b.jsonl', 'reyn') ?? '', /no test has a `replay` marker/);
    assert.equal(new TapeTests(new Map()).orphanReason('tests/fixtures/b.jsonl', formatById('reyn').tested), undefined);
    assert.deepEqual(
      tests.usersOf('tests/fixtures/a.jsonl').map(({ file }) => file),
      ['tests/test_reyn.py'],
    );
  });
});

describe('running a test with pytest', () => {
  const runOf = (source: string, mode: 'replay' | 'record', requirements = '') => {
    const [test] = readTestFile('tests/test_a.py', source).tests;
    assert.ok(test);
    return testRun(test, mode, { folder: '', requirements });
  };

  it('uses the switch of its recorder', () => {
    const id = 'tests/test_a.py::TestA::test_b';
    const vcr = 'class TestA:\n  @pytest.mark.vcr\n  def test_b(self): pass';
    assert.deepEqual(runOf(vcr, 'replay').args, [id, '--record-mode=none']);
    assert.deepEqual(runOf(vcr, 'record').args, [id, '--record-mode=rewrite']);
    assert.deepEqual(runOf(vcr, 'record', 'pytest\npytest-vcr==1.0\n').args, [id, '--vcr-record=all']);
    assert.deepEqual(runOf(vcr, 'record', 'pytest-recording').args, [id, '--record-mode=rewrite']);
    const own = 'class TestA:\n  @pytest.mark.tapedeck\n  def test_b(self): pass';
    assert.deepEqual(runOf(own, 'replay').args, [id, '--tapedeck=none']);
    assert.deepEqual(runOf(own, 'record').args, [id, '--tapedeck=rewrite']);
    assert.equal(runOf(own, 'record').needsTapeAside, false, 'a test that fails keeps it');
    assert.deepEqual(runOf('@pytest.mark.replay("a.jsonl")\ndef test_b(): pass', 'record').env, {
      REYN_LLM_RECORD: '1',
    });
    const checkagent = 'def test_b(ca_cassette): pass';
    assert.deepEqual(
      [runOf(checkagent, 'record').needsTapeAside, runOf(checkagent, 'replay').needsTapeAside],
      [true, false],
    );
  });
});
