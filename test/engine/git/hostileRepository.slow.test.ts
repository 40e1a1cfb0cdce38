import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listReviews } from '../../../src/engine/review/changedReviews';
import { comparisonsApi } from '../../../src/engine/review/comparison';
import { Reviews } from '../../../src/engine/review/decide';
import { createReviewApi } from '../../../src/engine/review/reviewApi';
import { say, turn } from '../../core/review/recordings';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { git, inRepository, NEW, OLD, tape } from '../../harness/repository';

/** Every hook of githooks(5). */
const HOOKS =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change virtual-filesystem query-watchman'.split(
    ' ',
  );

/** Settings that name a program, by what git would run it for. `RUN x` stands for a program that leaves the mark `x`. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'RUN fsmonitor',
  'core.virtualFilesystem': 'RUN virtualFilesystem',
  'core.pager': 'RUN pager',
  'core.editor': 'RUN editor',
  'core.askPass': 'RUN askPass',
  'core.sshCommand': 'RUN sshCommand',
  'core.gitProxy': 'RUN gitProxy',
  'core.alternateRefsCommand': 'RUN alternateRefs',
  'credential.helper': '!RUN credential',
  'diff.external': 'RUN diffExternal',
  'diff.mark.command': 'RUN diffCommand',
  'diff.mark.textconv': 'RUN textconv',
  'diff.trustExitCode': 'true',
  'merge.mark.driver': 'RUN mergeDriver',
  'merge.tool': 'mark',
  'mergetool.mark.cmd': 'RUN mergetool',
  'gpg.program': 'RUN gpg',
  'gpg.ssh.program': 'RUN gpgSsh',
  'gpg.ssh.defaultKeyCommand': 'RUN defaultKey',
  'log.showSignature': 'true',
  'filter.mark.clean': 'RUN clean',
  'filter.mark.smudge': 'RUN smudge',
  'filter.mark.required': 'true',
  'filter.line.process': 'RUN process',
  'filter.line.required': 'true',
  'filter.a=b.clean': 'RUN equalSign',
  'filter.dotted.name.clean': 'RUN dotted',
  'filter.lfs.clean': 'RUN lfsClean',
  'filter.lfs.process': 'RUN lfsProcess',
  'lfs.extension.mark.clean': 'RUN lfsExtension',
  'lfs.customtransfer.mark.path': 'RUN lfsTransfer',
  'hook.mark.command': 'RUN configuredHook',
  'hook.mark.event': 'post-index-change',
  'alias.status': '!RUN aliasStatus',
  'alias.config': '!RUN aliasConfig',
  'uploadpack.packObjectsHook': 'RUN packObjects',
  'remote.origin.url': 'ext::RUN remoteExt',
  'remote.origin.uploadpack': 'RUN uploadPack',
  'remote.origin.vcs': 'mark',
  'remote.origin.promisor': 'true',
  'remote.origin.partialclonefilter': 'blob:none',
  'protocol.allow': 'always',
  'protocol.ext.allow': 'always',
  'submodule.recurse': 'true',
  'status.submoduleSummary': 'true',
  'submodule.sub.update': '!RUN submoduleUpdate',
  'safe.bareRepository': 'all',
  'trace2.eventTarget': '/dev/null',
  'sequence.editor': 'RUN sequenceEditor',
  'interactive.diffFilter': 'RUN diffFilter',
  'pager.status': 'RUN pagerStatus',
  'browser.mark.cmd': 'RUN browser',
  'gc.auto': '1',
  'maintenance.auto': 'true',
};

const ATTRIBUTES = [
  '*.json filter=mark diff=mark merge=mark',
  'line.tape.json filter=line',
  'equal.tape.json filter=a=b',
  'dotted.tape.json filter=dotted.name',
  'lfs.tape.json filter=lfs',
  'plain.tape.json !filter',
  '',
].join('\n');

/** It is no other tape under another name. */
const GONE = tape(turn([say('user', 'Book a table for nine people')], 'It is reserved at eight'));
const TAPES = ['a', 'line', 'equal', 'dotted', 'lfs', 'plain', 'gone'].map((name) => `${name}.tape.json`);

