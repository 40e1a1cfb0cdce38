import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildEngine, type Ended, ended, inProject, type TestProject } from '../harness/builtEngine';
import { completion, sendJson, serve, type TestServer } from '../harness/support';

const PROJECT = join(__dirname, '../..');

const SUITE = `package shop

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"shop/tapedeck"
)

func word() string { if w := os.Getenv("WORD"); w != "" { return w }; return "France" }

func ask(t *testing.T, client *http.Client, url, question string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"model": "m", "messages": []any{map[string]string{"role": "user", "content": question}}})
	response, err := client.Post(url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil { t.Fatal(err) }
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return string(text)
}

func TestPlain(t *testing.T) {
	if got := ask(t, http.DefaultClient, tapedeck.URL(t, "openai"), "plain"); !strings.Contains(got, "answer to plain") { t.Error(got) }
}

func TestTransport(t *testing.T) {
	client := &http.Client{Transport: tapedeck.Transport(t)}
	if got := ask(t, client, os.Getenv("UPSTREAM"), "transport"); !strings.Contains(got, "answer to transport") { t.Error(got) }
}

func TestCities(t *testing.T) {
	t.Parallel()
	for _, city := range []string{"Paris", "Rome", "São Paulo", "../up"} {
		t.Run(city, func(t *testing.T) {
			t.Parallel()
			for _, part := range []string{"a", "b"} {
				if got := ask(t, http.DefaultClient, tapedeck.URL(t, "openai"), city+" "+part); !strings.Contains(got, "answer to "+city+" "+part) { t.Error(got) }
			}
		})
	}
}

func TestWord(t *testing.T) { t.Parallel(); ask(t, http.DefaultClient, tapedeck.URL(t, "openai"), "The capital of "+word()) }

func TestFails(t *testing.T) {
	ask(t, http.DefaultClient, tapedeck.URL(t, "openai"), "fails "+word())
	if os.Getenv("FAILS") != "" { t.Error("no") }
}

func TestSkips(t *testing.T) {
	ask(t, http.DefaultClient, tapedeck.URL(t, "openai"), "skips")
	t.Skip("later")
}

func TestAsksNothing(t *testing.T) {}
`;
const TAPES = 8;

