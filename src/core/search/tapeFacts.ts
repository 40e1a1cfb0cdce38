import type { SearchedInteraction } from '../model/found';
import type { FormatId } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import { isTapePath } from '../project/filePatterns';
import type { SecretSearch } from '../secrets/secretSearch';
import { secretsInTape } from '../secrets/secretsLeft';
import { readDocuments } from '../tapes/documents';
import type { TapeFile } from '../tapes/tapeFile';
import { searchedParts } from '../transcript/searchTranscript';
import type { InteractionSummary } from '../transcript/summary';
import { openTranscript, type TranscriptReader } from '../transcript/transcriptReader';
import { hasPlainWords } from './plainWords';
import type { Sketch, Sketcher } from './sketch';

/** What a search needs to know of a tape, so that the tape need not be read. */
export interface TapeFacts {
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly interactions: readonly SearchedInteraction[];
  /** How many there are. */
  readonly problems: number;
  readonly secrets: number;
  /** Of all its texts. */
  readonly sketch: Sketch;
  /** Their words are in the text of the file as they are: see `plainWords.ts`. */
  readonly isPlain: boolean;
}

interface FactRules {
  readonly prices?: PriceTable | undefined;
  readonly search: SecretSearch;
  readonly sketcher: Sketcher;
}

/** The facts of a tape; undefined if the file is none. */
export function tapeFacts(file: TapeFile, { prices, search, sketcher }: FactRules): TapeFacts | undefined {
  const reader = openTranscript(file, prices, { keepsContent: true });
  if (reader === undefined) return undefined;
  while (reader.advance());
  // A recorder's configuration may look like an empty tape of its format.
  if (reader.length === 0 && reader.problems.length === 0 && !isTapePath(file.path)) return undefined;
  const texts = textsOf(reader);
  return {
    format: reader.format.id,
    formatLabel: reader.format.label,
    interactions: reader.summaries.map((summary, position) => interactionFacts(summary, reader, position)),
    problems: reader.problems.length,
    secrets: secretsInTape({ file, tape: reader.tape, roots: readDocuments(file).roots }, search).length,
    sketch: sketcher.sketch(texts),
    isPlain: hasPlainWords(file.text, texts),
  };
}

/** More would be a tape crafted to fill the index. */
const MOST_TOOLS = 50;
const LONGEST_NAME = 200;

function interactionFacts(
  { kind, model, entries, failed, numbers }: InteractionSummary,
  { tape }: TranscriptReader,
  position: number,
): SearchedInteraction {
  const tools = [...new Set(entries.flatMap((entry) => entry.tools ?? []))].slice(0, MOST_TOOLS);
  const interaction = tape.interactions[position];
  const status = interaction?.http?.status;
  const asked = interaction?.request?.model;
  const recordedAt = Date.parse(numbers.recordedAt ?? '');
  return {
    kind,
    ...(model !== undefined && { model: model.slice(0, LONGEST_NAME) }),
    ...(asked !== undefined && asked !== model && { askedModel: asked.slice(0, LONGEST_NAME) }),
    tools: tools.map((name) => name.slice(0, LONGEST_NAME)),
    status,
    isFailed: failed,
    cost: numbers.cost,
    ...(recordedAt > 0 && { recordedAt }),
  };
}

function textsOf(reader: TranscriptReader): readonly string[] {
  return Array.from({ length: reader.passed }, (_, position) => reader.body(position)).flatMap((body) =>
    body === undefined ? [] : searchedParts(body).map(({ text }) => text),
  );
}
