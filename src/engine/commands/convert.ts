import { dirname, join } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Tape } from '../../core/model/tape';
import { secretsLeft } from '../../core/secrets/secretsLeft';
import { syntaxNamed, syntaxOf } from '../../core/syntax/textDocument';
import { type Conversion, convertTape, type Loss } from '../../core/tapes/convert';
import type { TapeFormat, WritableSubset } from '../../core/tapes/format';
import { isNotRead } from '../../core/tapes/notRead';
import { detectFormat } from '../../core/tapes/readTape';
import { formats } from '../../core/tapes/registry';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { isWritable, type WritableFormat } from '../../core/tapes/writableFormat';
import { shellWord } from '../../core/text/shellWord';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, projectPath } from '../files/projectPaths';
import { gzip } from '../files/zlib';
import { findRoot } from '../project/findRoot';
import { withBodies } from '../recording/attachedBodies';
import { type ConvertedFile, nameOfTape, wholeTape } from '../recording/convertible';
import { caseOfFile, tapeOfMadeCase } from '../recording/makeCase';
import { createRecorders } from '../recording/openRecorder';
import { copiedContent, type RecordedContent } from '../recording/recordedContent';
import { readNamedTape } from '../recording/recordedFile';
import { holdsTape, requireRead } from '../recording/replaceTape';
import { requireTapeName } from '../recording/tapeName';
import { exportRecorded } from '../recording/writeRecorded';
import { jsonDocument } from '../reporters/jsonDocument';
import type { ConvertDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, choice, command, flag, JSON_OUTPUT, UsageError } from './command';

const WRITABLE = formats.filter(isWritable);
const ID_WIDTH = Math.max(...WRITABLE.map(({ id }) => id.length));
/** A case is not a tape, but can be made from one. */
const CASE = 'case';

