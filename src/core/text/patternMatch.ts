import { t } from './l10n';
export interface PatternMatch {
  readonly index: number;
  readonly text: string;
}

/** The text is too long for the pattern. */
export class PatternTooSlow extends Error {
  constructor(source: string, length: number) {
    const shown = source.length > 80 ? `${source.slice(0, 80)}…` : source;
    super(
      t(
        'the pattern /{0}/ takes too long on a text of {1} characters; simplify it, with fewer repetitions or a narrower set of characters',
        shown,
        length,
      ),
    );
    this.name = 'PatternTooSlow';
  }
}
