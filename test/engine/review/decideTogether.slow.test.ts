import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { DecidedSubject } from '../../../src/contracts/engine/engineReviews';
import type { ReviewSummary, SharedChange } from '../../../src/contracts/engine/review';
import type { Decision } from '../../../src/core/review/decisions';
import { Reviews } from '../../../src/engine/review/decide';
import { reviewQueue } from '../../../src/engine/review/reviewQueue';
import { inFolder } from '../../harness/support';

const FILES = 20;
/** `TAPEDECK_SUBSETS=500` tries what takes too long for every run. */
const SUBSETS = Number(process.env.TAPEDECK_SUBSETS ?? 6);

const nameOf = (file: number) => `tapes/t${String(file).padStart(2, '0')}.tape.json`;

/** Every tape has the date in its prompt, another response for each, and in every third one the arguments change the same way. */
function tape(file: number, isLater: boolean): string {
  const date = isLater ? '2026-11-23' : '2026-11-22';
  const interaction = (turn: number) => ({
    request: {
      model: 'm',
      messages: [
        { role: 'system', content: `You are agent ${file}. Today is ${date}.` },
        { role: 'user', content: `Question ${turn} of ${file}` },
      ],
    },
    response: `Answer ${turn} of ${file}${isLater && turn === 1 ? ', in other words' : ''}`,
    tool_calls: [{ id: `call_${turn}`, name: 'look_up', arguments: { limit: isLater && file % 3 === 0 ? 20 : 10 } }],
  });
  const text = JSON.stringify(
    { version: 1, case_name: `t${file}`, interactions: [interaction(0), interaction(1)] },
    null,
    file % 2 === 0 ? 2 : 1,
  );
  return file % 5 === 0 ? text.replaceAll('\n', '\r\n') : `${text}\n`;
}

async function put(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'ignore' });
}

/** A repository in which all tapes have changed since the commit. */
async function changedProject(root: string): Promise<void> {
  for (let file = 0; file < FILES; file += 1) await put(root, nameOf(file), tape(file, false));
  await put(root, '.gitignore', '.tapedeck/\n');
  git(root, 'init', '-q');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'tapes');
  for (let file = 0; file < FILES; file += 1) await put(root, nameOf(file), tape(file, true));
}

/** Everything that decisions write, by path. Takes go by the time. */
async function contents(root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const folder of ['tapes', '.tapedeck/reviews'])
    for (const name of (await readdir(join(root, folder), { recursive: true }).catch(() => [])).sort())
      if (name.endsWith('.json')) found[`${folder}/${name}`] = await readFile(join(root, folder, name), 'latin1');
  return found;
}

interface Group {
  readonly key: string;
  readonly members: readonly { readonly review: ReviewSummary; readonly changes: readonly SharedChange[] }[];
}

async function groupsOf(root: string): Promise<readonly Group[]> {
  const queue = await reviewQueue(root, new Reviews());
  const keys = [...new Set(queue.flatMap(({ shared }) => shared.map(({ key }) => key)))].sort();
  return keys.map((key) => ({
    key,
    members: queue.flatMap((review) => {
      const changes = review.shared.filter((change) => change.key === key);
      return changes.length === 0 ? [] : [{ review, changes }];
    }),
  }));
}

const decided = ({ members }: Group): readonly DecidedSubject[] =>
  members.map(({ review: { kind, path, stamp }, changes }) => ({
    subject: { kind, path },
    // The last first: if a file has a change twice, rejecting one must not change the id of the other.
    changes: changes.map(({ id }) => id).reverse(),
    stamp,
  }));

/** Each change of each member by itself, as a user would who opens one review after the other. */
async function oneByOne(root: string, group: Group, verdict: Decision): Promise<void> {
  const reviews = new Reviews();
  for (const { subject, changes } of decided(group))
    for (const id of changes) {
      const stamp = (await reviews.open({ root, subject }))?.stamp ?? '';
      await reviews.decide({ root, subject, verdict, changes: [id], stamp });
    }
}

async function inChangedProject(test: (root: string) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    await changedProject(root);
    await test(root);
  });
}

