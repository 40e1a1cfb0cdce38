import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../corpus';
import { buildEngine, type Ended, startEngine, TestProject } from '../harness/builtEngine';
import { completion, sendJson, serve } from '../harness/support';

/**
 * What a user does in a project, by the built command line, on the system that runs this: `underWine.test.ts` runs it on
 * Windows. It needs neither git nor a shell.
 */

const CASE = (prompt: string): string =>
  `name = "mine"\nprompt = "${prompt}"\n[llm]\ntape = "../tapes/mine.tape.json"\n[llm.provider]\nkind = "practice"\n`;

const AGENT = `
fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: process.argv[2] ?? 'hi' }] }),
})
  .then((response) => response.json())
  .then(({ choices }) => console.log(choices[0].message.content));
`;

/** Folders of a project, as they are found on this system. */
function places(): Readonly<Record<string, string>> {
  const own = tmpdir();
  const linux = 'Z:\\tmp';
  const names = Array.from({ length: 6 }, () => 'd'.repeat(40));
  // No program starts in a folder beyond the 260 characters of older programs, but files may be: Wine does not find their real path.
  const deep = join(own, 'My Documents ä日本', ...names).slice(0, process.env.WINEPREFIX ? 170 : 218);
  return {
    'a deep folder with spaces and letters beyond ASCII': deep,
    ...(process.platform === 'win32' && existsSync(linux) && { 'another drive': linux }),
  };
}

