import { readDocuments } from '../tapes/documents';
import { readTape } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import { BodyBudget } from '../wire/body/bodyBudget';
import type { SecretFinding } from './secretHit';
import { SecretSearch } from './secretSearch';
import type { SpellingSearch } from './spellingSearch';
import { type ReadTape, type TextPlace, type TextVisitor, visitFileTexts, visitTexts } from './tapeTexts';

/** A secret in a tape. Its span is that of the encoded string or of the interaction that contains it, if it is not plain text. */
export interface SecretLeft extends SecretFinding, TextPlace {}

const DEFAULT_SEARCH = new SecretSearch();

/**
 * The secrets in a tape that a recorder with the same search would hide: in its text in every spelling, in its strings as
 * they are read, in compressed bodies, and in the pieces of streams put together. A file that is not a tape has none.
 */
export function secretsLeft(file: TapeFile, search: SpellingSearch = DEFAULT_SEARCH): SecretLeft[] {
  const tape = readTape(file);
  return tape === undefined ? [] : secretsInTape({ file, tape, roots: readDocuments(file).roots }, search);
}

export function secretsInTape(read: ReadTape, search: SpellingSearch = DEFAULT_SEARCH): SecretLeft[] {
  const found = new FoundSecrets(search, new BodyBudget(read.file.text.length));
  visitTexts(read, found);
  return found.all;
}

/** The secrets in the text of a file that no format knows. */
export function secretsInFile(file: TapeFile, search: SpellingSearch = DEFAULT_SEARCH): SecretLeft[] {
  const found = new FoundSecrets(search, new BodyBudget(file.text.length));
  visitFileTexts({ file, roots: readDocuments(file).roots }, found);
  return found.all;
}

class FoundSecrets implements TextVisitor {
  readonly all: SecretLeft[] = [];
  /** What was found, with the secrets that say the same. */
  readonly #known = new Map<string, Span[]>();

  constructor(
    private readonly search: SpellingSearch,
    private readonly budget: BodyBudget,
  ) {}

  file(text: string): void {
    for (const { isEncoded, ...finding } of this.search.find(text))
      this.#add([finding], { start: finding.start, end: finding.end, where: isEncoded ? 'encoded' : 'text' });
  }

  text(text: string, place: TextPlace): void {
    this.#add(this.search.find(text, this.budget), place);
  }

  /** Adds the secrets that are not in one of the pieces alone. */
  pieces(texts: readonly string[], place: TextPlace): void {
    const findings = this.search.find(texts.join(''));
    if (findings.length === 0) return;
    const alone = new Set(texts.flatMap((text) => this.search.find(text)).map(identity));
    this.#add(
      findings.filter((finding) => !alone.has(identity(finding))),
      place,
    );
  }

  /** Adds what has not been found before in the same place. */
  #add(findings: readonly SecretFinding[], place: TextPlace): void {
    const added: SecretLeft[] = [];
    for (const finding of findings) {
      const known = this.#known.get(identity(finding)) ?? [];
      if (place.where !== 'text' && known.some(({ start, end }) => start < place.end && end > place.start)) continue;
      const { rule, what, excerpt } = finding;
      added.push({ rule, what, excerpt, ...place });
    }
    for (const one of added) {
      const known = this.#known.get(identity(one));
      if (known === undefined) this.#known.set(identity(one), [one]);
      else known.push(one);
    }
    this.all.push(...added);
  }
}

function identity({ rule, excerpt }: SecretFinding): string {
  return `${rule} ${excerpt}`;
}
