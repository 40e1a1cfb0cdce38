import { basename } from 'node:path';
import type { MadeCase, MakeCaseApi, MakeCaseParams } from '../../contracts/engine/makeCase';
import { caseOfRun, tapeOfCase } from '../../core/cases/toml/caseOfRun';
import type { Tape } from '../../core/model/tape';
import { secretsLeft } from '../../core/secrets/secretsLeft';
import { detectFormat } from '../../core/tapes/readTape';
import { formats } from '../../core/tapes/registry';
import { isWritable } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { projectPath } from '../files/projectPaths';
import { type ConvertedFile, nameOfTape, wholeTape } from './convertible';
import { createRecorders } from './openRecorder';
import { copiedContent } from './recordedContent';
import { readNamedTape } from './recordedFile';
import { requireTapeName } from './tapeName';
import { writeRecorded } from './writeRecorded';

/** The tape format of a case that is made from a run. */
const TAPE_OF_CASE = 'tapedeck';

/** The tape of such a case: the file beside it. */
export function tapeOfMadeCase(casePath: string): string {
  return casePath.replace(/\.toml$/i, '.tape.jsonl');
}

/** The texts of a case and of its tape. */
interface CaseTexts {
  /** The run that they are made from. */
  readonly tape: Tape;
  readonly toml: string;
  readonly tapeText: string;
  /** How many interactions the new tape has. */
  readonly kept: number;
  /** What the run lacks, as phrases. */
  readonly lacks: readonly string[];
}

/** Makes a case from a run in a file. Throws a `UserError` if it has no prompt, or cannot be read as a whole. */
export function caseOfFile(source: ConvertedFile, casePath: string): CaseTexts {
  const tape = wholeTape(source);
  const names = { name: basename(casePath).replace(/\.toml$/i, ''), tape: basename(tapeOfMadeCase(casePath)) };
  const made = caseOfRun(tape, names);
  if (made === undefined)
    throw new UserError(
      () => t('{0} has no prompt', source.name),
      () => t('A case needs a request with a user message.'),
    );
  const format = formats.filter(isWritable).find(({ id }) => id === TAPE_OF_CASE);
  if (format === undefined) throw new Error(`${TAPE_OF_CASE} cannot be written`);
  const tapeText = tapeOfCase(tape.name || nameOfTape(source.name), made, format);
  return { tape, toml: made.toml, tapeText, kept: made.interactions.length, lacks: made.lacks };
}

export const makeCaseApi: MakeCaseApi = { makeCase };

/** Writes a case made from a run into a project, and its tape beside it. Both are new files. */
async function makeCase({ root, tapePath, casePath }: MakeCaseParams): Promise<MadeCase> {
  const name = projectPath(root, tapePath);
  const file = await readNamedTape(tapePath, root);
  const format = detectFormat(file);
  if (format === undefined) throw new UserError(() => t('{0} is not a tape in a known format', name));
  const newTape = tapeOfMadeCase(casePath);
  const { tape, toml, tapeText, kept, lacks } = caseOfFile({ file, format, name }, casePath);
  for (const path of [casePath, newTape])
    if (pathExists(path))
      throw new UserError(
        () => t('{0} already exists', projectPath(root, path)),
        () => t('Choose another name for the case.'),
      );
  requireTapeName(root, newTape);
  await writeRecorded(root, newTape, copiedContent(tapeText));
  await writeRecorded(root, casePath, copiedContent(toml));
  const { search } = await createRecorders(process.env)(root);
  return { interactions: tape.interactions.length, kept, lacks, secrets: secretsLeft(file, search).length };
}