/** A repository with all of this, tapes that have changed, and a folder outside in which whatever runs leaves its mark. */
async function inHostile(test: (project: TestProject, marks: () => readonly string[]) => Promise<void>): Promise<void> {
  await inProject({}, async (outside) => {
    const marks = () => readdirSync(outside.root).filter((name) => name !== 'bin' && name !== 'config');
    const run = (mark: string): string => `${outside.path('bin/run')} ${mark}`;
    await outside.write('bin/run', `#!/bin/sh\necho "$@" >> "${outside.root}/$1"\ncat\n`);
    chmodSync(outside.path('bin/run'), 0o755);
    const tapes = TAPES.map((path) => [path, path === 'gone.tape.json' ? GONE : OLD] as const);
    await inRepository(Object.fromEntries(tapes), async (project) => {
      await project.write('.gitattributes', ATTRIBUTES);
      await project.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n');
      await addNestedRepository(project, run);
      git(project, '-c', 'advice.addEmbeddedRepo=false', 'add', '.gitattributes', '.gitmodules', 'sub');
      git(project, 'commit', '-qm', 'second');
      for (const hook of HOOKS) {
        await project.write(`.git/hooks/${hook}`, `#!/bin/sh\n${run(`hook-${hook}`)} < /dev/null\n`);
        chmodSync(project.path(`.git/hooks/${hook}`), 0o755);
      }
      // As an archive could bring it: half of it in an included file.
      const entries = Object.entries(SETTINGS).map(([key, value]) => [
        key,
        value.replace(/RUN (\w+)/, (_, mark) => run(mark)),
      ]);
      for (const [index, [key = '', value = '']] of entries.entries())
        git(project, 'config', '--file', project.path(index % 2 === 0 ? '.git/config' : '.git/more'), key, value);
      git(project, 'config', 'include.path', 'more');
      git(project, 'config', 'extensions.partialClone', 'origin');
      git(project, 'config', 'core.repositoryFormatVersion', '1');
      await addPrograms(project, run);
      for (const path of TAPES) if (path !== 'gone.tape.json') await project.write(path, NEW);
      rmSync(project.path('gone.tape.json'));
      await test(project, marks);
    });
  });
}

