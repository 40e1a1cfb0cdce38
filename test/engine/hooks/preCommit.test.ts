import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { HookState } from '../../../src/contracts/engine/hooks';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { inWindow, type Window } from '../../harness/engineWindow';

const TAPE = `{"tapedeck":"tape","version":1,"name":"agent"}
{"request":1,"method":"POST","url":"https://api.openai.com/v1/chat/completions","json":{"model":"m","messages":[{"role":"user","content":"hi"}]}}
{"response":1,"status":200,"headers":[["content-type","application/json"]],"json":{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}}
`;

class Gated {
  constructor(
    readonly project: TestProject,
    private readonly peer: Window['peer'],
    private readonly env: Readonly<Record<string, string>>,
    private readonly folder = '',
  ) {}

  get root(): string {
    return this.project.path(this.folder);
  }

  state(): Promise<HookState> {
    return this.peer.call('hook', { root: this.root });
  }

  change(change: 'install' | 'remove'): Promise<HookState> {
    return this.peer.call('changeHook', { root: this.root, change });
  }

  git(...args: readonly string[]) {
    return this.run('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args]);
  }

  shell(line: string) {
    return this.run('sh', ['-c', line]);
  }

  private run(program: string, args: readonly string[]) {
    const { PATH = '', HOME = '' } = process.env;
    const options = { cwd: this.project.root, encoding: 'utf8', env: { PATH, HOME, ...this.env } } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    return { status, output: `${stdout}${stderr}` };
  }

  /** Commits a tape that nobody has accepted. */
  async commitTape() {
    await this.project.write(`${this.folder && `${this.folder}/`}tapes/agent.tape.jsonl`, TAPE);
    this.git('add', '-A');
    return this.git('commit', '-qm', 'A tape');
  }
}

function gated(
  files: Readonly<Record<string, string>>,
  test: (gated: Gated) => Promise<void>,
  folder?: string,
): Promise<void> {
  return inProject({ 'readme.txt': 'A project.', ...files }, async (project) => {
    const env = { XDG_STATE_HOME: project.path('.git/state-of-the-user') };
    spawnSync('git', ['init', '-q'], { cwd: project.root });
    await inWindow(env, ({ peer }) => test(new Gated(project, peer, env, folder)));
  });
}

describe('the pre-commit hook', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('stops a commit with a pending change where no PATH has tapedeck, and is removed whole', async () => {
    await gated({ 'tapedeck.toml': '' }, async (repository) => {
      assert.equal((await repository.state()).state, 'absent');
      const { state, file, manager } = await repository.change('install');
      assert.deepEqual([state, manager, file], ['installed', 'git', repository.project.path('.git/hooks/pre-commit')]);
      const stopped = await repository.commitTape();
      assert.equal(stopped.status, 1, stopped.output);
      assert.match(stopped.output, /tapes\/agent\.tape\.jsonl/);
      assert.equal((await repository.change('remove')).state, 'absent');
      assert.ok(!existsSync(file));
      assert.equal(repository.git('commit', '-qm', 'A tape').status, 0);
    });
  });

  it('checks a project that is not at the top of its repository', async () => {
    const files = { 'agents/tapedeck.toml': '' };
    await gated(
      files,
      async (repository) => {
        await repository.change('install');
        const stopped = await repository.commitTape();
        assert.equal(stopped.status, 1, stopped.output);
        assert.match(stopped.output, /tapes\/agent\.tape\.jsonl/);
      },
      'agents',
    );
  });

  it('goes before what a shell script of somebody else does, which stays as it was', async () => {
    await gated({ 'tapedeck.toml': '' }, async (repository) => {
      const hook = '.git/hooks/pre-commit';
      const foreign = '#!/bin/bash\necho foreign >&2\nexec true\n';
      await repository.project.write(hook, foreign);
      chmodSync(repository.project.path(hook), 0o755);
      assert.equal((await repository.state()).state, 'other');
      assert.equal((await repository.change('install')).state, 'installed');
      const stopped = await repository.commitTape();
      assert.equal(stopped.status, 1, stopped.output);
      await repository.change('remove');
      assert.equal(readFileSync(repository.project.path(hook), 'utf8'), foreign);
      assert.ok((statSync(repository.project.path(hook)).mode & 0o111) !== 0, 'it can still be started');
      assert.match(repository.git('commit', '-qm', 'A tape').output, /foreign/);
    });
  });

  it('leaves a program that is no shell script alone', async () => {
    await gated({ 'tapedeck.toml': '' }, async (repository) => {
      const python = '#!/usr/bin/env python3\nprint("hi")\n';
      await repository.project.write('.git/hooks/pre-commit', python);
      assert.equal((await repository.state()).state, 'script');
      await assert.rejects(repository.change('install'), /is not changed by Tapedeck/);
      assert.equal(await repository.project.read('.git/hooks/pre-commit'), python);
    });
  });

  it('is added to the hooks of husky', async () => {
    await gated({ 'tapedeck.toml': '', '.husky/pre-commit': 'npm test\n' }, async (repository) => {
      mkdirSync(repository.project.path('.husky/_'));
      repository.git('config', 'core.hooksPath', '.husky/_');
      const { manager, state, file } = await repository.change('install');
      assert.deepEqual([manager, state, file], ['husky', 'installed', repository.project.path('.husky/pre-commit')]);
      assert.match(await repository.project.read('.husky/pre-commit'), /tapedeck check --staged[\s\S]*\nnpm test\n$/);
      await repository.change('remove');
      assert.equal(await repository.project.read('.husky/pre-commit'), 'npm test\n');
    });
  });

  for (const [manager, file] of [
    ['lefthook', 'lefthook.yml'],
    ['pre-commit', '.pre-commit-config.yaml'],
  ] as const)
    it(`gives the lines for ${manager}, and writes nothing of it`, async () => {
      await gated({ 'tapedeck.toml': '', [file]: '# ours\n' }, async (repository) => {
        const found = await repository.state();
        assert.deepEqual([found.manager, found.state], [manager, 'other']);
        assert.match(found.lines, /tapedeck check --staged/);
        await assert.rejects(repository.change('install'), /Add the lines by hand/);
        assert.equal(await repository.project.read(file), '# ours\n');
        await repository.project.write(file, found.lines);
        assert.equal((await repository.change('install')).state, 'installed');
        // As the manager does: with a shell, from the top.
        const command = /^\s+(?:run|entry): (".*")$/m.exec(found.lines)?.[1] ?? '""';
        await repository.project.write('tapes/agent.tape.jsonl', TAPE);
        repository.git('add', '-A');
        const checked = repository.shell(JSON.parse(command) as string);
        assert.equal(checked.status, 1, checked.output);
        assert.match(checked.output, /tapes\/agent\.tape\.jsonl/);
      });
    });

  const elsewhere: Readonly<Record<string, (at: (path: string) => string) => void>> = {
    'a committed link to a file of the user’s': (at) => {
      mkdirSync(at('repository/.husky'));
      symlinkSync('../../home/.profile', at('repository/.husky/pre-commit'));
    },
    'a committed link to a file that is not there yet': (at) => {
      mkdirSync(at('repository/.husky'));
      symlinkSync('../../home/.bashrc', at('repository/.husky/pre-commit'));
    },
    'a committed link to a source of the repository': (at) => {
      mkdirSync(at('repository/.husky'));
      symlinkSync('../index.js', at('repository/.husky/pre-commit'));
    },
    'a committed link to a folder of the user’s': (at) => symlinkSync('../home', at('repository/.husky')),
    'a committed link to a folder of the repository': (at) => symlinkSync('.git', at('repository/.husky')),
    'git’s folder of hooks as a link': (at) => {
      rmSync(at('repository/.git/hooks'), { recursive: true, force: true });
      symlinkSync('../../home', at('repository/.git/hooks'));
    },
    'a hook of git as a link': (at) => {
      mkdirSync(at('repository/.git/hooks'), { recursive: true });
      symlinkSync('../../../home/.profile', at('repository/.git/hooks/pre-commit'));
    },
    'core.hooksPath that leads out': (at) =>
      spawnSync('git', ['config', 'core.hooksPath', '../home'], { cwd: at('repository') }),
  };
  for (const [what, prepare] of Object.entries(elsewhere))
    it(`is not written, nor removed, outside of its repository: ${what}`, async () => {
      await inProject({ 'home/.profile': 'export A=1\n', 'repository/tapedeck.toml': '' }, async (project) => {
        const env = { XDG_STATE_HOME: project.path('state') };
        await project.write('repository/index.js', 'export {};\n');
        spawnSync('git', ['init', '-q'], { cwd: project.path('repository') });
        prepare((path) => project.path(path));
        await inWindow(env, async ({ peer }) => {
          const root = project.path('repository');
          const { state, file, lines } = await peer.call('hook', { root });
          assert.equal(state, 'script', 'its lines are given');
          await assert.rejects(peer.call('changeHook', { root, change: 'install' }), /Add the lines by hand/);
          assert.deepEqual(readdirSync(project.path('home')), ['.profile']);
          assert.equal(await project.read('home/.profile'), 'export A=1\n');
          assert.equal(await project.read('repository/index.js'), 'export {};\n');
          // As they would be after that, or by an earlier version.
          writeFileSync(file, lines);
          assert.equal((await peer.call('hook', { root })).state, 'installed');
          await assert.rejects(
            peer.call('changeHook', { root, change: 'remove' }),
            /Remove its Tapedeck lines by hand/,
          );
          assert.equal(readFileSync(file, 'utf8'), lines);
        });
      });
    });

  it('is written in a worktree, whose hooks are in the folder of its repository', async () => {
    await gated({ 'tapedeck.toml': '' }, async (repository) => {
      repository.git('add', '-A');
      repository.git('commit', '-qm', 'first');
      repository.git('worktree', 'add', '-q', 'tree');
      await inWindow({ XDG_STATE_HOME: repository.project.path('.git/state-of-the-user') }, async ({ peer }) => {
        const { state, file } = await peer.call('changeHook', {
          root: repository.project.path('tree'),
          change: 'install',
        });
        assert.deepEqual([state, file], ['installed', repository.project.path('.git/hooks/pre-commit')]);
        assert.ok(existsSync(file));
      });
    });
  });

  it('follows core.hooksPath of the repository', async () => {
    await gated({ 'tapedeck.toml': '' }, async (repository) => {
      repository.git('config', 'core.hooksPath', 'tools/hooks');
      const { file, state } = await repository.change('install');
      assert.deepEqual([state, file], ['installed', repository.project.path('tools/hooks/pre-commit')]);
      assert.equal((await repository.commitTape()).status, 1);
    });
  });
});
