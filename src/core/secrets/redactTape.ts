import type { Interaction } from '../model/interaction';
import type { EditOutcome, TapeFormat } from '../tapes/format';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { applySplices, composeSplices, type Splice, spanBeforeSplices } from '../text/splice';
import { decodeBody } from '../wire/body/body';
import { hideInFile, hideInResponse, hideValues } from './hideValues';
import { secretValues } from './secretValues';
import { type Substitute, Substitution } from './substitution';

/** A tape without values that it had, and which other values follow, in words; or why that cannot be, as a sentence. */
export type Redaction =
  | {
      readonly splices: readonly Splice[];
      readonly dependents: readonly string[];
      /** What stands for what. Empty where there is nothing to hide. Never to be shown or logged: it has the secrets. */
      readonly substitutes: readonly Substitute[];
    }
  | { readonly refused: string };

/**
 * Takes values out of a tape, everywhere: where they stand in text, in JSON inside of strings, in base64 and compressed
 * bodies, and in the pieces of a stream. Each value gets one placeholder, so that what belonged together still does.
 * Lengths, counts and hashes that were right stay right. It is all or nothing: where a value cannot be taken out of one
 * place, nothing is changed.
 *
 * @param values What to take out; by default all secrets that `findSecrets` finds, packed ones as well.
 */
export function redactTape(file: TapeFile, values?: readonly string[]): Redaction {
  const format = detectFormat(file);
  if (format === undefined) return { refused: 'This is no tape that Tapedeck can read.' };
  if (file.text.slice(0, 65_536).includes('\0'))
    return {
      refused: `This ${format.label} is no text: it cannot be changed here. Record it again without the secret.`,
    };
  const wanted = values ?? secretValues(file).map(({ value }) => value);
  const substitutes = named(
    [...new Set(wanted)].filter((value) => value !== ''),
    file.text,
  );
  if (substitutes.length === 0) return { splices: [], dependents: [], substitutes };
  const redacting = new Redacting(file, format, new Substitution(substitutes));
  const refused = redacting.run();
  return refused === undefined
    ? { splices: redacting.splices, dependents: [...redacting.dependents], substitutes }
    : { refused };
}

/** Takes one value out of a tape, as an edit of it. */
export function redactValue(file: TapeFile, value: string): EditOutcome {
  const outcome = redactTape(file, [value]);
  if ('refused' in outcome) return outcome;
  const { splices, dependents } = outcome;
  return splices.length === 0 ? { refused: 'This value does not stand in the tape.' } : { splices, dependents };
}

const PLACEHOLDER = 'REDACTED';

/** `REDACTED-1`, `REDACTED-2`, …: after those that the file has. */
function named(values: readonly string[], text: string): Substitute[] {
  const used = Array.from(text.matchAll(/REDACTED-(\d{1,6})/g), ([, number]) => Number(number));
  const first = used.reduce((most, number) => Math.max(most, number), 0) + 1;
  return values.map((value, index) => ({ value, placeholder: `${PLACEHOLDER}-${first + index}` }));
}

class Redacting {
  splices: readonly Splice[] = [];
  readonly dependents = new Set<string>();

  constructor(
    private readonly file: TapeFile,
    private readonly format: TapeFormat,
    private readonly substitution: Substitution,
  ) {}

  /** Returns why it cannot be done, if it cannot. */
  run(): string | undefined {
    const {
      splices,
      blocked: [blocked],
    } = hideInFile(this.file, this.substitution);
    if (blocked !== undefined) return `${this.#at(blocked.start)} has a value packed in a way that is only read here.`;
    const following = this.format.followingEdits?.(this.file, splices);
    for (const dependent of following?.dependents ?? []) this.dependents.add(dependent);
    this.splices = [...splices, ...(following?.splices ?? [])];
    const refused = this.#streams();
    if (refused !== undefined) return refused;
    this.#finalise();
    return this.#check();
  }

  #changed(): TapeFile {
    const { bytes: _, ...file } = this.file;
    return { ...file, text: applySplices(this.file.text, this.splices), bytes: new Uint8Array() };
  }

  #then(next: readonly Splice[]): void {
    this.splices = composeSplices(this.file.text, this.splices, next);
  }

  /** Answers that came in pieces, of which none has the whole value. */
  #streams(): string | undefined {
    const edits = this.format
      .read(this.#changed())
      .interactions.flatMap((interaction) => hideInResponse(interaction, this.substitution));
    for (const edit of edits) {
      const file = this.#changed();
      const { format } = this;
      const outcome = edit.type === 'response-text' ? format.editText?.(file, edit) : format.editValue?.(file, edit);
      if (outcome === undefined || 'refused' in outcome)
        return `Interaction ${edit.interaction + 1} has a value in pieces: ${outcome?.refused ?? 'this format is only read here.'}`;
      for (const dependent of outcome.dependents) this.dependents.add(dependent);
      this.#then(outcome.splices);
    }
    return undefined;
  }

  #check(): string | undefined {
    const before = this.format.read(this.file);
    const after = this.format.read(this.#changed());
    const left = after.interactions.find((interaction) => this.#isIn(interaction));
    if (left !== undefined) return `Interaction ${left.index + 1} has a value in a form that cannot be written here.`;
    const errors = (tape: typeof before): number => tape.problems.filter(({ severity }) => severity === 'error').length;
    if (after.interactions.length !== before.interactions.length || errors(after) > errors(before))
      return 'The file would no longer be what it is. Take the value out in the text editor.';
    return undefined;
  }

  /** What was wrong is not made to look right. */
  #finalise(): void {
    const { finalise } = this.format;
    const wrong = new Set(finalise?.(this.file).map(({ start }) => start));
    const splices = (finalise?.(this.#changed()) ?? []).filter(
      (splice) => !wrong.has(spanBeforeSplices(this.splices, splice).start),
    );
    if (splices.length > 0) this.dependents.add('hashes and ids');
    this.#then(splices);
  }

  #isIn({ request, response, http }: Interaction): boolean {
    const bodies = [
      decodeBody(http?.requestBody ?? { type: 'none' }, http?.requestHeaders),
      decodeBody(http?.responseBody ?? { type: 'none' }, http?.responseHeaders),
    ];
    return this.#isInside([request, response, http, bodies.map(({ text }) => text)]);
  }

  #isInside(value: unknown): boolean {
    if (typeof value === 'string') {
      const { text, blocked } = hideValues(value, this.substitution);
      return blocked || text !== value;
    }
    return typeof value === 'object' && value !== null && Object.values(value).some((item) => this.#isInside(item));
  }

  #at(offset: number): string {
    const { interactions } = this.format.read(this.file);
    const found = interactions.find(({ source }) => offset >= source.start && offset < source.end);
    return found === undefined ? 'The file' : `Interaction ${found.index + 1}`;
  }
}
