import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { findSharedTapes, type TapeUser } from '../../core/cases/sharedTapes';
import { readCase } from '../../core/cases/toml/readCase';
import type { CaseRules } from '../../core/model/normalise';
import { writeCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/filePatterns';
import { t } from '../../core/text/l10n';
import { CaseError } from '../errors/failures';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readTextIfPossible } from '../files/readFile';
import { walkFiles } from '../files/walkFiles';
import { projectProvider } from './projectConfig';

/** Files of a project as they were before, by their absolute paths; undefined for one that was not there. */
export type EarlierTexts = ReadonlyMap<string, string | undefined>;

/** A case with the tapes that it uses, and what it has in `[normalise]`. */
export interface CaseUser extends TapeUser {
  readonly rules?: CaseRules;
}

/** The users of each tape of a project that one of them records, by the absolute path of the tape. */
export async function sharedTapesIn(root: string): Promise<ReadonlyMap<string, readonly TapeUser[]>> {
  return findSharedTapes(await tapeUsersIn(root));
}

/** The cases of a project, with the tapes that they name. */
export async function tapeUsersIn(root: string, earlier: EarlierTexts = new Map()): Promise<readonly CaseUser[]> {
  const hasProvider = (await providerOf(root)) !== undefined;
  return [...textsIn(root, earlier, mayHoldCases)].flatMap(({ path, text }) => {
    const rules = caseRulesIn(path, text);
    const cases = casesIn(path, text).map((listed) => tapeUser(root, path, listed, hasProvider));
    return rules === undefined ? cases : cases.map((user) => ({ ...user, rules }));
  });
}

/** Whether a case of the project may have rules of its own: a quick look, for only a case in TOML has any. */
export function mayHaveCaseRules(root: string, earlier: EarlierTexts = new Map()): boolean {
  for (const { text } of textsIn(root, earlier, (path) => path.endsWith('.toml')))
    if (text.includes('normalise')) return true;
  return false;
}

/** A case with its tapes, by paths from the root. */
export interface TapesOfCase {
  readonly path: string;
  /** The one that a recording of it makes. */
  readonly recorded?: string;
  readonly tapes: readonly string[];
}

/** The files of a project that may hold cases. */
export function caseFilesIn(root: string): readonly string[] {
  return filesIn(root, mayHoldCases);
}

/** The cases of a file, with the tapes that they name. */
export function namedTapes(root: string, file: string): readonly TapesOfCase[] {
  const text = readTextIfPossible(file, FILE_LIMITS.case) ?? '';
  const kind = caseKindOf(text, withSlashes(file));
  if (kind !== undefined && 'format' in kind) {
    const path = fromRoot(root, file);
    return [{ path, recorded: path, tapes: [path] }];
  }
  return casesIn(file, text).map((listed) => {
    const { label, tapes } = tapeUser(root, file, listed, true);
    const [first] = tapes;
    const recorded = listed.recordedTape === undefined ? first : pathOfUser(dirname(file), listed.recordedTape);
    return {
      path: label,
      ...(recorded !== undefined && { recorded: fromRoot(root, recorded) }),
      tapes: [...new Set([...tapes, ...(recorded === undefined ? [] : [recorded])])].map((tape) =>
        fromRoot(root, tape),
      ),
    };
  });
}

function filesIn(root: string, isWanted: (path: string) => boolean): readonly string[] {
  const { paths } = walkFiles([root], {
    isWanted: (path) => isWanted(withSlashes(path)),
    rootOf: () => root,
    fix: t('Name a folder that exists.'),
  });
  return paths;
}

/** The wanted files, one after the other: some may be large. */
function* textsIn(root: string, earlier: EarlierTexts, isWanted: (path: string) => boolean) {
  const paths = filesIn(root, isWanted);
  const before = [...earlier.keys()].filter((path) => isWanted(withSlashes(path)));
  for (const path of new Set([...paths, ...before])) {
    const text = earlier.has(path) ? earlier.get(path) : readTextIfPossible(path, FILE_LIMITS.case);
    if (text !== undefined) yield { path, text };
  }
}

/** What a case has in `[normalise]`. Other kinds than that in TOML have no rules of their own, nor has a case with errors. */
export function caseRulesIn(path: string, text: string): CaseRules | undefined {
  return caseKindOf(text, withSlashes(path))?.id === 'toml' ? readCase(text).value?.normalise : undefined;
}

/** The provider of `tapedeck.toml`; undefined if that file is invalid, which others report. */
async function providerOf(root: string): Promise<unknown> {
  try {
    return await projectProvider(root);
  } catch (error) {
    if (error instanceof CaseError) return undefined;
    throw error;
  }
}

/** The cases that a file lists. A tape that is a case by itself uses no other. */
function casesIn(path: string, text: string): readonly ListedCase[] {
  const kind = caseKindOf(text, withSlashes(path));
  return kind === undefined || 'format' in kind ? [] : kind.list(text, withSlashes(path)).cases;
}

function tapeUser(root: string, file: string, listed: ListedCase, hasProvider: boolean): TapeUser {
  const { id, tapes, recordedTape, provider, ownAgent, asks } = listed;
  const fromCase = (tape: string): string => pathOfUser(dirname(file), tape);
  const callsSomeone = provider !== undefined || ownAgent !== undefined || asks !== undefined || hasProvider;
  return {
    file,
    label: fromRoot(root, writeCaseAddress({ path: file, id })),
    tapes: tapes.map(fromCase),
    ...(recordedTape !== undefined && callsSomeone && { records: fromCase(recordedTape) }),
  };
}
