import type { Interaction } from '../model/interaction';
import type { EditOutcome, TapeFormat } from '../tapes/format';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { t } from '../text/l10n';
import { applySplices, composeSplices, type Splice, spanBeforeSplices } from '../text/splice';
import { decodeBody } from '../wire/body/body';
import { hideInFile, hideInResponse, hideValues } from './hideValues';
import { SecretSearch } from './secretSearch';
import { secretsLeft } from './secretsLeft';
import { secretValues } from './secretValues';
import type { SpellingSearch } from './spellingSearch';
import { type Substitute, Substitution } from './substitution';
import { ValueSearch } from './valueSearch';

/** The edits that hide values on a tape, with the dependent values that change; or why they cannot be hidden, as a sentence. */
type Redaction =
  | {
      readonly splices: readonly Splice[];
      readonly dependents: readonly string[];
      /** The values and their placeholders. Empty if there is nothing to hide. Contains the secrets: never show or log it. */
      readonly substitutes: readonly Substitute[];
    }
  | { readonly refused: string };

/**
 * Hides values everywhere on a tape: in text, in JSON within strings, in base64 and compressed bodies, and in the chunks of a
 * stream. Each value gets one placeholder, so that equal values remain equal. Correct lengths, counts and hashes remain
 * correct. If a value cannot be hidden in one place, nothing is changed.
 *
 * @param values The values to hide; by default all secrets that `verify` finds with the same search.
 */
export function redactTape(file: TapeFile, values?: readonly string[], search = new SecretSearch()): Redaction {
  const format = detectFormat(file);
  if (format === undefined) return { refused: t('This is not a tape that Tapedeck can read.') };
  if (file.text.slice(0, 65_536).includes('\0'))
    return {
      refused: t('This {0} is a binary file and cannot be edited. Record it again without the secret.', format.label),
    };
  const wanted = values ?? secretValues(file, search);
  const substitutes = withPlaceholders(
    [...new Set(wanted)].filter((value) => value !== ''),
    file.text,
  );
  const redacting = new Redacting(file, format, new ValueSearch(new Substitution(substitutes)));
  const refused = substitutes.length === 0 ? undefined : redacting.run();
  const left = refused === undefined && values === undefined ? redacting.left(search) : refused;
  return left === undefined
    ? { splices: redacting.splices, dependents: [...redacting.dependents], substitutes }
    : { refused: left };
}

/** Hides one value on a tape, as an edit. */
export function redactValue(file: TapeFile, value: string): EditOutcome {
  const outcome = redactTape(file, [value]);
  if ('refused' in outcome) return outcome;
  const { splices, dependents } = outcome;
  return splices.length === 0 ? { refused: t('This value is not on the tape.') } : { splices, dependents };
}

const PLACEHOLDER = 'REDACTED';

/** Assigns placeholders: `REDACTED-1`, `REDACTED-2`, …, continuing after those in the file. */
function withPlaceholders(values: readonly string[], text: string): Substitute[] {
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
    private readonly search: ValueSearch,
  ) {}

  /** Returns the reason if it cannot be done. */
  run(): string | undefined {
    const {
      splices,
      blocked: [blocked],
    } = hideInFile(this.file, this.search);
    if (blocked !== undefined)
      return t('{0} has a value in an encoding that Tapedeck cannot write.', this.#at(blocked.start, this.file));
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

  /** Hides values in streamed responses, whose chunks may not contain a whole value. */
  #streams(): string | undefined {
    const edits = this.format
      .read(this.#changed())
      .interactions.flatMap((interaction) => hideInResponse(interaction, this.search));
    for (const edit of edits) {
      const file = this.#changed();
      const { format } = this;
      const outcome = edit.type === 'response-text' ? format.editText?.(file, edit) : format.editValue?.(file, edit);
      if (outcome === undefined || 'refused' in outcome)
        return t(
          'Interaction {0} has a value that is split across several chunks: {1}',
          edit.interaction + 1,
          outcome?.refused ?? t('this format is read-only.'),
        );
      for (const dependent of outcome.dependents) this.dependents.add(dependent);
      this.#then(outcome.splices);
    }
    return undefined;
  }

  #check(): string | undefined {
    const before = this.format.read(this.file);
    const after = this.format.read(this.#changed());
    const left = after.interactions.find((interaction) => this.#isIn(interaction));
    if (left !== undefined)
      return t('{0} has a value in a form that Tapedeck cannot write.', t('Interaction {0}', left.index + 1));
    const errors = (tape: typeof before): number => tape.problems.filter(({ severity }) => severity === 'error').length;
    if (after.interactions.length !== before.interactions.length || errors(after) > errors(before))
      return t('The edit would damage the file. Remove the value in the text editor.');
    return this.left(this.search.inBinary);
  }

  /** Says where the changed tape still has something that a search finds. */
  left(search: SpellingSearch): string | undefined {
    const changed = this.#changed();
    const [found] = secretsLeft(changed, search);
    if (found === undefined) return undefined;
    const place =
      found.interaction === undefined ? this.#at(found.start, changed) : t('Interaction {0}', found.interaction + 1);
    return t('{0} has a value in a form that Tapedeck cannot write.', place);
  }

  /** Updates hashes and counts, but not those that were wrong before. */
  #finalise(): void {
    const { finalise } = this.format;
    const wrong = new Set(finalise?.(this.file).map(({ start }) => start));
    const splices = (finalise?.(this.#changed()) ?? []).filter(
      (splice) => !wrong.has(spanBeforeSplices(this.splices, splice).start),
    );
    if (splices.length > 0) this.dependents.add(t('hashes and ids'));
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
      const { text, blocked } = hideValues(value, this.search);
      return blocked || text !== value;
    }
    return typeof value === 'object' && value !== null && Object.values(value).some((item) => this.#isInside(item));
  }

  #at(offset: number, file: TapeFile): string {
    const { interactions } = this.format.read(file);
    const found = interactions.find(({ source }) => offset >= source.start && offset < source.end);
    return found === undefined ? t('The file') : t('Interaction {0}', found.index + 1);
  }
}
