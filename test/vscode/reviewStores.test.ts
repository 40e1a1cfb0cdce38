import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { decide, writeDecisions } from '../../src/core/review/decisions';
import { FolderChanges } from '../../src/host/stores/files/folderChanges';
import { gitFolder } from '../../src/host/stores/files/gitFolder';
import { type ListTracked, OwnState } from '../../src/host/stores/files/ownState';
import { ReviewQueue } from '../../src/host/stores/reviews/reviewQueue';
import { ReviewStore } from '../../src/host/stores/reviews/reviewStore';
import { eventually, file, readText, write } from './workspace';

const RULE = '\n[[normalise.patterns]]\nname = "build"\npattern = "build-[0-9]+"\n';
const tape = 'tapes/order_status.tape.json';

function git(...args: readonly string[]): void {
  const named = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args];
  execFileSync('git', named, { cwd: file('.').fsPath });
}

const LAYOUTS = [
  { what: 'git’s folder', init: (_outside: string): string[] => ['init', '-q'] },
  {
    what: 'git’s folder that is outside of the workspace',
    init: (outside: string): string[] => ['init', '-q', `--separate-git-dir=${join(outside, 'apart')}`],
  },
];

for (const { what, init } of LAYOUTS) {
  describe(`the list of reviews, with ${what}`, () => {
    let outside: string;
    let original: string;
    let queue: ReviewQueue;
    const folders = new FolderChanges();
    let lists = 0;

    before(async () => {
      outside = mkdtempSync(join(tmpdir(), 'tapedeck-git-'));
      original = await readText(file(tape));
      git(...init(outside));
      git('add', '-A');
      git('commit', '-qm', 'first');
      const reviews = async () => {
        lists += 1;
        return [];
      };
      queue = new ReviewQueue({ reviews, lastDecision: async () => null }, folders);
      queue.follow();
      await queue.load();
    });
    after(async () => {
      queue.dispose();
      folders.dispose();
      rmSync(file('.git').fsPath, { recursive: true, force: true });
      rmSync(outside, { recursive: true, force: true });
      await write(tape, original);
    });

    /** Does something, and waits for the list that follows when nothing has moved before. */
    async function listsAfter(act: () => unknown): Promise<void> {
      await quiet();
      const before = lists;
      await act();
      await eventually('another list', () => lists > before);
    }

    /** What was done before has been told by now. */
    async function quiet(): Promise<void> {
      for (let seen = -1; seen !== lists; ) {
        seen = lists;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }

    it('is made again when a tape is written, staged and committed', async () => {
      await listsAfter(() => write(tape, original.replaceAll('Thursday', 'Friday')));
      await listsAfter(() => git('add', '-A'));
      await listsAfter(() => git('commit', '-qm', 'second'));
    });

    it('is made again when the branch moves under files that stay', async () => {
      await listsAfter(() => git('reset', '-q', '--soft', 'HEAD~1'));
    });

    it('is made again when a folder of tapes gets another name', async () => {
      const [from, to] = [file('tapes'), file('moved')].map(({ fsPath }) => fsPath);
      assert.ok(from && to);
      await listsAfter(() => renameSync(from, to));
      await listsAfter(() => renameSync(to, from));
    });

    for (const path of ['tapedeck.toml', 'cases/greeting.toml'])
      it(`is made again when a rule is added to ${path}`, async () => {
        const text = await readText(file(path));
        await listsAfter(() => write(path, text + RULE));
        await listsAfter(() => write(path, text));
      });
  });
}

describe('git’s folder', () => {
  after(() => vscode.workspace.fs.delete(file('linked'), { recursive: true }));

  it('is found upwards, through the file that a worktree has for it, and else where it would be', async () => {
    await write('linked/repository/.git/HEAD', 'ref: refs/heads/main\n');
    await write('linked/worktree/.git', 'gitdir: ../repository/.git/worktrees/one\n');
    const find = async (path: string) => (await gitFolder(file(path))).path;
    assert.equal(await find('linked/repository'), file('linked/repository/.git').path);
    assert.equal(await find('linked/repository/a/b'), file('linked/repository/.git').path);
    assert.equal(await find('linked/worktree'), file('linked/repository/.git/worktrees/one').path);
    assert.equal(await find('linked'), file('linked/.git').path);
  });
});

describe('the review of a case', () => {
  it('is judged again when the rules of its project change', async () => {
    const own = new OwnState(async () => []);
    const store = new ReviewStore(own);
    const told: string[] = [];
    store.onDidChange((uri) => told.push(uri.toString()));
    const uri = file('cases/greeting.toml');
    const config = await readText(file('tapedeck.toml'));
    await store.get(uri);
    try {
      await write('tapedeck.toml', config + RULE);
      await eventually('the case is told of', () => told.includes(uri.toString()));
    } finally {
      await write('tapedeck.toml', config);
      store.dispose();
      own.dispose();
    }
  });

  it('takes no decision and no run from a file that git tracks, nor where git cannot be asked, nor from behind a link', async () => {
    const uri = file('cases/decided.toml');
    const [decision, artifact] = ['.tapedeck/reviews/cases/decided.json', '.tapedeck/runs/cases/decided.artifact.json'];
    const paths = [artifact, 'cases/decided.baseline.json', decision];
    const baseline = await readText(file('cases/greeting.baseline.json'));
    const changesBy = async (list: ListTracked) => {
      const own = new OwnState(list);
      const store = new ReviewStore(own);
      const review = await store.get(uri);
      store.dispose();
      own.dispose();
      return review?.changes;
    };
    const decisionsBy = async (list: ListTracked) => (await changesBy(list))?.map((one) => one.decision);
    const refuses = () => Promise.reject(new Error('not trusted'));
    try {
      await write(artifact, baseline.replace(/"output_text": "/, '"output_text": "changed '));
      await write(paths[1] ?? '', baseline);
      const ids = (await changesBy(refuses))?.map(({ id }) => id) ?? [];
      await write(decision, writeDecisions(decide({}, ids, 'rejected', 'no')));
      assert.deepEqual(await decisionsBy(refuses), ['rejected'], 'outside of a repository, nobody is asked');
      git('init', '-q');
      git('add', 'cases');
      assert.deepEqual(await decisionsBy(refuses), ['rejected'], 'git tracks nothing there');
      git('add', '-f', decision);
      assert.deepEqual(await decisionsBy(async () => [decision]), ['open']);
      assert.deepEqual(await decisionsBy(async () => []), ['rejected']);
      assert.equal(await decisionsBy(refuses), undefined);
      assert.equal(await decisionsBy(async () => [artifact]), undefined);
      rmSync(file('.git').fsPath, { recursive: true });
      renameSync(file('.tapedeck/reviews').fsPath, file('moved').fsPath);
      symlinkSync('../moved', file('.tapedeck/reviews').fsPath);
      assert.deepEqual(await decisionsBy(async () => []), ['open']);
    } finally {
      rmSync(file('.git').fsPath, { recursive: true, force: true });
      for (const path of ['moved', '.tapedeck/reviews', ...paths.slice(0, 2)])
        rmSync(file(path).fsPath, { recursive: true, force: true });
    }
  });
});
