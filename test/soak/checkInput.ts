import type { Tape } from '../../src/core/model/tape';
import type { TapeFormat } from '../../src/core/tapes/format';
import { plainInteraction } from '../../src/core/tapes/lazyTape';
import { detectFormat } from '../../src/core/tapes/readTape';
import { decodeTapeFile, encodeTapeFile, type TapeFile } from '../../src/core/tapes/tapeFile';
import type { Problem, Span } from '../../src/core/text/source';
import { applySplices } from '../../src/core/text/splice';
import { verifyFile } from '../../src/core/verify/verifyFile';
import { Random } from './random';

/** An invariant that did not hold. The same invariant with the same detail is the same bug. */
export interface Failure {
  readonly invariant: string;
  readonly detail: string;
}

export interface Outcome {
  /** The format under test recognises the input. */
  readonly claimed: boolean;
  readonly edited: boolean;
  readonly failure?: Failure;
}

const ANSWERS: readonly [string, ...string[]] = [
  'x',
  '',
  'two\nlines\n',
  ' "quoted", it\'s: # no comment',
  '\ttab\\ \\n \\u0041',
  'é 漢 \u{1F600}\u2028\u0085\u00a0',
  '{"a": [1, null]}',
  '- 1\n- 2',
  'data: x\n\ndata: [DONE]',
  'a'.repeat(300),
  'word '.repeat(60),
];

/**
 * Does with an input what Tapedeck does with a file: every input is looked at, read, each of its interactions is
 * understood, and it is written as it is. What takes as long again is done with some: an input in twenty is shown to
 * every format, and read by the one that claims it; one in twenty is verified; one in ten repaired; one in five edited.
 */
export function checkInput(format: TapeFormat, path: string, bytes: Uint8Array, seed: number): Outcome {
  let claimed = false;
  let edited = false;
  try {
    const random = new Random(seed);
    const file = decodeTapeFile(path, bytes);
    checkBytes(file, bytes);
    claimed = format.looksLike(file);
    const tape = format.read(file);
    checkTape(file, tape);
    const chosen = random.next();
    if (chosen < 0.05) checkDetected(file);
    else if (chosen < 0.1) checkVerified(file);
    else if (chosen < 0.2) checkRepairs(format, file);
    else if (chosen < 0.4) edited = checkEdit(format, file, tape, random);
    return { claimed, edited };
  } catch (error) {
    return { claimed, edited, failure: error instanceof Broken ? error.failure : thrown(error) };
  }
}

class Broken extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

function broken(invariant: string, detail: string): never {
  throw new Broken({ invariant, detail });
}

/** Told apart by what was thrown and where, not by the values in the message. */
function thrown(error: unknown): Failure {
  if (!(error instanceof Error)) return { invariant: 'throws', detail: String(error) };
  const place = /at (?:new )?([^\s(]+) \(/.exec(error.stack ?? '')?.[1] ?? '?';
  return {
    invariant: 'throws',
    detail: `${error.name}: ${error.message.replace(/\d+/g, 'N').slice(0, 120)} in ${place}`,
  };
}

/** Without the shortcut for an unchanged text, but where it is packed: what a compressor makes of it is not ours to repeat. */
function checkBytes(file: TapeFile, bytes: Uint8Array): void {
  const { encoding, gzipHeader, text } = file;
  const isShort = encoding === 'latin1' && gzipHeader === undefined;
  const written = encodeTapeFile(isShort ? { ...file, text: `${text} ` } : file, text);
  if (Buffer.compare(written, bytes) !== 0) broken('bytes', 'what is written unchanged has other bytes');
}

function checkTape(file: TapeFile, tape: Tape): void {
  checkSpans(file, tape.problems);
  for (const [index, interaction] of tape.interactions.entries()) {
    if (!isInside(interaction.source, file.text)) broken('span', 'outside the text: an interaction');
    if (interaction.index !== index) broken('index', 'an interaction is not at its index');
    // Both may be read only when they are asked for.
    if (!Array.isArray(plainInteraction(interaction).request?.messages ?? []))
      broken('model', 'the messages of a request are no list');
  }
}

function checkSpans({ text }: TapeFile, problems: readonly Problem[]): void {
  for (const { span, message } of problems)
    if (!isInside(span, text)) broken('span', `outside the text: problem ${message.replace(/\d+/g, 'N').slice(0, 80)}`);
}

function isInside({ start, end }: Span, text: string): boolean {
  return 0 <= start && start <= end && end <= text.length;
}

function checkDetected(file: TapeFile): void {
  const detected = detectFormat(file);
  if (detected !== undefined) checkTape(file, detected.read(file));
}

function checkVerified(file: TapeFile): void {
  const verified = verifyFile(file);
  if (verified !== undefined) checkSpans(file, verified.findings);
}

function checkRepairs(format: TapeFormat, file: TapeFile): void {
  const splices = format.finalise?.(file) ?? [];
  const text = applySplices(file.text, splices);
  if (splices.length > 0) checkTape({ ...file, text }, format.read({ ...file, text }));
  format.migrate?.(file);
}

function checkEdit(format: TapeFormat, file: TapeFile, { interactions }: Tape, random: Random): boolean {
  const answered = interactions.filter(({ response }) => typeof response?.content === 'string');
  const interaction = random.pick(answered.length > 0 ? answered : interactions)?.index ?? 0;
  const answer = file.encoding === 'latin1' ? 'plain text' : random.pick(ANSWERS);
  const outcome = format.editText?.(file, { type: 'response-text', interaction, text: answer });
  if (outcome === undefined || 'refused' in outcome) return false;
  const changed = applySplices(file.text, outcome.splices);
  const again = decodeTapeFile(file.path, encodeTapeFile(file, changed));
  if (again.text !== changed && file.encoding === 'utf-8') broken('edit', 'the edited text is not what is read back');
  const reread = format.read(again).interactions[interaction]?.response?.content;
  if (reread !== answer)
    broken('edit', `an accepted edit re-reads as ${reread === undefined || reread === null ? reread : 'another text'}`);
  return true;
}
