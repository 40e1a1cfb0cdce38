import type { SearchedInteraction } from '../model/found';
import { foldCase } from './foldCase';
import type { Comparison, NameTerm, Query, Term } from './query';
import { mayContain, wantedBits } from './sketch';
import type { TapeFacts } from './tapeFacts';

/** What is known of a tape besides what is in it. */
interface TapePlace {
  /** From the project's root, with `/`. */
  readonly path: string;
  /** Asked only where the query asks for it. */
  readonly isOrphan?: boolean;
}

/** The part of a tape that a search may find. */
interface Candidates {
  /** From 0, those that have all the facts that are asked for. */
  readonly interactions: readonly number[];
}

/** A query, prepared for many tapes. */
export class FactMatcher {
  /** What the texts of each interaction must contain. */
  readonly texts: readonly string[];
  /** The query asks only for tapes, not for interactions. */
  readonly isAboutTapes: boolean;
  readonly #ofTapes: readonly Term[];
  readonly #ofInteractions: readonly Term[];
  readonly #wanted: readonly number[];

  /** @param now In milliseconds since 1970. */
  constructor(
    { terms }: Query,
    private readonly now: number,
  ) {
    this.texts = terms.flatMap((term) => (term.field === 'text' ? term.text : []));
    this.#wanted = this.texts.flatMap(wantedBits);
    this.#ofTapes = terms.filter(isOfTape);
    this.#ofInteractions = terms.filter((term) => !isOfTape(term) && term.field !== 'text');
    this.isAboutTapes = this.#ofTapes.length === terms.length;
  }

  /** Undefined if nothing on the tape can match. If the query has texts, the tape must be read to be sure. */
  match(facts: TapeFacts, place: TapePlace): Candidates | undefined {
    if (!this.#ofTapes.every((term) => tapeHas(term, facts, place))) return undefined;
    if (this.isAboutTapes) return { interactions: [] };
    if (!mayContain(facts.sketch, this.#wanted)) return undefined;
    const interactions = [...facts.interactions.keys()].filter((index) => {
      const one = facts.interactions[index];
      return one !== undefined && this.#ofInteractions.every((term) => this.#interactionHas(term, one));
    });
    return interactions.length === 0 ? undefined : { interactions };
  }

  #interactionHas(
    term: Term,
    { model, askedModel, tools, status, isFailed, cost, recordedAt }: SearchedInteraction,
  ): boolean {
    switch (term.field) {
      case 'model':
        return [model, askedModel].some((name) => name !== undefined && isNamed(term, name));
      case 'tool':
        return tools.some((tool) => isNamed(term, tool));
      case 'status':
        if (term.status === 'error') return isFailed;
        return status !== undefined && status >= term.status.from && status <= term.status.to;
      case 'cost':
        return cost !== undefined && holds(term.compared, cost);
      case 'age':
        return recordedAt !== undefined && holds(term.compared, this.now - recordedAt);
      default:
        return true;
    }
  }
}

function isOfTape({ field }: Term): boolean {
  return field === 'format' || field === 'path' || field === 'has' || field === 'is';
}

function tapeHas(term: Term, { format, formatLabel, secrets, problems }: TapeFacts, place: TapePlace): boolean {
  switch (term.field) {
    case 'format':
      return isNamed(term, format) || isNamed(term, formatLabel);
    case 'path':
      return isNamed(term, place.path);
    case 'has':
      return (term.what === 'secrets' ? secrets : problems) > 0;
    case 'is':
      return place.isOrphan === true;
    default:
      return true;
  }
}

function isNamed({ name, isWhole }: NameTerm, recorded: string): boolean {
  const [wanted, found] = [foldCase(name), foldCase(recorded)];
  return isWhole ? found === wanted : found.includes(wanted);
}

function holds({ is, than }: Comparison, value: number): boolean {
  switch (is) {
    case '>':
      return value > than;
    case '<':
      return value < than;
    case '>=':
      return value >= than;
    case '<=':
      return value <= than;
  }
}
