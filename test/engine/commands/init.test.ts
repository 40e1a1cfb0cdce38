import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { version } from '../../../src/engine/version';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { inRepository, NEW, OLD } from '../../harness/repository';

/** What git prints for somebody who has `tapedeck` on the PATH, or not. */
async function gitWith(project: TestProject, isInstalled: boolean, ...args: string[]): Promise<string> {
  const engine = resolve(__dirname, '../../../dist/engine.js');
  await project.write('.git/bin/tapedeck', `#!/bin/sh\nexec "${process.execPath}" "${engine}" "$@"\n`);
  chmodSync(project.path('.git/bin/tapedeck'), 0o755);
  const { PATH = '' } = process.env;
  const env = { ...process.env, PATH: isInstalled ? `${project.path('.git/bin')}:${PATH}` : PATH };
  return execFileSync('git', args, { cwd: project.root, encoding: 'utf8', env });
}

describe('init', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('has git diff show the conversation, and what is no tape as it is', () =>
    inRepository(
      { 'a.tape.json': OLD, 'broken.tape.json': '{"a":\n', '.gitattributes': '*.png binary' },
      async (project) => {
        for (const _ of ['first', 'again']) assert.equal((await tapedeck(project, 'init')).code, 0);
        assert.equal(
          await project.read('.gitattributes'),
          '*.png binary\n*.tape.json diff=tapedeck linguist-generated\n*.tape.jsonl diff=tapedeck linguist-generated\n',
        );
        await project.write('a.tape.json', NEW);
        await project.write('broken.tape.json', '{"b":\n');
        const shown = await gitWith(project, true, 'diff', '--', 'a.tape.json');
        assert.match(shown, /^-\s*It rains in Paris today$/m);
        assert.match(shown, /^\+\s*It snows in Paris today$/m);
        assert.doesNotMatch(shown, /"interactions"/);
        assert.match(await gitWith(project, true, 'diff', '--', 'broken.tape.json'), /^-\{"a":\n\+\{"b":$/m);
        assert.match(await gitWith(project, false, 'diff', '--', 'a.tape.json'), /"response": .*It snows/);
        assert.match((await tapedeck(project, 'check')).stdout, /a\.tape\.json \(tape\): 2 pending changes/);
      },
    ));

  it('writes for GitHub what a change of it keeps', () =>
    inRepository({ 'tapedeck.toml': '' }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'init', '--ci', 'github');
      assert.equal(code, 0, stdout);
      const path = '.github/actions/tapedeck/action.yml';
      const action = parse(await project.read(path)) as {
        readonly inputs: { readonly package: { readonly default: string } };
      };
      assert.equal(action.inputs.package.default, `@tapedeck/cli@${version}`);
      assert.match(await project.read('.github/workflows/tapedeck.yml'), /uses: \.\/\.github\/actions\/tapedeck/);
      assert.match((await tapedeck(project, 'init', '--ci', 'github')).stdout, /action\.yml: there/);
      await project.write(path, 'name: mine\n');
      const refused = await tapedeck(project, 'init', '--ci', 'github');
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /action\.yml is there already, and differs/);
      assert.equal(await project.read(path), 'name: mine\n');
      assert.equal((await tapedeck(project, 'init', '--ci', 'github', '--force')).code, 0);
      assert.match(await project.read(path), /Review recordings/);
    }));

  it('names the folder of a project that is not the top', () =>
    inRepository({ 'my agent/tapedeck.toml': '' }, async (project) => {
      const agent = { root: project.path('my agent') };
      for (const system of ['github', 'gitlab', 'pre-commit'])
        assert.equal((await tapedeck(agent, 'init', '--ci', system)).code, 0, system);
      const read = async (path: string): Promise<string> => JSON.stringify(parse(await project.read(path)));
      assert.match(await read('.github/workflows/tapedeck.yml'), /"working-directory":"my agent"/);
      assert.match(await read('.gitlab-ci.yml'), /"folder":"my agent"/);
      assert.match(
        await read('.pre-commit-config.yaml'),
        /"sh -c 'cd \\"\$0\\" && tapedeck check --staged' \\"my agent\\""/,
      );
      assert.ok(project.has('my agent/.gitattributes'));
    }));

  it('prints what to add to files that are the user’s as well', () =>
    inRepository(
      { '.gitlab-ci.yml': 'test:\n  script: [make]\n', '.pre-commit-config.yaml': 'repos: []\n' },
      async (project) => {
        for (const [system, path, printed] of [
          ['gitlab', '.gitlab-ci.yml', /Add to it:\n\ninclude:\n {2}- local: \/\.gitlab\/tapedeck\/review\.yml/],
          ['pre-commit', '.pre-commit-config.yaml', /Add to it:\n\nrepos:\n {2}- repo: local/],
        ] as const) {
          const before = await project.read(path);
          const { code, stdout } = await tapedeck(project, 'init', '--ci', system, '--force');
          assert.equal(code, 0);
          assert.match(stdout, printed);
          assert.equal(await project.read(path), before);
        }
      },
    ));

  it('writes through no link that leads out of the repository', () =>
    inProject({ file: '' }, (outside) =>
      inRepository({}, async (project) => {
        symlinkSync(outside.root, project.path('.github'));
        const { code, stderr } = await tapedeck(project, 'init', '--ci', 'github');
        assert.equal(code, 2);
        assert.match(stderr, /outside the project/);
        assert.ok(!outside.has('workflows'));
      }),
    ));

  it('says where there is no repository', () =>
    inRepository({}, async (project) => {
      await project.write('none/x', '');
      execFileSync('rm', ['-rf', project.path('.git')]);
      const { code, stderr } = await tapedeck(project, 'init');
      assert.equal(code, 2);
      assert.match(stderr, /is not in a git repository/);
    }));
});
