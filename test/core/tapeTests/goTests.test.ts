import assert from 'node:assert/strict';
import { readTestFile, testRun } from '../../../src/core/tapeTests/registry';
import { TapeTests } from '../../../src/core/tapeTests/tapeTests';

const FILE = 'internal/llm/chat_test.go';
const testsOf = (body: string) => readTestFile(FILE, `package llm\n\n${body}`).tests;
const pathsOf = (body: string) => testsOf(body).map(({ name, uses }) => [name, ...uses.flatMap(({ paths }) => paths)]);

describe('tests of Go', () => {
  it('use the cassette that go-vcr is opened with, of each of its versions', () => {
    const source = `
// func TestCommented(t *testing.T) { recorder.New("x") }
func TestTwo(t *testing.T) { r, err := recorder.NewAsMode("fixtures/two", recorder.ModeReplaying, nil) }
func TestThree(t *testing.T) {
	r, err := recorder.NewWithOptions(&recorder.Options{
		CassetteName: "fixtures/three",
		Mode: recorder.ModeRecordOnce,
	})
}
func TestFour(t *testing.T) {
	r, err := recorder.New(filepath.Join("testdata", strings.ReplaceAll(t.Name(), "/", "_")), recorder.WithMode(m))
}
func TestRaw(t *testing.T) { recorder.New(\`testdata/raw\`) }
func TestSum(t *testing.T) { recorder.New("testdata/" + t.Name()) }
func TestFormat(t *testing.T) { recorder.New(fmt.Sprintf("testdata/%s", t.Name())) }
func TestComputed(t *testing.T) { recorder.New(name) }
func TestCharm(t *testing.T) { r := vcr.NewRecorder(t) }
func Testify(t *testing.T) { recorder.New("x") }
func helper() { s := "func TestNot(t *testing.T) { recorder.New(1) }" }`;
    assert.deepEqual(pathsOf(source), [
      ['TestTwo', 'internal/llm/fixtures/two.yaml'],
      ['TestThree', 'internal/llm/fixtures/three.yaml'],
      ['TestFour', 'internal/llm/testdata/TestFour.yaml'],
      ['TestRaw', 'internal/llm/testdata/raw.yaml'],
      ['TestSum', 'internal/llm/testdata/TestSum.yaml'],
      ['TestFormat', 'internal/llm/testdata/TestFormat.yaml'],
      ['TestComputed'],
      ['TestCharm', 'internal/llm/testdata/TestCharm.yaml'],
    ]);
  });

  it('use the trace of httprr, and subtests have their own', () => {
    const source = `
func TestChat(t *testing.T) {
	rr := httprr.OpenForTest(t, http.DefaultTransport)
	t.Run("with tools", func(t *testing.T) { rr := httprr.OpenForTest(t, nil) })
	t.Run(tt.name, func(t *testing.T) {})
}
func TestOpen(t *testing.T) { rr, err := httprr.Open("testdata/open.httprr", http.DefaultTransport) }`;
    assert.deepEqual(pathsOf(source), [
      ['TestChat', 'internal/llm/testdata/TestChat.httprr', 'internal/llm/testdata/TestChat.httprr.gz'],
      ['TestOpen', 'internal/llm/testdata/open.httprr', 'internal/llm/testdata/open.httprr.gz'],
      [
        'TestChat/with_tools',
        'internal/llm/testdata/TestChat-with_tools.httprr',
        'internal/llm/testdata/TestChat-with_tools.httprr.gz',
      ],
    ]);
  });

  it('run alone in the folder of their package', () => {
    const [chat, sub] = testsOf(
      'func TestChat(t *testing.T) { httprr.Open("testdata/c.httprr", nil)\n t.Run("a.b", func(t *testing.T) { recorder.New("x") }) }',
    );
    assert.ok(chat && sub);
    const project = { folder: '', requirements: '' };
    assert.deepEqual(testRun(chat, 'replay', project), {
      program: 'go',
      args: ['test', '.', '-count=1', '-run', '^TestChat$'],
      env: {},
      folder: 'internal/llm',
      needsTapeAside: false,
    });
    assert.deepEqual(testRun(chat, 'record', project).args.at(-1), '-httprecord=c\\.httprr$');
    assert.deepEqual(testRun(sub, 'record', project).args, ['test', '.', '-count=1', '-run', '^TestChat$/^a\\.b$']);
  });

  it('use the tape that Tapedeck names after them, and run by its flag', () => {
    const source = `
func TestPlain(t *testing.T) { c := openai.NewClient(option.WithBaseURL(tapedeck.URL(t, "openai"))) }
func TestTransport(t *testing.T) {
	t.Run("of a client", func(t *testing.T) { c := http.Client{Transport: tapedeck.Transport(t)} })
	t.Run("../up", func(t *testing.T) { tapedeck.URL(t, "openai") })
}
func TestOther(t *testing.T) { tapedeck.Other(t) }`;
    assert.deepEqual(pathsOf(source), [
      ['TestPlain', 'internal/llm/testdata/tapes/TestPlain.tape.jsonl'],
      ['TestTransport/of_a_client', 'internal/llm/testdata/tapes/TestTransport/of_a_client.tape.jsonl'],
      ['TestTransport/../up'],
    ]);
    const [plain] = testsOf(source);
    assert.ok(plain);
    const project = { folder: '', requirements: '' };
    const args = ['test', '.', '-count=1', '-run', '^TestPlain$'];
    assert.deepEqual(testRun(plain, 'replay', project).args, [...args, '-tapedeck=none']);
    assert.deepEqual(testRun(plain, 'record', project).args, [...args, '-tapedeck=rewrite']);
    assert.equal(testRun(plain, 'record', project).needsTapeAside, false);
  });

  it('leave a tape that none of them names, where all that they name is known', () => {
    const reason = (texts: Readonly<Record<string, string>>, tape: string) =>
      new TapeTests(
        new Map(Object.entries(texts).map(([file, text]) => [file, readTestFile(file, text)])),
      ).orphanReason(tape, { recorder: 'go-vcr', orphans: 'by-name' });
    const known = { 'pkg/a_test.go': 'func TestA(t *testing.T) { recorder.New("testdata/a") }', 'pkg/b_test.go': 'x' };
    assert.equal(reason(known, 'pkg/testdata/a.yaml'), undefined);
    assert.equal(reason(known, 'pkg/testdata/b.yaml'), 'no test in pkg names it');
    assert.equal(reason(known, 'other/testdata/b.yaml'), undefined);
    const unclear = [
      { 'pkg/b_test.go': 'func TestB(t *testing.T) { newRecorder(t, "b") }' },
      { 'pkg/b_test.go': 'func TestB(t *testing.T) { recorder.New(name) }' },
      { 'pkg/b_test.go': 'func open(name string) { recorder.New(name) }' },
    ];
    for (const more of unclear) assert.equal(reason({ ...known, ...more }, 'pkg/testdata/b.yaml'), undefined);
  });
});
