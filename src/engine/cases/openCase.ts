import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { CaseKindId, ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { unreadableReasons } from '../../core/cases/unreadable/unreadableKind';
import type { Failure } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { readDocuments } from '../../core/tapes/documents';
import { detectFormat } from '../../core/tapes/readTape';
import { tapeFileFromText } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import { noticesIn, says } from '../../core/text/notice';
import { shellWord } from '../../core/text/shellWord';
import { errorsIn } from '../../core/text/source';
import { utf8Text } from '../../core/text/utf8Text';
import { CaseError, caseFailure, problemsInCase } from '../errors/failures';
import { isSystemError, systemReason } from '../errors/systemError';
import { hidingSecrets } from '../execution/hideExecution';
import type { CaseFile, RunnableCase } from '../execution/runnableCase';
import { withSlashes } from '../files/projectPaths';
import { readBytes } from '../files/readFile';

/** A case with the file as it was read. */
interface OpenedCase extends RunnableCase {
  readonly file: CaseFile;
}

type Opener = (file: CaseFile) => RunnableCase | Promise<RunnableCase>;

/** The opener of each kind of written case, loaded when the first case of that kind is run. */
const OPENERS: Record<CaseKindId, () => Promise<Opener>> = {
  toml: async () => (await import('./kinds/toml')).openToml,
  loader: async () => (await import('./kinds/loader')).openLoader,
  'mofa-scenario': async () => (await import('./kinds/mofaScenario')).openMofaScenario,
  'mofa-agent-scenario': async () => (await import('./kinds/mofaAgentScenario')).openAgentScenario,
  'mofa-golden': async () => (await import('./kinds/mofaGolden')).openGolden,
  'mofa-assertions': async () => openIncomplete,
  unreadable: async () => openIncomplete,
  'flakestorm-profile': async () => openIncomplete,
  'flakestorm-session': async () => (await import('../flakestorm/openFlakestorm')).openSession,
  'flakestorm-config': async () => (await import('../flakestorm/openFlakestorm')).openFlakestorm,
};

/**
 * Opens the case at an address; its runs hide secrets. `read` is the text of its file, where that has been read already. Rejects
 * with a `CaseError` with the position of what is invalid, or with what is missing.
 */
export async function openCase(address: string, name: string, read?: string): Promise<OpenedCase> {
  const { path, id } = parseCaseAddress(address);
  const fileName = parseCaseAddress(name).path;
  // A replacement character may stand for bytes that are no UTF-8.
  const text = read?.includes('\uFFFD') === false ? read : await readCase(path, fileName);
  const slashed = withSlashes(path);
  const kind = caseKindOf(text, slashed);
  if (id !== undefined) requireSeveral(kind?.list(text, slashed).cases ?? [], fileName, id);
  const file = { path, name: fileName, text, ...(id === undefined ? {} : { id }) };
  if (kind === undefined && !/\.toml$/i.test(path)) throw notACase(file);
  if (kind !== undefined && 'format' in kind)
    return { ...hidingSecrets((await import('./kinds/recordedTape')).openRecordedTape(file, kind)), file };
  // `test-dsl` and a case that is being written: any TOML file that is named may become a case.
  if (kind === undefined && !/\.toml$/i.test(path)) throw new CaseError(noCaseIn(file));
  const open = await OPENERS[kind?.id ?? 'toml']();
  return { ...hidingSecrets(await open(file)), file };
}

/** Why a file that is no TOML is not a case: what is wrong with its syntax, or what it is instead. */
function notACase({ name, path, text }: CaseFile): CaseError {
  const tape = tapeFileFromText(text, path);
  const broken = problemsInCase(name, text, () => errorsIn(readDocuments(tape).problems).slice(0, 1));
  if (broken.length > 0) return new CaseError(broken);
  if (detectFormat(tape) !== undefined)
    return new CaseError([
      caseFailure(
        () => t('{0} is a tape, not a case', name),
        () => t('To read it: tapedeck inspect {0}', shellWord(name)),
      ),
    ]);
  return new CaseError([
    caseFailure(
      () => t('{0} is not a case of a known kind', name),
      () => t('A case is a .toml file, or a case file of MoFA, Flakestorm, Loader, CheckAgent or Reyn.'),
    ),
  ]);
}

/** Rejects an id for a file that is a single case. Of several cases, the opener checks the id. */
function requireSeveral(cases: readonly ListedCase[], name: string, id: string): void {
  if (cases.length > 0 && cases.every((listed) => listed.id === undefined))
    throw new CaseError([
      caseFailure(
        () => t('{0} has no case {1}', name, id),
        () => t('The file is a single case: omit #{0}.', id),
      ),
    ]);
}

/** Why a file holds no case, at the position where it cannot be read. */
function noCaseIn({ name, text }: CaseFile): readonly Failure[] {
  const problems = problemsInCase(name, text, () => unreadableReasons(text, name));
  if (problems.length > 0) return problems;
  const fix = () =>
    t('Name a case: TOML with a prompt, or a case file of MoFA, Flakestorm, Loader, CheckAgent or Reyn.');
  return [caseFailure(() => t('{0} is not a case of a known kind', name), fix)];
}

/** Rejects a file that supports cases but is not one, with what it lacks. */
function openIncomplete({ path, name, text }: CaseFile): RunnableCase {
  const slashed = withSlashes(path);
  const list = () => caseKindOf(text, slashed)?.list(text, slashed);
  const problems = problemsInCase(name, text, () => list()?.problems ?? []);
  if (problems.length > 0) throw new CaseError(problems);
  const { made, saidIn } = noticesIn(list);
  const lacking = made?.cases.flatMap(({ lacks }) => lacks ?? []) ?? [];
  throw new CaseError(lacking.map((lacks) => caseFailure(() => `${name}: ${says(saidIn(lacks))}`)));
}

async function readCase(path: string, name: string): Promise<string> {
  const bytes = await readBytes(path, FILE_LIMITS.tape).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    throw new CaseError([
      caseFailure(
        () => `${name}: ${systemReason(error)}`,
        () => t('Correct the path of the case.'),
      ),
    ]);
  });
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  throw new CaseError([
    caseFailure(
      () => t('{0}: the file is not UTF-8', name),
      () => t('Save it as UTF-8, or restore it from version control.'),
    ),
  ]);
}
