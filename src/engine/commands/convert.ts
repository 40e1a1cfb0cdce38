import { basename, dirname, join, relative, resolve } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Tape } from '../../core/model/tape';
import { secretsLeft } from '../../core/secrets/secretsLeft';
import { type Conversion, convertTape, type Loss } from '../../core/tapes/convert';
import type { TapeFormat, WritableSubset } from '../../core/tapes/format';
import { detectFormat } from '../../core/tapes/readTape';
import { formats } from '../../core/tapes/registry';
import { decodeTapeFile, type TapeFile } from '../../core/tapes/tapeFile';
import { isWritable, type WritableFormat } from '../../core/tapes/writableFormat';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { gzip } from '../files/zlib';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { copiedContent, type RecordedContent } from '../recording/recordedContent';
import { readNamedFile } from '../recording/recordedFile';
import { holdsTape } from '../recording/replaceTape';
import { requireTapeName } from '../recording/tapeName';
import { exportRecorded } from '../recording/writeRecorded';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, type CliCommand, UsageError } from './command';

const WRITABLE = formats.filter(isWritable);

export const convertCommand: CliCommand = {
  name: 'convert',
  usage: 'IN OUT [--to FORMAT] [--force]',
  about: 'Write a tape in another format, and report what is lost',
  options: {
    to: {
      value: 'FORMAT',
      about: 'The format of OUT (default: that of IN, which copies the file byte for byte)',
      choices: formats.map(({ id }) => id),
    },
    force: { about: 'Overwrite OUT if it exists' },
  },
  details: `Formats that can be written:
${WRITABLE.map(({ id, label }) => `  ${id.padEnd(18)}  ${label}`).join('\n')}

Where OUT is a folder, a CheckAgent cassette is written to OUT/TEST_ID/HASH.json, as its \`Cassette.cassette_path\` names it.
Losses are reported on stderr, by field, with the number of affected interactions.

Exit codes: 0 OUT was written; 2 IN cannot be read, or OUT cannot be written.`,
  examples: [
    'tapedeck convert cassette.yaml refund.tape.json --to mofa',
    'tapedeck convert a.tape.json copy.tape.json',
  ],
  run,
};

async function run(args: Arguments, terminal: Terminal): Promise<number> {
  const [from, to, ...more] = args.positionals;
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError('name the tape and the file to write');
  const file = decodeTapeFile(from, await readNamedFile(from, terminal.cwd));
  const format = detectFormat(file);
  if (format === undefined) {
    throw new UserError(`${from} is not a tape in a known format`, `For details: tapedeck verify ${from}`);
  }
  const target = targetOf(args.text('to'));
  const path = resolve(terminal.cwd, to);
  const converted = target === undefined || target.id === format.id ? undefined : convert(file, format, target, from);
  const written = converted === undefined ? file : decodeTapeFile(path, Buffer.from(converted.text));
  const out = await placeOf(path, target ?? format, written);
  const shown = out === path ? to : join(to, relative(path, out));
  await requireFree(findRoot(dirname(out), terminal.cwd), out, shown, args.has('force'));
  const isZipped = converted !== undefined && /\.gz$/i.test(out);
  await write(out, shown, copiedContent(isZipped ? gzip(converted.text) : written.bytes));
  if (converted !== undefined && target !== undefined) report(converted, format, target, terminal);
  await noteSecrets(file, from, shown, terminal);
  const what = converted === undefined ? 'unchanged' : quantity(converted.kept, 'interaction');
  terminal.print(`${shown}: ${(target ?? format).label}, ${what}\n`);
  return EXIT_CODES.ok;
}

/** Converts a tape. Throws a `UserError` where it is broken, or nothing of it can be written. */
function convert(file: TapeFile, format: TapeFormat, target: WritableFormat, from: string): Conversion {
  const tape = wholeTape(file, format, from);
  const conversion = convertTape(tape, tape.name || nameOf(from), target, format.unmappedFields?.(file));
  if (conversion.kept === 0) throw nothingToWrite(from, tape, target);
  return conversion;
}

/** Where the tape is written: the path, or in a folder the place that the format gives to such a tape. */
async function placeOf(path: string, format: TapeFormat, written: TapeFile): Promise<string> {
  if (format.pathInFolder === undefined) return path;
  const there = await fileStatus(path).catch(() => undefined);
  return there?.isFolder === true ? join(path, format.pathInFolder(written)) : path;
}

/** Tells of secrets: a conversion keeps what is on the tape, because it is to lose nothing. */
async function noteSecrets(file: TapeFile, from: string, to: string, { cwd, env, note }: Terminal): Promise<void> {
  const recorder = await createRecorders(env)(findRoot(dirname(resolve(cwd, from)), cwd));
  const { length } = secretsLeft(file, recorder.search);
  if (length > 0)
    note(`tapedeck: ${to} contains ${quantity(length, 'secret')} of ${from}. See: tapedeck verify ${from}`);
}

/** The format to write. Throws a `UserError` with the reason where tapes cannot be written in it. */
function targetOf(id: string | undefined): WritableFormat | undefined {
  const named = formats.find((format) => format.id === id);
  if (named === undefined || isWritable(named)) return named;
  const why = named.notWritableReason ?? 'Tapedeck can read this format but cannot write it.';
  throw new UserError(`--to ${named.id}: tapes cannot be written as ${named.label}. ${why}`, WRITABLE_FORMATS);
}

const WRITABLE_FORMATS = `Formats that can be written: ${WRITABLE.map(({ id }) => id).join(', ')}.`;

/** Refuses a broken tape: what cannot be read would be missing from the new one without notice. */
function wholeTape(file: TapeFile, format: TapeFormat, from: string): Tape {
  const tape = format.read(file);
  const problem = tape.problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return tape;
  throw new UserError(`${from}: ${problem.message}`, `For details: tapedeck verify ${from}`);
}

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

/** The name of a file without its extensions, for a tape without a name. */
function nameOf(path: string): string {
  return basename(path).replace(/(?:\.tape)?\.[^.]+(?:\.gz)?$/, '');
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
  // What is overwritten is a tape.
  await holdsTape(path);
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

function report(conversion: Conversion, from: TapeFormat, to: TapeFormat, { note }: Terminal): void {
  const { losses, affected, interactions, kept } = conversion;
  if (kept < interactions)
    note(
      `${interactions - kept} of ${quantity(interactions, 'interaction')} cannot be written as ${to.label}${subsetNote(to.writableSubset)}`,
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
