import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, sendJson, serve } from '../../harness/support';

async function names(project: TestProject, ...args: string[]): Promise<string[]> {
  const { stdout } = await tapedeck(project, 'run', '--reporter', 'json', ...args);
  return JSON.parse(stdout).results.map(({ casePath }: { casePath: string }) => casePath);
}

describe('run finds cases', function () {
  this.timeout(30_000);

  const CASE = scripted('c', ['x']);

  it('in folders, sorted, by what they contain, and not in the folders of others', async () => {
    const files = {
      'b.toml': CASE,
      'a/z.toml': CASE,
      'a/A.TOML': CASE,
      'a/Cargo.toml': '[package]\nname = "crate"\n',
      'pyproject.toml': '[project]\nname = "py"\n',
      'tapedeck.toml': '[provider]\nkind = "practice"\n',
      'a/readme.md': CASE,
      'node_modules/x/n.toml': CASE,
      'a/.venv/n.toml': CASE,
      'dist/built.toml': CASE,
      '.tapedeck/takes/n.toml': CASE,
    };
    await inProject(files, async (project) => {
      assert.deepEqual(await names(project), ['a/A.TOML', 'a/z.toml', 'b.toml']);
      assert.deepEqual(await names(project, 'b.toml', 'a', 'b.toml', './b.toml'), ['b.toml', 'a/A.TOML', 'a/z.toml']);
      assert.deepEqual(await names(project, 'dist'), ['dist/built.toml'], 'what is named is looked into');
    });
  });

  it('behind symbolic links, once, and without going in circles', async function () {
    if (process.platform === 'win32') this.skip();
    await inProject({ 'a/c.toml': CASE }, async (project) => {
      await mkdir(project.path('linked'));
      await symlink(project.root, project.path('a/up'));
      await symlink(project.path('nowhere'), project.path('a/broken'));
      await symlink(project.path('a/c.toml'), project.path('linked/d.toml'));
      const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json');
      const found = JSON.parse(stdout).results.map(({ casePath }: { casePath: string }) => casePath);
      assert.deepEqual([code, found], [0, ['a/c.toml', 'linked/d.toml']]);
      assert.match(stderr, /a\/broken was skipped: there is no such file/);
    });
  });

  it('or says that there are none, and ends with 2', async () => {
    await inProject({ 'Cargo.toml': '[package]\nname = "crate"\n' }, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'run');
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^tapedeck: there are no cases in \.\n {2}A case is a \.toml file/);
    });
  });
});

describe('the project of a case', function () {
  this.timeout(30_000);

  const artifact = (name: string) => `.tapedeck/runs/${name}.artifact.json`;
  const run = (project: TestProject, cwd: string, path: string) => tapedeck({ root: project.path(cwd) }, 'run', path);

  it('is the nearest folder with tapedeck.toml, whatever the current one is', async () => {
    const files = { '.git/HEAD': '', 'in/tapedeck.toml': '', 'in/deep/c.toml': scripted('c', ['x']) };
    await inProject(files, async (project) => {
      await run(project, 'in/deep', 'c.toml');
      assert.ok(project.has(`in/${artifact('deep/c')}`));
    });
  });

  it('else the nearest with .git', async () => {
    await inProject({ '.git/HEAD': '', 'in/deep/c.toml': scripted('c', ['x']) }, async (project) => {
      await run(project, 'in', 'deep/c.toml');
      assert.ok(project.has(artifact('in/deep/c')));
    });
  });

  it('else the current folder for what is in it, and its own for others', async () => {
    await inProject({ 'in/deep/c.toml': scripted('c', ['x']), 'out/d.toml': scripted('d', ['x']) }, async (project) => {
      await run(project, 'in', 'deep/c.toml');
      assert.ok(project.has(`in/${artifact('deep/c')}`));
      await run(project, 'in', '../out/d.toml');
      assert.ok(project.has(`out/${artifact('d')}`));
    });
  });
});

describe('run --jobs', function () {
  this.timeout(30_000);

  /**
   * Runs four cases whose provider answers nobody before `jobs` of them have asked, and then the last one first, so that
   * an order of completion would show. Gives the most that asked at a time, and the outputs.
   */
  async function mostAtATime(jobs: string): Promise<{ most: number; order: string[] }> {
    const asking: (() => void)[] = [];
    let most = 0;
    const server = await serve((response, { body }) => {
      const prompt = String(JSON.parse(body).messages.at(-1).content);
      asking.push(() => sendJson(response, 200, completion(prompt)));
      most = Math.max(most, asking.length);
      if (asking.length === Number(jobs)) for (const answer of asking.splice(0).reverse()) answer();
    });
    const text = (index: number) =>
      `name = "c${index}"\nprompt = "${index}"\n[llm]\nrecord_tape = "${index}.json"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\n`;
    const files = Object.fromEntries([0, 1, 2, 3].map((index) => [`${index}.toml`, text(index)]));
    try {
      let order: string[] = [];
      await inProject(files, async (project) => {
        const { stdout } = await tapedeck(project, 'run', '--live', '--jobs', jobs, '--reporter', 'json');
        order = JSON.parse(stdout).results.map(({ outputText }: { outputText: string }) => outputText);
        const asText = await tapedeck(project, 'run', '--live', '--jobs', jobs);
        assert.deepEqual(asText.stdout.match(/(?<=✓ )c\d/g), ['c0', 'c1', 'c2', 'c3']);
      });
      return { most, order };
    } finally {
      await server.close();
    }
  }

  it('runs that many at a time, and tells the results in the order of the cases', async () => {
    assert.deepEqual(await mostAtATime('4'), { most: 4, order: ['0', '1', '2', '3'] });
    assert.deepEqual(await mostAtATime('1'), { most: 1, order: ['0', '1', '2', '3'] });
  });
});