describe('changes of many files, decided together', function () {
  this.timeout(Math.max(120_000, SUBSETS * 20_000));

  it('are those with the same kind of place and the same difference, or another date', () =>
    inChangedProject(async (root) => {
      await put(root, nameOf(1), tape(1, true).replaceAll('2026-11-23', '2026-12-24'));
      const groups = await groupsOf(root);
      const told = groups.map(({ members }) => {
        const { title = '', before = '', after = '', preset } = members[0]?.changes[0] ?? {};
        return [title, before, after, preset, members.length];
      });
      assert.deepEqual(
        told.sort(([left], [right]) => String(left).localeCompare(String(right))),
        [
          ['Arguments of look_up', '10', '20', undefined, 7],
          ['Response', '', ', in other words', undefined, 20],
          ['Text of message 1', '2026-11-22.', '2026-11-23.', 'date', 20],
        ],
      );
    }));

  it(`write what single decisions write: ${SUBSETS} subsets`, () =>
    inChangedProject(async (root) => {
      const [together, apart] = [`${root}-together`, `${root}-apart`];
      const groups = await groupsOf(root);
      const subsets = fc.record({
        group: fc.nat(groups.length - 1),
        verdict: fc.constantFrom<Decision>('accepted', 'rejected'),
        files: fc.uniqueArray(fc.nat(FILES - 1), { minLength: 2, maxLength: FILES }),
      });
      try {
        for (const copy of [together, apart]) await cp(root, copy, { recursive: true });
        const before = await contents(root);
        await fc.assert(
          fc.asyncProperty(subsets, async ({ group, verdict, files }) => {
            const all = groups[group] as Group;
            const names = new Set(files.map(nameOf));
            const chosen = { ...all, members: all.members.filter(({ review }) => names.has(review.path)) };
            const reviews = new Reviews();
            await reviews.decideTogether({ root: together, verdict, members: decided(chosen) });
            await oneByOne(apart, chosen, verdict);
            assert.deepEqual(await contents(together), await contents(apart));
            const [first] = decided(chosen);
            if (first !== undefined) {
              await reviews.undo({ root: together, subject: first.subject });
              assert.deepEqual(await contents(together), before, 'undone as one');
            }
            for (const copy of [together, apart]) {
              await rm(join(copy, '.tapedeck'), { recursive: true, force: true });
              for (let file = 0; file < FILES; file += 1) await put(copy, nameOf(file), tape(file, true));
            }
          }),
          { numRuns: SUBSETS, endOnFailure: true },
        );
      } finally {
        for (const copy of [together, apart]) await rm(copy, { recursive: true, force: true });
      }
    }));

  it('are decided on all or none: where one file has changed since, nothing is written', () =>
    inChangedProject(async (root) => {
      const [group] = await groupsOf(root);
      assert.ok(group);
      const members = decided(group);
      const last = members.at(-1)?.subject.path ?? '';
      await put(root, last, `${await readFile(join(root, last), 'utf8')}\n`);
      const before = await contents(root);
      for (const verdict of ['accepted', 'rejected'] as const)
        await assert.rejects(
          new Reviews().decideTogether({ root, verdict, members }),
          new RegExp(`${last.replaceAll('.', '\\.')} has changed since this review`),
        );
      assert.deepEqual(await contents(root), before);
    }));

  it('are undone as one from any of the files, but not below a later decision', () =>
    inChangedProject(async (root) => {
      const before = await contents(root);
      const reviews = new Reviews();
      const groups = await groupsOf(root);
      const group = groups.find(({ members }) => members.length === 7);
      const other = groups.find(({ members }) => members.length === 20);
      assert.ok(group && other);
      await reviews.decideTogether({ root, verdict: 'rejected', members: decided(group) });
      const third = decided(group)[3]?.subject;
      assert.ok(third);
      const review = await reviews.open({ root, subject: third });
      const [change] = review?.pending ?? [];
      assert.ok(review && change);
      const { stamp } = review;
      await reviews.decide({ root, subject: third, verdict: 'accepted', changes: [change.id], stamp });
      const [first] = decided(group);
      assert.ok(first);
      await assert.rejects(reviews.undo({ root, subject: first.subject }), /has a more recent decision/);
      assert.deepEqual(await reviews.undo({ root, subject: third }), [third]);
      assert.equal((await reviews.undo({ root, subject: third })).length, 7);
      assert.deepEqual(await contents(root), before);
    }));
});