async function inPlace(place: string, test: (project: TestProject) => Promise<void>): Promise<void> {
  mkdirSync(place, { recursive: true });
  const root = mkdtempSync(join(place, 'tapedeck-story-'));
  try {
    cpSync(join(projectFolder, 'media/sample'), root, { recursive: true });
    await test(new TestProject(root));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The JSON that a command prints, which names files with `/` on every system. */
function json({ stdout, stderr }: Ended): Readonly<Record<string, unknown>> {
  assert.ok(stdout !== '', stderr);
  assert.ok(!/\\\\(?!["\\nrtu])/.test(stdout), `a path with backslashes in ${stdout}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function assertCode({ code, stdout, stderr }: Ended, expected: number): void {
  assert.equal(code, expected, `${stdout}\n${stderr}`);
}

describe('the command line', () => {
  before(buildEngine);

  for (const [name, place] of Object.entries(places())) {
    it(`replays, records, and reviews in ${name}`, () =>
      inPlace(place, async (project) => {
        assertCode(
          await project.engine(['run', '--replay', 'cases/order_status.toml', 'cases/refund_question.toml']),
          0,
        );

        await project.write('mine/a.toml', CASE('hi'));
        assertCode(await project.engine(['run', 'mine/a.toml', '--record']), 0);
        const [result] = json(await project.engine(['run', 'mine/a.toml', '--update-baselines', '--json']))
          .results as readonly Record<string, unknown>[];
        assert.equal(result?.name, 'mine');
        assert.equal(result?.casePath, 'mine/a.toml');
        assert.equal(result?.baselinePath, 'mine/a.baseline.json');

        await project.write('mine/a.toml', CASE('hello there'));
        const drifted = await project.engine(['run', 'mine/a.toml']);
        assertCode(drifted, 4);
        assert.match(drifted.stdout, /tapedeck run mine\/a\.toml --record --from 1/);

        const recorded = await project.engine(['run', 'mine/a.toml', '--record']);
        assertCode(recorded, 1);
        assert.match(recorded.stdout, /tapedeck accept mine\/a\.toml/);
        const takes = json(await project.engine(['takes', 'tapes/mine.tape.json', '--json']));
        assert.equal((takes.takes as readonly unknown[]).length, 1);
        assertCode(await project.engine(['check']), 1);
        assertCode(await project.engine(['accept', 'mine/a.toml']), 0);
        assertCode(await project.engine(['run', 'mine/a.toml', '--fail-on-diff']), 0);
      }));
  }

  it('rejects, searches, verifies, and inspects', () =>
    inPlace(join(tmpdir(), 'My Documents'), async (project) => {
      await project.write('mine/a.toml', CASE('hi'));
      assertCode(await project.engine(['run', 'mine/a.toml', '--record', '--update-baselines']), 0);
      await project.write('mine/a.toml', CASE('hello'));
      assertCode(await project.engine(['run', 'mine/a.toml', '--record']), 1);
      assertCode(await project.engine(['reject', 'mine/a.toml']), 0);
      // The tape is as it was before, as well.
      const found = await project.engine(['search', 'hi']);
      assertCode(found, 0);
      assert.match(found.stdout, /^tapes\/mine\.tape\.json$/m);
      assertCode(await project.engine(['verify', '.']), 0);
      assert.equal(json(await project.engine(['inspect', 'tapes/mine.tape.json', '--json'])).format, 'mofa');
    }));

  it('takes the same files with CRLF, as git for Windows checks them out', () =>
    inPlace(tmpdir(), async (project) => {
      const texts = [
        'cases/order_status.toml',
        'cases/order_status.baseline.json',
        'tapes/order_status.tape.json',
        'tapedeck.toml',
      ];
      for (const path of texts) await project.write(path, (await project.read(path)).replace(/\r?\n/g, '\r\n'));
      const replayed = await project.engine(['run', 'cases/order_status.toml', '--fail-on-diff']);
      assertCode(replayed, 0);
      assert.match(replayed.stdout, /Matches baseline/);
      assertCode(await project.engine(['verify', 'tapes/order_status.tape.json']), 0);
    }));

  it('records and replays an agent of Node, found on the PATH, and serves its tape', async () => {
    const upstream = await serve((response) => sendJson(response, 200, completion('from the server')));
    try {
      await inPlace(join(tmpdir(), 'My Documents'), async (project) => {
        await project.write('my agents/agent.cjs', AGENT);
        const exec = (...args: string[]) => project.engine(['exec', '--tape', 'tapes/agent.tape.jsonl', ...args]);
        const agent = ['--', 'node', 'my agents/agent.cjs'];
        const recorded = await exec('--record', '--upstream', `openai=${upstream.baseUrl}`, ...agent);
        assertCode(recorded, 0);
        assert.match(recorded.stdout, /from the server/);
        const replayed = await exec('--replay', ...agent);
        assertCode(replayed, 0);
        assert.match(replayed.stdout, /from the server/);
        assertCode(await exec('--replay', ...agent, 'something else'), 4);
        assert.equal(upstream.requests.length, 1);
        await served(project);
      });
    } finally {
      await upstream.close();
    }
  });

  if (process.platform === 'win32') {
    it('starts a batch file, and gives it its arguments as they are', () =>
      inPlace(join(tmpdir(), 'My Documents'), async (project) => {
        await project.write('show.cjs', 'console.log(JSON.stringify(process.argv.slice(2)))');
        await project.write('show.cmd', `@"${process.execPath}" "%~dp0show.cjs" %*\r\n`);
        const args = ['plain', 'a b', 'a&echo no', 'a"&echo no', '^', '日本', 'a\\', '(x)|y>z'];
        const shown = await project.engine([
          'exec',
          '--allow-none',
          '--tape',
          'tapes/none.jsonl',
          '--auto',
          '--',
          './show',
          ...args,
        ]);
        assert.equal(shown.stdout.trim().split('\n').at(-1), JSON.stringify(args), shown.stderr);
      }));

    it('knows a file by the name that its folder has, with whatever capital letters it is named', () =>
      inPlace(tmpdir(), async (project) => {
        await project.write('mine/a.toml', CASE('hi'));
        assertCode(await project.engine(['run', 'MINE/A.TOML', '--record']), 0);
        const [result] = json(await project.engine(['run', 'Mine\\A.toml', '--update-baselines', '--json']))
          .results as readonly Record<string, unknown>[];
        assert.deepEqual([result?.casePath, result?.baselinePath], ['mine/a.toml', 'mine/a.baseline.json']);

        await project.write('mine/a.toml', CASE('hello').replace('../tapes/mine', '../Tapes/Mine'));
        assertCode(await project.engine(['run', join(project.root.toUpperCase(), 'mine/a.toml'), '--record']), 1);
        assert.ok(readdirSync(join(project.root, 'tapes')).includes('mine.tape.json'));
        const takes = json(await project.engine(['takes', 'TAPES/mine.tape.JSON', '--json']));
        assert.equal((takes.takes as readonly unknown[]).length, 1);
        assert.match((await project.engine(['check'])).stdout, /^tapes\/mine\.tape\.json .*mine\/a\.toml/m);
        assertCode(await project.engine(['accept', 'mine/A.toml']), 0);
        assertCode(await project.engine(['run', 'mine/a.toml', '--fail-on-diff']), 0);
      }));

    it('writes no name that Windows has for a device, or that hides what is written', () =>
      inPlace(tmpdir(), async (project) => {
        for (const name of ['NUL.tape.json', 'a:b.tape.json', 'tapes./x.tape.json', 'aux/x.tape.json']) {
          await project.write(
            'mine/a.toml',
            CASE('hi').replace('mine.tape.json', name).replace('../tapes/tapes.', '../tapes.'),
          );
          const refused = await project.engine(['run', 'mine/a.toml', '--record']);
          assert.notEqual(refused.code, 0, name);
          assert.match(`${refused.stdout}${refused.stderr}`, /is no name of a file/, name);
        }
      }));
  }
});

/** Asks for what is on the tape of a server, and ends it. */
async function served(project: TestProject): Promise<void> {
  const child = startEngine(['serve', '--replay', '--tape', 'tapes/agent.tape.jsonl', '--json'], { cwd: project.root });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { OPENAI_BASE_URL: base } = JSON.parse(String(line)) as { readonly OPENAI_BASE_URL: string };
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
    assert.match(await answer.text(), /from the server/);
  } finally {
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }
}
