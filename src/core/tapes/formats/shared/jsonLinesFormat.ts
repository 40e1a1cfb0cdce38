import { headLines, type JsonLine, type JsonLinesReading, readJsonLines } from '../../../json/jsonLines';
import { beginningOutline, jsonOutline } from '../../../json/jsonOutline';
import type { Tape } from '../../../model/tape';
import type { Problem } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { hasMark, type Mark } from '../../marks';
import { unreadRecords } from '../../notRead';
import { encodingProblems, type TapeFile, textParts } from '../../tapeFile';
import type { Session } from './sessionLog';

/**
 * What a format is whose files have an object of JSON in each line. How it is recognised and read follows from that
 * (`jsonLinesFormat`); whatever else a format has is stated as it is.
 */
type JsonLinesDescription = LinesDescription & (EntryLines | SessionLines);

interface LinesDescription extends Omit<TapeFormat, 'extensions' | 'looksLike' | 'read'> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** What its lines have and those of other formats do not. */
  readonly marks: Mark;
  /** So many of the first lines are looked at, as some may be broken, or of another kind. */
  readonly firstLines: number;
  /** Its lines, if they are not those of a text, or if a line that is no object is more than that. */
  lines?(text: TextParts): JsonLinesReading;
  /** The program that reads its files, if that takes nothing but UTF-8 without a byte order mark. */
  readonly readBy?: string;
}

/** Each line is an interaction. */
interface EntryLines {
  entry(line: JsonLine): InteractionReading;
  /** What is wrong with the lines together. */
  check?(lines: readonly JsonLine[]): readonly Problem[];
}

/** The lines are the log of a session, of several kinds. */
interface SessionLines {
  session(lines: readonly JsonLine[]): Session;
}

/** The format of a description. */
export function jsonLinesFormat<const D extends JsonLinesDescription>(description: D): D & TapeFormat;
export function jsonLinesFormat(description: JsonLinesDescription): TapeFormat {
  return {
    ...description,
    extensions: description.files,
    looksLike: (file) => looksLike(description, textParts(file)),
    read: (file) => read(description, file),
  };
}

/** Where every line is an interaction, the first that is not broken decides. */
function looksLike(description: JsonLinesDescription, text: TextParts): boolean {
  const { marks, firstLines } = description;
  const outline = jsonOutline(text);
  if (outline.isOnly || (outline.isWhole && 'entry' in description)) return hasMark(text, outline, marks);
  return headLines(text, firstLines).some(
    (line) => /^\s*\{/.test(line) && hasMark(line, beginningOutline(line), marks),
  );
}

function read(description: JsonLinesDescription, file: TapeFile): Tape {
  const { id, lines: readLines = readJsonLines, readBy } = description;
  const text = textParts(file);
  const reading = readLines(text);
  const problems = readBy === undefined ? reading.problems : [...encodingProblems(file, readBy), ...reading.problems];
  return 'entry' in description
    ? entriesTape(description, reading.lines, problems)
    : sessionTape(id, text, description.session(reading.lines), reading.lines.length, problems);
}

function entriesTape(
  { id, entry, check }: Pick<LinesDescription, 'id'> & EntryLines,
  lines: readonly JsonLine[],
  problems: readonly Problem[],
): Tape {
  const interactions = lines.map((line, index) => new LazyInteraction(index, line.source, () => entry(line)));
  return new LazyTape({ format: id, interactions }, () => [
    ...problems,
    ...interactionProblems(interactions),
    ...(check?.(lines) ?? []),
  ]);
}

function sessionTape(
  format: TapeFormat['id'],
  text: TextParts,
  { name, version, calls, unread }: Session,
  records: number,
  problems: readonly Problem[],
): Tape {
  const interactions = calls.map(
    (call, index) => new LazyInteraction(index, call.source, () => ({ content: call.read(), problems: [] })),
  );
  const answers = calls.flatMap((call) => call.answers);
  return new LazyTape({ format, name, version, interactions, records, answers }, () => [
    ...problems,
    ...unreadRecords(format, text, unread()),
  ]);
}
