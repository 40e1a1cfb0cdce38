import { dirname } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { interactionsJson, type PrintedInteraction } from '../../core/export/interactionJson';
import type { Tape } from '../../core/model/tape';
import { PRICES_DATE } from '../../core/prices/pricesDate';
import type { PriceTable } from '../../core/prices/priceTable';
import type { RecordedFile } from '../../core/review/recordings';
import { escapeCommands } from '../../core/text/escapeInvisible';
import { shellWord } from '../../core/text/shellWord';
import { LineIndex } from '../../core/text/source';
import type { TextStyle } from '../../core/text/textStyle';
import { tapeTotals } from '../../core/transcript/metrics';
import { UserError } from '../errors/userError';
import { pathOfUser } from '../files/pathOfUser';
import { findRoot } from '../project/findRoot';
import { projectConfig } from '../project/projectConfig';
import { createRecorders } from '../recording/openRecorder';
import { readRecordedFile } from '../recording/recordedFile';
import type { Recorder } from '../recording/recorder';
import { jsonDocumentPieces, type Streamed } from '../reporters/jsonDocument';
import type { InspectDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, JSON_OUTPUT, UsageError } from './command';

const OPTIONS = { json: JSON_OUTPUT };
type Given = Arguments<typeof OPTIONS>;

export const inspectCommand = command({
  usage: 'TAPE [--json]',
  about: 'Show a tape (- is stdin): its format, problems, totals, and the conversation',
  options: OPTIONS,
  details: `  --json  {ok, format, name, interactions: [{index, kind, model, request: {messages, tools, params, repeats?}, response: {message,
          toolCalls, usage, finishReason, error}, timing, cost, source}], totals, problems}; null for what is not known;
          cost is in US dollars, as the provider reports it, or by the list prices of totals.pricesDate. A log has each
          message of a conversation once: then repeats: {interaction, messages} says that the request begins with the
          first so many messages of that earlier request

Exit codes: 0 no errors; 1 the tape has errors, which are listed; 2 it cannot be read.`,
  examples: ['tapedeck inspect refund.tape.json', 'tapedeck inspect refund.tape.json --json | jq .totals'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [path, ...more] = args.positionals;
  if (path === undefined || more.length > 0) throw new UsageError('name one tape');
  const { tape, file } = requireTape(path, await readRecordedFile(path, terminal.cwd));
  const root = findRoot(dirname(pathOfUser(terminal.cwd, path)), terminal.cwd);
  const { prices } = await projectConfig(root);
  const recorder = await createRecorders(terminal.env)(root);
  const isOk = tape.problems.every(({ severity }) => severity !== 'error');
  if (args.options.json) {
    const shown = inspection(tape, file.text, prices, recorder);
    for (const text of jsonDocumentPieces<InspectDocument>(isOk, shown)) terminal.print(text);
  } else {
    for await (const text of transcriptOf(path, file, prices, recorder, terminal.paint))
      terminal.print(escapeCommands(text));
  }
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}

/** In UTF-16 units: of a longer text, only the beginning is printed. */
const PRINTED = 2 ** 20;
/** In UTF-16 units: how much is searched for secrets and printed at a time. */
const PIECE = 2 ** 18;

/** The transcript, piece by piece. */
async function* transcriptOf(
  path: string,
  file: RecordedTape['file'],
  prices: PriceTable | undefined,
  recorder: Recorder,
  ink: TextStyle,
): AsyncGenerator<string> {
  const { transcriptTexts } = await import('../../core/export/transcriptText');
  const shown = (text: string): string => (text.length <= PRINTED ? text : beginningOf(text, recorder));
  let piece = '';
  for (const text of transcriptTexts(path, file, { ink, prices, shown })) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield recorder.text(piece);
    piece = '';
  }
  yield recorder.text(piece);
}

function beginningOf(text: string, recorder: Recorder): string {
  const beginning = recorder.beginning(text, PRINTED);
  const more = (text.length - PRINTED).toLocaleString('en-US');
  return `${beginning}…\n(${more} more characters; --json prints all of them)`;
}

type RecordedTape = Extract<RecordedFile, { kind: 'tape' }>;

function requireTape(path: string, file: RecordedFile): RecordedTape {
  if (file.kind === 'tape') return file;
  const { case_name: name } = file.artifact;
  throw new UserError(
    `${path} is the artifact of a run of ${name}, not a tape`,
    `Compare it with another: tapedeck diff ${shellWord(path)} OTHER`,
  );
}

/** The shape that the help documents. */
function inspection(
  tape: Tape,
  text: string,
  prices: PriceTable | undefined,
  recorder: Recorder,
): Omit<Streamed<InspectDocument>, 'ok'> {
  const lines = new LineIndex(text);
  const totals = tapeTotals(tape, prices);
  return {
    format: tape.format,
    name: recorder.value(tape.name ?? null),
    interactions: hiddenInteractions(tape, prices, recorder),
    totals: recorder.value(totals.cost === undefined ? totals : { ...totals, pricesDate: PRICES_DATE }),
    problems: recorder.value(tape.problems.map((problem) => ({ ...problem, ...lines.position(problem.span.start) }))),
  };
}

/** One at a time: a tape may be large. */
function* hiddenInteractions(
  { interactions }: Tape,
  prices: PriceTable | undefined,
  recorder: Recorder,
): Generator<PrintedInteraction> {
  for (const printed of interactionsJson(interactions, prices)) yield recorder.value(printed);
}
