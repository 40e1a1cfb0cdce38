import { toRecordedInteraction } from '../../tapes/writableFormat';
import type { Span } from '../../text/source';
import type { RecordedTape } from '../recordings';
import { differingValues } from './differingValues';
import { type FileValue, type FileValues, valuesOf } from './fileValues';

/**
 * Tells which values of a file its format would write again of what it reads: these are known to its reader. In a file that was
 * recorded here, that is all of them.
 */
export class RewrittenValues {
  readonly #tape: RecordedTape;
  readonly #own: FileValues;
  #again: FileValues | undefined;
  /** The places that would be written otherwise, or not at all, in each part. */
  readonly #others = new Map<number | undefined, readonly Span[]>();

  constructor(tape: RecordedTape, own: FileValues) {
    this.#tape = tape;
    this.#own = own;
  }

  /** Of an interaction, or of what is around them. */
  has(value: FileValue, interaction: number | undefined): boolean {
    const others = this.#others.get(interaction) ?? this.#placesOf(interaction);
    this.#others.set(interaction, others);
    const { start, end } = placeOf(value);
    return !others.some((other) => other.start <= end && start <= other.end);
  }

  #placesOf(interaction: number | undefined): readonly Span[] {
    this.#again ??= rewritten(this.#tape, this.#own);
    const part = ({ interactions, around }: FileValues) =>
      interaction === undefined ? around : (interactions[interaction] ?? []);
    return differingValues(part(this.#own), part(this.#again)).flatMap(({ before }) =>
      before ? [placeOf(before)] : [],
    );
  }
}

/** Nothing, where the format has no place for some of the interactions. */
function rewritten({ file, format, tape }: RecordedTape, own: FileValues): FileValues {
  const none: FileValues = { interactions: [], around: [], isText: own.isText };
  const text = format.serialise?.(tape.name ?? '', tape.interactions.map(toRecordedInteraction));
  if (text === undefined) return none;
  const again = { file: { ...file, text }, format, tape: format.read({ ...file, text }) };
  return again.tape.interactions.length === tape.interactions.length ? (valuesOf(again, own.isText) ?? none) : none;
}

function placeOf({ node, offset }: FileValue): Span {
  return { start: offset + node.start, end: offset + node.end };
}
