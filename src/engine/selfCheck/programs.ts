import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readCase } from '../../core/cases/toml/readCase';
import type { Case } from '../../core/model/case';
import { joinedByCommas } from '../../core/text/joinedByCommas';
import { message, t } from '../../core/text/l10n';
import { findCases } from '../cases/findCases';
import { UserError } from '../errors/userError';
import { fileStatus, sizeOfFile } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readText } from '../files/readFile';
import { isWindowsProgram } from '../process/windowsCommand';
import { createRootFinder } from '../project/findRoot';
import type { Check } from './check';

/** A program that a case starts. */
interface Wanted {
  readonly program: string;
  /** The folder that a relative path starts from. */
  readonly folder: string;
  /** The case, from the folder that is checked. */
  readonly casePath: string;
  /** Only a recording starts it. */
  readonly forRecording: boolean;
}

const SHOWN_CASES = 3;

const NAME = message('programs of cases');

/** Checks that the programs exist which the cases of a folder start: agents, and tools that recordings call. */
export async function programs(folder: string): Promise<readonly Check[]> {
  const all = await wantedIn(folder);
  const found: string[] = [];
  const missing: Check[] = [];
  for (const program of new Set(all.map((one) => one.program))) {
    const lacking: Wanted[] = [];
    for (const one of all) if (one.program === program && !(await isThere(one))) lacking.push(one);
    if (lacking.length === 0) found.push(program);
    else missing.push(missingProgram(program, lacking));
  }
  if (found.length === 0) return missing;
  return [{ name: NAME, state: 'ok', says: t('{0}, which cases here start', joinedByCommas(found)) }, ...missing];
}

async function wantedIn(folder: string): Promise<readonly Wanted[]> {
  const wanted: Wanted[] = [];
  for (const path of await tomlCases(folder)) {
    const { value } = readCase(await readText(path, FILE_LIMITS.tape).catch(() => ''));
    if (value !== undefined) wanted.push(...wantedBy(value, path, fromRoot(folder, path)));
  }
  return wanted;
}

async function tomlCases(folder: string): Promise<readonly string[]> {
  try {
    const { casePaths } = await findCases([folder], createRootFinder(folder));
    return casePaths.filter((path) => path.endsWith('.toml'));
  } catch (error) {
    // A folder without a case needs no program.
    if (error instanceof UserError) return [];
    throw error;
  }
}

function wantedBy({ agent: { external }, tools }: Case, path: string, casePath: string): readonly Wanted[] {
  const folder = dirname(path);
  const agents =
    external?.kind === 'program' ? [{ program: external.command[0], folder: join(folder, external.cwd) }] : [];
  const called = tools.map(({ source }) => ({
    program: source?.kind === 'command' ? source.command[0] : undefined,
    folder,
  }));
  return [
    ...agents.map((one) => ({ ...one, forRecording: false })),
    ...called.map((one) => ({ ...one, forRecording: true })),
  ].flatMap(({ program, ...rest }) => (program === undefined ? [] : [{ program, casePath, ...rest }]));
}

/** Looks a program up as it would be started; nothing is started. */
async function isThere({ program, folder }: Wanted): Promise<boolean> {
  const { env, platform } = process;
  if (platform === 'win32') return isWindowsProgram(program, { cwd: folder, environment: env, sizeOf: sizeOfFile });
  const isPath = program.includes('/');
  const folders = isPath ? [''] : (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  for (const place of folders) {
    const status = await fileStatus(resolve(folder, place, program)).catch(() => undefined);
    if (status?.isFile && status.isExecutable) return true;
  }
  return false;
}

function missingProgram(program: string, wanted: readonly Wanted[]): Check {
  const cases = [...new Set(wanted.map(({ casePath }) => casePath))];
  const more = cases.length - SHOWN_CASES;
  const some = joinedByCommas(cases.slice(0, SHOWN_CASES));
  const shown = more > 0 ? t('{0} and {1} more', some, more) : some;
  const isForRecording = wanted.every(({ forRecording }) => forRecording);
  const says = isForRecording
    ? t('{0} is not installed: recordings of {1} cannot start it', program, shown)
    : t('{0} is not installed: {1} cannot start it', program, shown);
  const fix = t('Install {0}, or change `command` of these cases.', program);
  return { name: NAME, state: isForRecording ? 'absent' : 'broken', says, fix };
}
