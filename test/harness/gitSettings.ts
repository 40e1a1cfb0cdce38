import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  // `*` stands for several, such as those of `advice.*`.
  const keys = listed.map((line) => line.replace(/<[^>]*>/g, 'mark').replace(/\*/g, 'mark'));
  return [...new Set(keys.filter((key) => /^[a-z][a-z0-9-]*\.(?:.+\.)?[a-z][a-z0-9-]*$/i.test(key)))];
}

/**
 * Tries git's settings in a repository whose files all have attributes: first in groups, to leave out those that git refuses
 * with such a value, then all others together, with everything that the editor and the gates ask for.
 */
export async function tryGitSettings(onProgress: (text: string) => void): Promise<TriedSettings> {
  const keys = knownSettings();
  const refused: string[] = [];
  const ran: string[] = [];
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
      const set = async (chosen: readonly string[]): Promise<void> => {
        const written = chosen.map((key) => settingText(key, program));
        writeFileSync(project.path('.git/config'), [config, ...written].join(''));
        for (const path of ['a.tape.json', 'b.tape.json']) await project.write(path, NEW);
      };
      const hasRun = (): boolean => {
        const found = readdirSync(outside.root).includes('mark');
        if (found) rmSync(outside.path('mark'));
        return found;
      };
      const accepted = async (group: readonly string[]): Promise<readonly string[]> => {
        await set(group);
        const isRefused = !(await isListed(project.root));
        const isRun = hasRun();
        if (!isRefused && !isRun) return group;
        if (group.length > 1) {
          const middle = Math.ceil(group.length / 2);
          return [...(await accepted(group.slice(0, middle))), ...(await accepted(group.slice(middle)))];
        }
        (isRun ? ran : refused).push(...group);
        return [];
      };
      const usable: string[] = [];
      for (let at = 0; at < keys.length; at += GROUP) {
        usable.push(...(await accepted(keys.slice(at, at + GROUP))));
        onProgress(`${Math.min(at + GROUP, keys.length)} of ${keys.length}`);
      }
      await set(usable);
      if (!(await isListed(project.root))) throw new Error('git refuses all of these settings together');
      await askEverything(project.root);
      if (hasRun()) ran.push(...usable);
    });
  });
  return { tried: keys.length, refused: refused.length, ran };
}

const GROUP = 32;

function settingText(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} "${key.slice(first + 1, last)}"`;
  return `[${section}]\n\t${key.slice(last + 1)} = ${value}\n`;
}

/** False when git refuses the repository. */
async function isListed(root: string): Promise<boolean> {
  try {
    await listReviews(root, { type: 'worktree' });
    return true;
  } catch {
    return false;
  }
}

/** Whatever is refused, the rest is asked for. */
async function askEverything(root: string): Promise<void> {
  const reviews = new Reviews();
  const settle = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
  await settle(listReviews(root, { type: 'staged' }));
  await settle(listReviews(root, { type: 'since', revision: 'HEAD~1' }));
  for (const [path, verdict] of [
    ['a.tape.json', 'accepted'],
    ['b.tape.json', 'rejected'],
  ] as const) {
    const subject = { kind: 'tape', path } as const;
    const review = await settle(reviews.open({ root, subject }));
    if (review === undefined) continue;
    const changes = review.changes.map(({ id }) => id);
    await settle(reviews.decide({ root, subject, verdict, changes, stamp: review.stamp }));
    await settle(reviews.stage({ root, subject }));
    await settle(reviews.undo({ root, subject }));
  }
}
