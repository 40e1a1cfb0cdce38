import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { mayTrackState } from '../../../src/core/project/trackedState';
import { trackedState } from '../../../src/engine/git/trackedState';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { git, inRepository } from '../../harness/repository';

const FILE = '.tapedeck/journal/a.jsonl';

const tracked = async (root: string): Promise<readonly string[]> => (await trackedState(root)).paths;

/** Without git on PATH, so that only its index can tell. */
async function withoutGit<T>(work: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env.PATH = '';
  try {
    return await work();
  } finally {
    process.env.PATH = PATH;
  }
}

function add(project: TestProject, ...paths: readonly string[]): void {
  git(project, 'add', '-f', ...paths);
}

describe('what git tracks in the state of a project', function () {
  this.timeout(30_000);

  it('is nothing outside of a repository, and before anything was added to one', () =>
    inProject({ [FILE]: '{}' }, async (project) => {
      assert.deepEqual(await tracked(project.root), []);
      git(project, 'init', '-q');
      assert.deepEqual(await tracked(project.root), []);
    }));

  it('is not asked of git where the index names nothing there', () =>
    inRepository({ [FILE]: '{}', 'a/b.json': '{}' }, async (project) => {
      assert.deepEqual(await withoutGit(() => tracked(project.root)), []);
      add(project, FILE);
      await assert.rejects(
        withoutGit(() => tracked(project.root)),
        /git/,
      );
      assert.deepEqual(await tracked(project.root), [FILE], 'as soon as git is there');
    }));

  it('is known anew when the index changes', () =>
    inRepository({ [FILE]: '{}' }, async (project) => {
      assert.deepEqual(await tracked(project.root), []);
      add(project, FILE);
      assert.deepEqual(await tracked(project.root), [FILE]);
      git(project, 'rm', '-rq', '--cached', '.tapedeck');
      assert.deepEqual(await tracked(project.root), []);
    }));

  it('is from the root of a project below the top of its repository', () =>
    inRepository({ [`in/${FILE}`]: '{}', [FILE]: '{}' }, async (project) => {
      add(project, `in/${FILE}`);
      assert.deepEqual(await tracked(project.path('in')), [FILE]);
      assert.deepEqual(await tracked(project.root), []);
    }));

  it('is known in a worktree and in a submodule', () =>
    inRepository({ [FILE]: '{}' }, async (project) => {
      add(project, FILE);
      git(project, 'commit', '-q', '-m', 'state');
      git(project, 'worktree', 'add', '-q', 'tree');
      assert.deepEqual(await tracked(project.path('tree')), [FILE]);
      await mkdir(project.path('outer'));
      const outer = { root: project.path('outer') } as TestProject;
      git(outer, 'init', '-q');
      git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', project.root, 'inner');
      assert.deepEqual(await tracked(project.path('outer/inner')), [FILE]);
    }));

  it('is that of the index that a hook is told of', () =>
    inRepository({ [FILE]: '{}' }, async (project) => {
      process.env.GIT_INDEX_FILE = 'other.index';
      try {
        add(project, FILE);
        assert.deepEqual(await tracked(project.root), [FILE]);
      } finally {
        delete process.env.GIT_INDEX_FILE;
      }
      assert.deepEqual(await tracked(project.root), []);
    }));

  const indexes: Readonly<Record<string, readonly (readonly string[])[]>> = {
    'of version 2': [['update-index', '--index-version', '2']],
    'of version 4, whose names are shortened': [['update-index', '--index-version', '4']],
    'that is split': [['update-index', '--split-index']],
  };
  for (const [what, commands] of Object.entries(indexes))
    it(`is found by a quick look at an index ${what}`, () =>
      inRepository({ '.tape': '', '.tapa': '', [FILE]: '{}' }, async (project) => {
        const look = async () => mayTrackState(await readFile(project.path('.git/index')));
        assert.equal(await look(), false);
        await project.write('.TapeDeck/runs/A.json', '{}');
        add(project, '.TapeDeck/runs/A.json');
        assert.equal(await look(), true, 'in letters of another case');
        git(project, 'rm', '-q', '--cached', '.TapeDeck/runs/A.json');
        add(project, FILE);
        for (const command of commands) git(project, ...command);
        assert.equal(await look(), true);
        assert.deepEqual(await tracked(project.root), [FILE]);
      }));
});
