import type { FormatId, Interaction, Tape } from './tape';

/** What a tape format can do. Everything that is particular to a format stays behind this. */
export interface TapeFormat {
  readonly id: FormatId;
  /** As people call it, such as "MoFA tape". */
  readonly label: string;
  /** Cheap: decides by the content alone, may look at no more than it needs. */
  looksLike(text: string): boolean;
  /** Total: never throws; a broken text yields what could be read, with problems. */
  read(text: string): Tape;
  /** A new tape of this format, as the format's own recorder writes it. */
  serialise(name: string, interactions: readonly Pick<Interaction, 'request' | 'response'>[]): string;
}
