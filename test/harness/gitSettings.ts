import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { listReviews } from '../../src/engine/review/changedReviews';
import { Reviews } from '../../src/engine/review/decide';
import { inProject } from './builtEngine';
import { git, inRepository, NEW, OLD } from './repository';

export interface TriedSettings {
  readonly tried: number;
  /** How many of them git refuses with such a value, before it does anything. */
  readonly refused: number;
  /** Those by which a program ran. */
  readonly ran: readonly string[];
}

/** Every setting that this git knows, with `mark` in place of a name in it. */
function knownSettings(): readonly string[] {
  const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
  const keys = listed.filter((line) => /^[a-z][\w-]*\.\S+$/i.test(line));
  // `*` stands for several, such as the colours of `advice.*`.
  return [...new Set(keys.map((key) => key.replace(/<[^>]*>/g, 'mark').replace(/\*/g, 'mark')))];
}

/** Tries each of git's settings in a repository of its own kind: what is asked for is what the editor and the gates ask for. */
export async function tryGitSettings(onProgress: (done: number, all: number) => void): Promise<TriedSettings> {
  const keys = knownSettings();
  const ran: string[] = [];
  let refused = 0;
  await inProject({}, async (outside) => {
    const program = outside.path('run');
    writeFileSync(program, `#!/bin/sh\necho x >> "${outside.path('mark')}"\ncat\n`);
    chmodSync(program, 0o755);
    const files = { 'a.tape.json': OLD, 'b.tape.json': OLD, 'gone.tape.json': OLD };
    await inRepository(files, async (project) => {
      await project.write('.gitattributes', '* filter=mark diff=mark merge=mark\n');
      git(project, 'add', '.');
      git(project, 'commit', '-qm', 'second');
      const config = readFileSync(project.path('.git/config'), 'utf8');
      for (const [index, key] of keys.entries()) {
        onProgress(index, keys.length);
        writeFileSync(project.path('.git/config'), config);
        git(project, 'config', '--file', '.git/config', key, program);
        await project.write('a.tape.json', NEW);
        await project.write('b.tape.json', NEW);
        if (!(await askEverything(project.root))) refused += 1;
        if (readdirSync(outside.root).includes('mark')) {
          ran.push(key);
          execFileSync('rm', [outside.path('mark')]);
        }
      }
    });
  });
  return { tried: keys.length, refused, ran };
}

/** False when git refuses the repository. */
async function askEverything(root: string): Promise<boolean> {
  const reviews = new Reviews();
  try {
    await listReviews(root, { type: 'worktree' });
  } catch {
    return false;
  }
  const settle = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
  await settle(listReviews(root, { type: 'staged' }));
  await settle(listReviews(root, { type: 'since', revision: 'HEAD~1' }));
  for (const [path, verdict] of [
    ['a.tape.json', 'accepted'],
    ['b.tape.json', 'rejected'],
  ] as const) {
    const subject = { kind: 'tape', path } as const;
    const review = await reviews.open({ root, subject });
    if (review === undefined) continue;
    const changes = review.changes.map(({ id }) => id);
    await settle(reviews.decide({ root, subject, verdict, changes, stamp: review.stamp }));
    await settle(reviews.stage({ root, subject }));
    await settle(reviews.undo({ root, subject }));
  }
  return true;
}
