import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decision } from '../../../src/core/review/decisions';
import { Reviews } from '../../../src/engine/review/decide';
import { reviewQueue } from '../../../src/engine/review/reviewQueue';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

const PATH = 'a.tape.json';
const SUBJECT = { kind: 'tape', path: PATH } as const;

/** Decides on the first change, or on all, with an engine of its own: as one that is started anew has it. */
async function decide({ root }: TestProject, verdict: Decision, all = false): Promise<void> {
  const reviews = new Reviews();
  const { changes, pending, stamp } = (await reviews.open({ root, subject: SUBJECT })) ?? assert.fail('no review');
  const ids = (all ? changes : pending.slice(0, 1)).map(({ id }) => id);
  await reviews.decide({ root, subject: SUBJECT, verdict, changes: ids, stamp });
}

const undo = ({ root }: TestProject) => new Reviews().undo({ root, subject: SUBJECT });
const last = async ({ root }: TestProject) => (await new Reviews().lastDecision(root))?.subject;
const verdicts = async ({ root }: TestProject) => {
  const review = await new Reviews().open({ root, subject: SUBJECT });
  return review?.changes.map(({ id }) => review.decisions[id]?.verdict);
};

const changed = (test: (project: TestProject) => Promise<void>): Promise<void> =>
  inRepository({ [PATH]: OLD }, async (project) => {
    await project.write(PATH, NEW);
    await test(project);
  });

describe('a decision', function () {
  this.timeout(60_000);

  it('is undone by an engine that was started later, the last one first', () =>
    changed(async (project) => {
      await decide(project, 'accepted');
      await decide(project, 'rejected');
      const partly = await project.read(PATH);
      assert.notEqual(partly, NEW);
      assert.deepEqual(await last(project), SUBJECT);
      await undo(project);
      assert.equal(await project.read(PATH), NEW);
      assert.deepEqual(await verdicts(project), ['accepted', undefined]);
      await undo(project);
      assert.deepEqual(await verdicts(project), [undefined, undefined]);
      assert.equal(await last(project), undefined);
      await assert.rejects(undo(project), /nothing to undo/);
    }));

  it('that restored a file is listed by an engine that was started later, until it is undone', () =>
    changed(async (project) => {
      await decide(project, 'rejected', true);
      assert.equal(await project.read(PATH), OLD);
      const listed = await reviewQueue(project.root, new Reviews());
      assert.deepEqual(
        listed.map(({ path, rejected }) => [path, rejected]),
        [[PATH, 1]],
      );
      await undo(project);
      assert.equal(await project.read(PATH), NEW);
    }));

  it('cannot be undone where another program has written its file since', () =>
    changed(async (project) => {
      await decide(project, 'rejected');
      await project.write(PATH, NEW.replace('snows', 'hails'));
      assert.equal(await last(project), undefined);
      await assert.rejects(undo(project), /has changed since this decision/);
    }));

  it('is undone to the end where its undo was killed', () =>
    changed(async (project) => {
      await decide(project, 'rejected', true);
      const steps = join(project.root, '.tapedeck/undo');
      await cp(steps, `${steps}-killed`, { recursive: true });
      await undo(project);
      await rename(`${steps}-killed`, steps);
      await undo(project);
      assert.equal(await project.read(PATH), NEW);
      await assert.rejects(undo(project), /nothing to undo/);
    }));

  it('is forgotten when there are too many, the first one first', () =>
    changed(async (project) => {
      const step = { version: 1, subject: SUBJECT, at: 1, files: [] };
      for (let number = 1; number <= 250; number += 1) {
        const text = JSON.stringify({ ...step, group: `group ${Math.floor(number / 60)}` });
        await project.write(`.tapedeck/undo/${String(number).padStart(8, '0')}/step.json`, text);
      }
      await decide(project, 'accepted', true);
      const kept = readdirSync(project.path('.tapedeck/undo')).sort();
      assert.deepEqual(
        [kept.length, kept[0], kept.at(-1)],
        [192, '00000060', '00000251'],
        'those made together go together',
      );
      await undo(project);
    }));
});

describe('a decision of a stranger', () => {
  /** Moves what a decision has left to a project whose user never made it. */
  const planted = (test: (project: TestProject) => Promise<void>): Promise<void> =>
    changed(async (project) => {
      await decide(project, 'rejected', true);
      await test(project);
    });

  it('is not undone where git tracks it, and does not keep others from deciding', () =>
    planted(async (project) => {
      git(project, 'add', '-f', '.tapedeck/undo');
      git(project, 'commit', '-q', '-m', 'Undo me');
      assert.equal(await last(project), undefined);
      await assert.rejects(undo(project), /nothing to undo/);
      assert.equal(await project.read(PATH), OLD);
      await project.write(PATH, NEW);
      await decide(project, 'accepted', true);
      assert.deepEqual(await last(project), SUBJECT);
    }));

  it('is not undone through a link', () =>
    planted(async (project) => {
      await rename(project.path('.tapedeck/undo'), project.path('elsewhere'));
      await symlink(project.path('elsewhere'), project.path('.tapedeck/undo'));
      assert.equal(await last(project), undefined);
      await assert.rejects(undo(project), /nothing to undo/);
      assert.ok(existsSync(project.path('elsewhere/00000001/step.json')));
    }));

  it('writes and removes no file that is no recording, as in an archive without a repository', () =>
    inProject({ 'tapedeck.toml': '' }, async (project) => {
      for (const [path, text] of [
        ['.vscode/settings.json', '{"editor.fontSize":12}'],
        ['src/server.js', 'serve();'],
      ] as const) {
        await project.write(path, text);
        const after = execFileSync('sha256sum', [project.path(path)], { encoding: 'utf8' }).slice(0, 64);
        for (const before of ['{"terminal.integrated.shell":"evil"}', undefined]) {
          const step = { version: 1, subject: { kind: 'tape', path }, group: 'g', at: 1 };
          const files = [{ after }, {}];
          await rm(project.path('.tapedeck'), { recursive: true, force: true });
          await project.write('.tapedeck/undo/00000001/step.json', JSON.stringify({ ...step, files }));
          if (before !== undefined) await project.write('.tapedeck/undo/00000001/0', before);
          const subject = { kind: 'tape', path } as const;
          await assert.rejects(new Reviews().undo({ root: project.root, subject }), /nothing to undo/);
          assert.equal(await project.read(path), text);
        }
      }
    }));
});