/** A submodule, a repository that is not tracked, and a folder that looks like a repository without a working tree. */
async function addNestedRepository(project: TestProject, run: (mark: string) => string): Promise<void> {
  for (const name of ['sub', 'untracked']) {
    mkdirSync(project.path(name));
    await project.write(`${name}/x.tape.json`, OLD);
    await project.write(`${name}/.gitattributes`, '*.json filter=inner\n');
    const inside = ['-C', name];
    git(project, ...inside, 'init', '-q', '-b', 'main');
    git(project, ...inside, 'add', '.');
    git(project, ...inside, '-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'inner');
    git(project, ...inside, 'config', 'filter.inner.clean', run(`inner-${name}`));
    git(project, ...inside, 'config', 'core.fsmonitor', run(`inner-monitor-${name}`));
    await project.write(`${name}/x.tape.json`, NEW);
  }
  await addBareRepository(project, 'bare', run);
}

/** What git takes for a repository without a working tree, all of it files that can be committed. */
async function addBareRepository(project: TestProject, folder: string, run: (mark: string) => string): Promise<void> {
  const files = {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${run('bare-monitor')}\n[filter "x"]\n\tclean = ${run('bare-clean')}\n`,
    'objects/keep': '',
    'refs/keep': '',
    '.gitattributes': '* filter=x\n',
    'tapedeck.toml': '',
    't.tape.json': OLD,
  };
  for (const [name, text] of Object.entries(files)) await project.write(`${folder}/${name}`, text);
}

/** Programs with the names of those that git starts, where a search could find them. */
async function addPrograms(project: TestProject, run: (mark: string) => string): Promise<void> {
  for (const name of [
    'git',
    'git.exe',
    'git-lfs',
    'git-remote-ext',
    'git-remote-mark',
    'node_modules/.bin/git',
    'ssh',
    'less',
  ]) {
    await project.write(name, `#!/bin/sh\n${run(`program-${name.replaceAll('/', '-')}`)} < /dev/null\n`);
    chmodSync(project.path(name), 0o755);
  }
}

/** The environment of somebody who runs it in there: folders of the repository come first on PATH, as with npx. */
function careless(project: TestProject): Record<string, string> {
  const folders = ['.', project.root, project.path('node_modules/.bin'), process.env.PATH ?? ''];
  const mark = project.path('git');
  return {
    PATH: folders.join(':'),
    GIT_PAGER: mark,
    GIT_ASKPASS: mark,
    GIT_SSH_COMMAND: mark,
    GIT_EDITOR: mark,
    GIT_EXTERNAL_DIFF: mark,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${mark}'`,
    GIT_DIR: project.path('bare'),
  };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--staged'],
  ['check', '--since', 'HEAD~1'],
  ['check', '--since', 'HEAD~1..HEAD', '--reporter', 'markdown'],
  ['accept', 'a.tape.json'],
  ['accept', 'plain.tape.json', '--stage'],
  ['accept', 'lfs.tape.json', '--stage'],
  ['accept', 'equal.tape.json', '--stage'],
  ['accept', 'gone.tape.json'],
  ['accept', '--stage'],
  ['reject', 'dotted.tape.json'],
  ['reject', 'line.tape.json', '--field', 'request.model'],
  ['reject', 'plain.tape.json'],
  ['reject', '--again'],
  ['verify', '.'],
  ['run', '.'],
];

describe('a hostile repository', function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
    buildEngine.call(this);
  });

  it('is one: git itself runs what it has', () =>
    inHostile(async (project, marks) => {
      try {
        git(project, 'diff', '--stat');
        git(project, 'add', 'a.tape.json', 'dotted.tape.json', 'equal.tape.json');
      } catch {
        // It may fail, having run something.
      }
      const found = marks();
      for (const mark of ['clean', 'fsmonitor', 'dotted', 'equalSign'])
        assert.ok(found.includes(mark), found.join(' '));
    }));

  it('runs nothing, whatever Tapedeck is asked for', () =>
    inHostile(async (project, marks) => {
      for (const command of COMMANDS) {
        const { stderr } = await project.engine(command, careless(project));
        assert.deepEqual(marks(), [], `${command.join(' ')}: ${stderr}`);
      }
    }));

  it('is reviewed all the same', () =>
    inHostile(async (project) => {
      const { code, stdout } = await project.engine(['check'], careless(project));
      assert.equal(code, 1);
      for (const path of TAPES) assert.match(stdout, new RegExp(`^${path} \\(tape\\)`, 'm'));
      assert.doesNotMatch(stdout, /sub\/|untracked\//);
      await project.engine(['accept', 'plain.tape.json', '--stage'], careless(project));
      assert.match(readFileSync(project.path('.git/index'), 'latin1'), /plain\.tape\.json/);
      const refused = await project.engine(['accept', 'a.tape.json', '--stage'], careless(project));
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /a\.tape\.json goes through the filter mark of git, which Tapedeck does not run/);
    }));

  it('runs nothing for the editor: lists, reviews, comparisons, decisions, undo, and staging', () =>
    inHostile(async (project, marks) => {
      const { root } = project;
      const api = createReviewApi();
      await api.reviews({ root });
      for (const path of ['plain.tape.json', 'line.tape.json', 'lfs.tape.json']) {
        const subject = { kind: 'tape', path } as const;
        const { stamp = '', changes = [] } = (await api.review({ root, subject })) ?? {};
        const ids = changes.map(({ id }) => id);
        await api.previousTotals({ root, path });
        await comparisonsApi.earlierVersions({ root, path });
        const before = { root, path, revision: 'HEAD' };
        await comparisonsApi.comparison({ before, after: { root, path } }).then(undefined, () => undefined);
        await api.decide({ root, subject, verdict: 'accepted', changes: ids, stamp });
        await api.stage({ root, subject }).then(undefined, () => undefined);
        await api.decide({ root, subject, verdict: 'rejected', changes: ids, stamp }).then(undefined, () => undefined);
        await api.undo({ root, subject }).then(undefined, () => undefined);
      }
      await api.stage({ root }).then(undefined, () => undefined);
      await new Reviews().reapplyRejections(root);
      assert.deepEqual(marks(), []);
    }));

  it('is not entered where a committed folder looks like one', () =>
    inHostile(async (project, marks) => {
      for (const command of [
        ['check'],
        ['check', '--staged'],
        ['check', '--since', 'HEAD'],
        ['accept', 't.tape.json'],
      ]) {
        await project.engine(command, {}, 'bare');
        assert.deepEqual(marks(), [], command.join(' '));
      }
      const inside = await project.engine(['check'], {}, 'bare');
      assert.match(inside.stdout, /1 accepted/);
    }));

  it('is not entered where there is no other', () =>
    inProject({}, async (outside) => {
      const mark = outside.path('mark');
      await inProject({}, async (project) => {
        await addBareRepository(project, '.', () => `touch ${mark};:`);
        for (const command of [['check'], ['check', '--staged'], ['accept', 't.tape.json', '--stage']])
          await project.engine(command);
        assert.equal(existsSync(mark), false);
        await project.write('.git/HEAD', 'nothing');
        const { code, stderr } = await project.engine(['check']);
        assert.equal(code, 2, stderr);
        assert.equal(existsSync(mark), false);
      });
    }));

  it('is not opened with a git that is too old to be told everything, or with none', () =>
    inProject({}, async (bin) => {
      await bin.write('git', '#!/bin/sh\necho git version 2.30.2\n');
      chmodSync(bin.path('git'), 0o755);
      await inRepository({ 'a.tape.json': OLD }, async (project) => {
        const old = await project.engine(['check'], { PATH: bin.root });
        assert.equal(old.code, 2);
        assert.match(
          old.stderr,
          /git is git version 2\.30\.2, which is too old to be run safely\n {2}Install git 2\.31/,
        );
        const none = await project.engine(['check'], { PATH: project.root });
        assert.equal(none.code, 2);
        assert.match(none.stderr, /git is not installed/);
      });
    }));

  it('may not lead its working tree elsewhere', () =>
    inRepository({ 'a.tape.json': OLD, 'in/b.tape.json': OLD }, async (project) => {
      git(project, 'config', 'core.worktree', project.path('in'));
      await assert.rejects(listReviews(project.root, { type: 'worktree' }), /belongs to another working tree: .*in/);
      git(project, 'config', 'core.worktree', join(project.root, '..'));
      await assert.rejects(listReviews(project.root, { type: 'worktree' }), /belongs to another working tree/);
    }));
});
