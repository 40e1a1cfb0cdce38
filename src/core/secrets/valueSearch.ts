import { isBase64 } from './packedString';
import type { SecretHit } from './secretHit';
import { SpellingSearch } from './spellingSearch';
import type { Substitution } from './substitution';

/** Finds the values of a substitution in every spelling, to replace them with its placeholders. */
export class ValueSearch extends SpellingSearch {
  override readonly hasWideValues: boolean;
  override readonly dependsOnWholeText = false;

  /** `isDistinct`: only values that are too long to occur by chance, as in binary data. */
  constructor(
    readonly substitution: Substitution,
    private readonly isDistinct = false,
  ) {
    super();
    this.hasWideValues = substitution.hasWideValues;
  }

  /** The same search for data in which short values occur by chance. */
  get distinct(): ValueSearch {
    return new ValueSearch(this.substitution, true);
  }

  protected override plain(text: string): SecretHit[] {
    const isOpaque = this.isDistinct || (isBase64(text) && !this.substitution.isValue(text));
    return this.substitution.splices(text, 0, isOpaque).map(({ start, end, text: placeholder }) => ({
      rule: 'value',
      what: 'a value',
      excerpt: `… (${end - start} characters)`,
      start,
      end,
      placeholder,
      rank: 0,
    }));
  }
}
