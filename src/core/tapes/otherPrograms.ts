import type { JsonNode } from '../json/jsonNode';
import { nodeAt } from '../json/jsonPath';
import type { FormatId } from '../model/tape';

/** A program whose records look like those of a format at first, with what only its own have. */
interface OtherProgram {
  readonly name: string;
  readonly format: FormatId;
  readonly marks: readonly (readonly string[])[];
}

/** The first whose marks a record has is named. */
const OTHER_PROGRAMS: readonly OtherProgram[] = [
  { name: 'EasyVCR', format: 'vcrpy', marks: [['duration'], ['response', 'http_version']] },
  { name: 'rvcr', format: 'vcrpy', marks: [['recorded_at'], ['response', 'http_version']] },
];

/** The program that wrote a record which looks like one of this format; undefined if none is known that does. */
export function otherProgram(format: FormatId, record: JsonNode | undefined): string | undefined {
  const isMarked = ({ marks }: OtherProgram) => marks.every((path) => nodeAt(record, path) !== undefined);
  return OTHER_PROGRAMS.find((program) => program.format === format && isMarked(program))?.name;
}