describe('go test with Tapedeck', () => {
  before(function () {
    buildEngine.call(this);
    if (spawnSync('go', ['version']).status !== 0) throw new Error('NOT TESTED: there is no Go on the PATH');
  });

  const inSuite = async (
    test: (project: TestProject, upstream: TestServer, env: Record<string, string>) => Promise<void>,
  ): Promise<void> => {
    const upstream = await serve((response, { body }) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
      sendJson(response, 200, completion(`answer to ${messages.at(-1)?.content}`));
    });
    try {
      await inProject(
        { 'tapedeck.toml': '', 'go.mod': 'module shop\n\ngo 1.22\n', 'shop_test.go': SUITE },
        async (project) => {
          cpSync(join(PROJECT, 'src/runners/go/tapedeck.go'), project.path('tapedeck/tapedeck.go'));
          await test(project, upstream, { OPENAI_BASE_URL: upstream.baseUrl, UPSTREAM: upstream.baseUrl });
        },
      );
    } finally {
      await upstream.close();
    }
  };
  const goTest = (
    project: TestProject,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Ended> => {
    const { PATH = '', HOME = '' } = process.env;
    const engine = {
      TAPEDECK_ENGINE: `${process.execPath} ${join(PROJECT, 'dist/engine.js')}`,
      OPENAI_API_KEY: 'sk-of-the-user-1234567890',
    };
    const own = { cwd: project.root, env: { PATH, HOME, ...engine, ...env }, stdio: 'pipe' as const };
    return ended(spawn('go', ['test', '-count=1', '-v', '.', ...args], own));
  };
  const tapes = (project: TestProject): readonly string[] =>
    project.has('testdata/tapes')
      ? readdirSync(project.path('testdata/tapes'), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
      : [];
  const gone = (env: Readonly<Record<string, string>>) => ({
    ...env,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    CI: '1',
  });

  it('records each test once, and replays it to that test alone, in parallel', () =>
    inSuite(async (project, upstream, env) => {
      const recorded = await goTest(project, [], env);
      assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
      assert.equal(tapes(project).length, TAPES, tapes(project).join());
      const paris = await project.read('testdata/tapes/TestCities/Paris.tape.jsonl');
      assert.match(paris, /"test":"[a-z_]+_test.go::TestCities\/Paris"[\s\S]*Paris a[\s\S]*Paris b/);
      assert.doesNotMatch(paris, /Rome|sk-of-the-user/);
      assert.ok(!tapes(project).some((name) => name.includes('TestSkips')), 'it did not pass');
      const asked = upstream.requests.length;
      const replayed = await goTest(project, ['-parallel=8', '-skip', 'TestSkips'], gone(env));
      assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
      assert.equal(upstream.requests.length, asked);
    }));

  it('fails just the tests whose words changed, whatever they make of it, and the command it names records them', () =>
    inSuite(async (project, _, env) => {
      await goTest(project, [], env);
      const before = await project.read('testdata/tapes/TestPlain.tape.jsonl');
      const { code, stdout } = await goTest(project, ['-skip', 'TestSkips'], { ...gone(env), WORD: 'Italy' });
      assert.equal(code, 1);
      assert.deepEqual(stdout.match(/^--- FAIL: \w+/gm)?.sort(), ['--- FAIL: TestFails', '--- FAIL: TestWord']);
      assert.match(
        stdout,
        /Tapedeck: the request is not on testdata\/tapes\/TestWord\.tape\.jsonl\n[\s\S]*\[-France-\]\{\+Italy\+\}/,
      );
      const [, pattern = ''] = /Record it again: go test -run '(\^TestWord\$)' \. -tapedeck=rewrite/.exec(stdout) ?? [];
      const again = await goTest(project, ['-run', pattern, '-tapedeck=rewrite'], { ...env, CI: '1', WORD: 'Italy' });
      assert.equal(again.code, 0, again.stdout);
      assert.match(await project.read('testdata/tapes/TestWord.tape.jsonl'), /Italy/);
      assert.equal(await project.read('testdata/tapes/TestPlain.tape.jsonl'), before);
    }));

  it('keeps the old tape of a test that is rewritten and fails; without a recording, CI fails', () =>
    inSuite(async (project, upstream, env) => {
      const first = await goTest(project, [], gone(env));
      assert.equal(first.code, 1);
      assert.match(first.stdout, /Tapedeck: No recording yet/);
      assert.equal(upstream.requests.length, 0);
      await goTest(project, [], env);
      const before = await project.read('testdata/tapes/TestFails.tape.jsonl');
      const failed = await goTest(project, ['-tapedeck=rewrite'], { ...env, FAILS: '1', WORD: 'Italy' });
      assert.equal(failed.code, 1);
      assert.equal(await project.read('testdata/tapes/TestFails.tape.jsonl'), before);
      assert.match(await project.read('testdata/tapes/TestWord.tape.jsonl'), /Italy/);
      assert.match((await project.engine(['recover'])).stdout, /TestFails\.tape\.jsonl/);
    }));

  it('skips where there is no engine, but in CI fails', () =>
    inSuite(async (project, _, env) => {
      const none = { ...env, TAPEDECK_ENGINE: 'no-such-program-of-tapedeck' };
      const here = await goTest(project, ['-run', 'TestPlain'], none);
      assert.equal(here.code, 0);
      assert.match(here.stdout, /npm install --global @tapedeck\/cli[\s\S]*SKIP: TestPlain/);
      assert.equal((await goTest(project, ['-run', 'TestPlain'], { ...none, CI: 'true' })).code, 1);
    }));
});
