import { message, t } from '../text/l10n';
import { isBase64 } from './packedString';
import type { SearchedText } from './searchedText';
import type { SecretHit } from './secretHit';
import { SpellingSearch } from './spellingSearch';
import type { Substitution } from './substitution';

const SHORTEST_IN_BINARY = 8;

/** Finds the values of a substitution in every spelling, to replace them with its placeholders. */
export class ValueSearch extends SpellingSearch {
  override readonly hasWideValues: boolean;
  override readonly dependsOnWholeText = false;

  constructor(
    readonly substitution: Substitution,
    /** The length of the shortest values that are found. */
    private readonly shortest = 1,
  ) {
    super();
    this.hasWideValues = substitution.hasWideValues;
  }

  /** The same search for binary data, in which short values occur by chance. */
  get inBinary(): ValueSearch {
    return new ValueSearch(this.substitution, SHORTEST_IN_BINARY);
  }

  protected override plain({ text }: SearchedText): SecretHit[] {
    const isOpaque = isBase64(text) && !this.substitution.isValue(text);
    const found = this.substitution.splices(text, 0, isOpaque).filter(({ start, end }) => end - start >= this.shortest);
    return found.map(({ start, end, text: placeholder }) => ({
      rule: 'value',
      what: message('a value'),
      excerpt: t('… ({0} characters)', end - start),
      start,
      end,
      placeholder,
      rank: 0,
    }));
  }
}