const OPTIONS = {
  to: choice(
    'FORMAT',
    [...formats.map(({ id }) => id), CASE],
    'The format of OUT (default: that of IN, which copies the file byte for byte), or `case`',
  ),
  force: flag('Overwrite OUT if it exists'),
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const convertCommand = command({
  usage: 'IN OUT [--to FORMAT] [--force] [--json]',
  about: 'Write a tape in another format, and report what is lost; IN may be - for stdin',
  options: OPTIONS,
  details: `Formats that can be written:
${WRITABLE.map(({ id, label }) => `  ${id.padEnd(ID_WIDTH)}  ${label}`).join('\n')}

With --to case, IN is the trace or tape of a run, and OUT is a case (.toml) with its prompt and tools; OUT.tape.jsonl is its tape.
What is missing in the trace is reported on stderr.

Where OUT is a folder, a CheckAgent cassette is written to OUT/TEST_ID/HASH.json, as its \`Cassette.cassette_path\` names it.
Bodies that an HTTP archive keeps in files beside it, or in a zip with it, as Playwright does, are put into OUT.
Losses are reported on stderr, by field, with the number of affected interactions.

  --json  {ok, path, format, interactions, kept, losses: [{field, lost, changed}], secrets}; kept is how many
          interactions OUT has; lost and changed count the interactions in which a field was lost or changed; secrets counts
          the secrets of IN that are in OUT; lacks lists what is missing in the trace, with --to case

Exit codes: 0 OUT was written; 2 IN cannot be read, or OUT cannot be written.`,
  examples: [
    'tapedeck convert cassette.yaml refund.tape.json --to mofa',
    'tapedeck convert a.tape.json copy.tape.json',
    'tapedeck convert trace.jsonl cases/refund.toml --to case',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [from, to, ...more] = args.positionals;
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError('name the tape and the file to write');
  const source = pathOfUser(terminal.cwd, from);
  const file = await withBodies(
    await readNamedTape(from, terminal.cwd),
    findRoot(dirname(source), terminal.cwd),
    source,
  );
  const format = detectFormat(file);
  if (format === undefined) {
    throw new UserError(`${from} is not a tape in a known format`, `For details: tapedeck verify ${shellWord(from)}`);
  }
  if (args.options.to === CASE) return convertToCase({ file, format, from, to }, args, terminal);
  const target = targetOf(args.options.to);
  const path = pathOfUser(terminal.cwd, to);
  const isCopy = target === undefined || (target.id === format.id && !hasOtherSyntax(file, target, path));
  const converted = isCopy ? undefined : convert({ file, format, name: from }, target, path);
  const written = converted?.file ?? file;
  const out = await placeOf(path, target ?? format, written);
  const shown = out === path ? to : join(to, fromRoot(path, out));
  await requireFree(findRoot(dirname(out), terminal.cwd), out, shown, args.options.force);
  const isZipped = converted !== undefined && /\.gz$/i.test(out);
  await write(out, shown, copiedContent(isZipped ? gzip(written.bytes) : written.bytes));
  if (converted !== undefined && target !== undefined) {
    noteUnread(converted.tape, terminal);
    report(converted, format, target, terminal);
  }
  if (converted !== undefined && target?.playedWith !== undefined) terminal.note(target.playedWith);
  const interactions = converted?.interactions ?? format.read(file).interactions.length;
  const copied = { interactions, kept: interactions, losses: [] };
  const outcome = { ...(converted ?? copied), isCopy };
  return conclude({ file, from, to: shown, path: out, format: target ?? format, ...outcome }, args, terminal);
}

/** Whether the name of OUT asks for a syntax of the format that IN does not have, as when JSON becomes YAML. */
function hasOtherSyntax({ text }: TapeFile, { extensions }: TapeFormat, path: string): boolean {
  const named = syntaxNamed(path);
  const isOfFormat = extensions.some((extension) => syntaxNamed(`.${extension}`) === named);
  return named !== undefined && isOfFormat && syntaxOf(text) !== named;
}

interface Source {
  readonly file: TapeFile;
  readonly format: TapeFormat;
  readonly from: string;
  readonly to: string;
}

/** Writes a case of a run, and its tape beside it. */
async function convertToCase({ file, format, from, to }: Source, args: Given, terminal: Terminal): Promise<number> {
  if (!/\.toml$/i.test(to)) throw new UsageError('name a case, such as cases/refund.toml');
  const tapeTo = tapeOfMadeCase(to);
  const path = pathOfUser(terminal.cwd, to);
  const tapePath = pathOfUser(terminal.cwd, tapeTo);
  const { tape, toml, tapeText, kept, lacks } = caseOfFile({ file, format, name: from }, path);
  const root = findRoot(dirname(path), terminal.cwd);
  await requireFree(root, path, to, args.options.force);
  await requireFree(root, tapePath, tapeTo, args.options.force);
  await write(tapePath, tapeTo, copiedContent(tapeText));
  await write(path, to, copiedContent(toml));
  noteUnread(tape, terminal);
  if (lacks.length > 0)
    terminal.note(`Missing in the run, or left out of the case:\n${lacks.map((lack) => `  ${lack}`).join('\n')}`);
  const counts = { interactions: tape.interactions.length, kept, losses: [] };
  return conclude({ file, from, to, path, format, isCopy: false, lacks, ...counts }, args, terminal);
}

/** Converts a tape. Throws a `UserError` where it is broken, or nothing of it can be written. */
function convert(source: ConvertedFile, target: WritableFormat, path: string): Conversion & { readonly tape: Tape } {
  const { file, format, name } = source;
  const tape = wholeTape(source);
  const extras = format.unmappedFields?.(file);
  const conversion = convertTape(tape, tape.name || nameOfTape(name), target, extras, { path });
  if (conversion.kept === 0) throw nothingToWrite(name, tape, target);
  return { ...conversion, tape };
}

/** Where the tape is written: the path, or in a folder the place that the format gives to such a tape. */
async function placeOf(path: string, format: TapeFormat, written: TapeFile): Promise<string> {
  if (format.pathInFolder === undefined) return path;
  const there = await fileStatus(path).catch(() => undefined);
  return there?.isFolder === true ? join(path, format.pathInFolder(written)) : path;
}

/** What was written. `from` and `to` are as typed, `path` is absolute. */
interface Written extends Pick<Conversion, 'interactions' | 'kept' | 'losses'> {
  readonly file: TapeFile;
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly format: TapeFormat;
  readonly isCopy: boolean;
  /** Of a case: what the trace lacks. */
  readonly lacks?: readonly string[];
}

async function conclude(written: Written, args: Given, { cwd, env, note, print }: Terminal): Promise<number> {
  const { file, from, to, path, format, interactions, kept, losses, isCopy, lacks } = written;
  const recorder = await createRecorders(env)(findRoot(dirname(pathOfUser(cwd, from)), cwd));
  // A conversion keeps what is on the tape, because it is to lose nothing.
  const secrets = secretsLeft(file, recorder.search).length;
  if (secrets > 0)
    note(`tapedeck: ${to} contains ${quantity(secrets, 'secret')} of ${from}. See: tapedeck verify ${shellWord(from)}`);
  const shown = projectPath(findRoot(dirname(path), cwd), path);
  const members: Omit<ConvertDocument, 'ok'> = {
    path: shown,
    format: lacks === undefined ? format.id : CASE,
    interactions,
    kept,
    losses,
    secrets,
    lacks,
  };
  const what = isCopy ? 'unchanged' : quantity(kept, 'interaction');
  const label = lacks === undefined ? format.label : 'case with its tape';
  print(args.options.json ? jsonDocument<ConvertDocument>(true, members) : `${to}: ${label}, ${what}\n`);
  return EXIT_CODES.ok;
}

/** The format to write. Throws a `UserError` with the reason where tapes cannot be written in it. */
function targetOf(id: string | undefined): WritableFormat | undefined {
  const named = formats.find((format) => format.id === id);
  if (named === undefined || isWritable(named)) return named;
  const why = named.notWritableReason ?? 'Tapedeck can read this format but cannot write it.';
  throw new UserError(`--to ${named.id}: tapes cannot be written as ${named.label}. ${why}`, WRITABLE_FORMATS);
}

const WRITABLE_FORMATS = `Formats that can be written: ${WRITABLE.map(({ id }) => id).join(', ')}.`;

function nothingToWrite(from: string, { interactions }: Tape, { label, writableSubset }: WritableFormat): UserError {
  if (interactions.length === 0)
    return new UserError(`${from} has no interactions`, 'Record it first, then convert it.');
  return new UserError(
    `${from}: none of its ${quantity(interactions.length, 'interaction')} can be written as ${label}${subsetNote(writableSubset)}`,
    `Choose another format. ${WRITABLE_FORMATS}`,
  );
}

function subsetNote(subset: WritableSubset | undefined): string {
  return subset === undefined ? '' : `, which only stores ${subset.description}`;
}

async function requireFree(root: string, path: string, shown: string, force: boolean): Promise<void> {
  const there = await fileStatus(path).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${shown}: ${systemReason(error)}`, 'Name another file.');
  });
  if (there === undefined) return requireTapeName(root, path);
  if (there.isFolder) throw new UserError(`${shown} is a folder`, 'Name the file to write.');
  if (!there.isFile) return;
  if (!force) throw new UserError(`${shown} already exists`, 'Name another file, or overwrite it with --force.');
  // What is overwritten is a tape, and all of it was understood.
  if (await holdsTape(path)) await requireRead(path);
}

async function write(path: string, shown: string, content: RecordedContent): Promise<void> {
  try {
    await exportRecorded(path, content);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(
      `${shown} cannot be written: ${systemReason(error)}`,
      'Name a file in a folder that you can write to.',
    );
  }
}

/** Content of a file beside its interactions that was not read, and so is not in OUT. */
function noteUnread({ problems }: Tape, { note }: Terminal): void {
  for (const { message } of problems.filter(isNotRead)) note(message);
}

function report(conversion: Conversion, from: TapeFormat, to: TapeFormat, { note }: Terminal): void {
  const { losses, affected, interactions, kept, isReordered, undated } = conversion;
  if (kept < interactions)
    note(
      `${interactions - kept} of ${quantity(interactions, 'interaction')} cannot be written as ${to.label}${subsetNote(to.writableSubset)}`,
    );
  if (isReordered) note(`${to.label} keeps interactions by what they answer: they are in another order there`);
  if (undated > 0)
    note(
      `${undated} of ${quantity(interactions, 'interaction')} ${undated === 1 ? 'has' : 'have'} no date. ${to.label} needs one, so 1970 stands for it; Tapedeck reads that as no date`,
    );
  if (losses.length === 0) return;
  note(
    `${to.label} cannot store everything in this ${from.label}: ${affected} of ${quantity(interactions, 'interaction')} ${affected === 1 ? 'loses' : 'lose'} data`,
  );
  for (const loss of losses) note(`  ${loss.field}: ${lossText(loss, interactions)}`);
}

function lossText({ lost, changed }: Loss, interactions: number): string {
  const parts = [...(lost > 0 ? [`lost in ${lost}`] : []), ...(changed > 0 ? [`changed in ${changed}`] : [])];
  return `${parts.join(', ')} of ${interactions}`;
}
