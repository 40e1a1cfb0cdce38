import type { AlignedPair } from '../../diff/alignment';
import { compactJson } from '../../json/json';
import { jsonValue } from '../../json/readJson';
import type { Interaction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import { plainInteraction } from '../../tapes/lazyTape';
import type { TapeFile } from '../../tapes/tapeFile';
import { toRecordedInteraction } from '../../tapes/writableFormat';
import type { Span } from '../../text/source';
import { applySplices, keepLineEnd } from '../../text/splice';
import { yamlTags } from '../../yaml/readYaml';
import { compareTapes, type TapeComparison } from '../compare/compareTapes';
import { isEqualInteraction } from '../compare/interactionShape';
import type { Normaliser } from '../compare/normaliser';
import type { PlacedDifference } from '../compare/placedDifference';
import { isNoisyMember, isNoisyText } from '../compare/recordingNoise';
import { isRepetition } from '../compare/repetition';
import type { RecordedTape } from '../recordings';
import { type DifferingValue, differingValues } from './differingValues';
import { type FileValue, type FileValues, textValue, valuesOf, valuesOfVersions } from './fileValues';

/**
 * The YAML tags of kinds that only the later file has. Readers of other languages make objects of them, or run code; ours takes the
 * value without the tag.
 */
function newTags(before: TapeFile, after: TapeFile): readonly FileValue[] {
  if (!MAY_HAVE_TAGS.test(after.text)) return [];
  const known = new Set(yamlTags(before.text).map(({ tag }) => tag));
  const others = yamlTags(after.text).filter(({ tag }) => !known.has(tag) && !IS_READ.test(tag));
  return others.map((tag) => textValue(after.text, tag));
}

const MAY_HAVE_TAGS = /(?:^|[\s[{,])![\w!<]/;
const IS_READ = /binary$/;

/** A value that differs between two versions of a file, and of which the comparison tells nothing. */
export interface UnreadValue extends DifferingValue {
  /** The interaction that it stands in; absent around them. */
  readonly pair?: AlignedPair<Interaction>;
}

interface UnreadValues {
  readonly values: readonly UnreadValue[];
  /** Those that every recording writes anew, where the comparison found nothing at all. */
  readonly noise: readonly UnreadValue[];
  /** The files differ in nothing but their layout: white space, quotes, comments, the order of members. */
  readonly isLayoutOnly: boolean;
  /** Some were not tried, because too much differs. */
  readonly isLimited: boolean;
}

/**
 * The values that differ between two versions of a tape without an explanation. One is explained if it is noise, which every
 * recording writes anew (`recordingNoise.ts`); if the format writes both values again of an interaction of which
 * it reads the same, as where another one that it referred to is gone; or if the comparison found a difference in its interaction, and
 * - the format writes both values again of what it reads, so that they are a part of what was compared;
 * - or a change that is shown says the same (`repetition.ts`);
 * - or a trial shows that it is read: the later version with the earlier value in its place is compared with the later one.
 */
export function unreadValues(
  before: RecordedTape,
  after: RecordedTape,
  comparison: TapeComparison,
  normaliser: Normaliser,
): UnreadValues {
  const trials = new Trials(normaliser);
  const [values, noise]: [UnreadValue[], UnreadValue[]] = [[], []];
  let isLayoutOnly = true;
  for (const part of partsOf(before, after, comparison))
    for (const differing of differingValues(part.before.values, part.after.values)) {
      isLayoutOnly = false;
      const value = { ...differing, ...(part.pair && { pair: part.pair }) };
      const explanation = explanationOf(value, part, normaliser, trials);
      if (explanation === undefined) values.push(value);
      else if (explanation === 'noise' && part.found.length === 0) noise.push(value);
    }
  for (const tag of newTags(before.file, after.file)) values.push({ after: tag, ...pairAt(tag, comparison) });
  return { values, noise, isLayoutOnly: isLayoutOnly && values.length === 0, isLimited: trials.isLimited };
}

function pairAt({ node: { start } }: FileValue, { pairs }: TapeComparison): Pick<UnreadValue, 'pair'> {
  const pair = pairs.find(
    ({ before, after }) => before && after && after.source.start <= start && start < after.source.end,
  );
  return pair === undefined ? {} : { pair };
}

function explanationOf(value: DifferingValue, part: Part, normaliser: Normaliser, trials: Trials) {
  const { before, after } = value;
  // Rules name paths from the interaction.
  const top = part.pair === undefined ? 0 : (part.after.values[0]?.path.length ?? 0);
  const path = (after ?? before)?.path.slice(top) ?? [];
  const [old, now] = [before, after].map((side) => side && jsonValue(side.node));
  if (isNoisyMember(path, old, now, normaliser)) return 'noise';
  const isFound = part.found.length > 0;
  const isCompared = isFound || (part.pair !== undefined && isSamePair(part.pair));
  // The cheapest first: what the format writes again is the whole tape.
  if (isFound && isRepetition(old, now, part.found)) return 'known';
  if (isCompared && part.before.hasRewritten(before) && part.after.hasRewritten(after)) return 'known';
  if (isFound && trials.isSeen(value, part)) return 'known';
  return isNoisyText(path, old, now, normaliser) ? 'noise' : undefined;
}

/** An interaction that both tapes have, or everything around the interactions. */
interface Part {
  readonly pair?: AlignedPair<Interaction>;
  readonly before: PartVersion;
  readonly after: PartVersion;
  /** The differences that the comparison found in it, with those that rules ignore. */
  readonly found: readonly PlacedDifference[];
}

function partsOf(
  before: RecordedTape,
  after: RecordedTape,
  { pairs, sources, isLimited }: TapeComparison,
): readonly Part[] {
  const [olds, news] = valuesOfVersions(before, after);
  const [oldAgain, newAgain] = [new RewrittenValues(before, olds), new RewrittenValues(after, news)];
  const found = new Map<string, PlacedDifference[]>();
  for (const one of [...sources.values()].flat()) {
    const key = placeKey(one.interaction?.before, one.interaction?.after);
    const others = found.get(key) ?? [];
    others.push(one);
    found.set(key, others);
  }
  const around: Part = {
    before: new PartVersion(before, olds.around, oldAgain),
    after: new PartVersion(after, news.around, newAgain),
    found: [...found.values()].flat(),
  };
  // Of two large tapes, one difference stands for all interactions that were not compared.
  const summaries = isLimited ? around.found.filter(({ path }) => path.length === 0) : [];
  const foundIn = (pair: AlignedPair<Interaction>): readonly PlacedDifference[] => {
    const own = found.get(placeKey(pair.beforeIndex, pair.afterIndex));
    if (own !== undefined || summaries.length === 0 || isSamePair(pair)) return own ?? [];
    return summaries;
  };
  const both = pairs.flatMap((pair): readonly Part[] => {
    const { beforeIndex, afterIndex } = pair;
    if (beforeIndex === undefined || afterIndex === undefined) return [];
    const [old, now] = [olds.interactions[beforeIndex], news.interactions[afterIndex]];
    if (old === undefined || now === undefined || hasSameText(pair, before, after)) return [];
    return [
      {
        pair,
        before: new PartVersion(before, old, oldAgain, pair.before),
        after: new PartVersion(after, now, newAgain, pair.after),
        found: foundIn(pair),
      },
    ];
  });
  return [...both, around];
}

function placeKey(before: number | undefined, after: number | undefined): string {
  return `${before ?? ''}>${after ?? ''}`;
}

function isSamePair({ before, after }: AlignedPair<Interaction>): boolean {
  return before !== undefined && after !== undefined && isEqualInteraction(before, after);
}

function hasSameText({ before, after }: AlignedPair<Interaction>, old: RecordedTape, now: RecordedTape): boolean {
  if (before === undefined || after === undefined) return false;
  return (
    old.file.text.slice(before.source.start, before.source.end) ===
    now.file.text.slice(after.source.start, after.source.end)
  );
}

/** One version of a part, which is read with other values in it. */
class PartVersion {
  readonly #whole: RecordedTape;
  #read: ReadText | undefined;

  constructor(
    whole: RecordedTape,
    readonly values: readonly FileValue[],
    private readonly again: RewrittenValues,
    private readonly interaction?: Interaction,
  ) {
    this.#whole = whole;
  }

  /** Whether the format writes a value of it again. */
  hasRewritten(value: FileValue | undefined): boolean {
    return value === undefined || this.again.has(value, this.interaction?.index);
  }

  /** As it is. */
  get base(): Tape {
    return this.#text.tape;
  }

  /** The number of characters that are read. */
  get size(): number {
    return this.#text.text.length;
  }

  /** Whether it cannot be taken apart: a text that is not what is read, as of a zip. */
  get isOpaque(): boolean {
    const { interactions } = this.#whole.tape;
    return this.values.every(({ isText }) => isText) && interactions.every(({ source }) => source.end === 0);
  }

  /** As it is with another value in this place; with null, if there is none. */
  readWith({ node, offset, isText }: FileValue, other: FileValue | undefined): Tape {
    const { text, shift } = this.#text;
    const [start, end] = [node.start + offset + shift, node.end + offset + shift];
    const splice = keepLineEnd(text, { start, end, text: writtenValue(other, isText) });
    return this.#tapeOf(applySplices(text, [splice]));
  }

  get #text(): ReadText {
    this.#read ??= this.#alone() ?? { text: this.#whole.file.text, shift: 0, tape: this.#whole.tape };
    return this.#read;
  }

  /** An interaction as the only one of its tape, if that is the same interaction. */
  #alone(): ReadText | undefined {
    if (this.interaction === undefined) return undefined;
    const { file, tape } = this.#whole;
    const { start, end } = this.interaction.source;
    const head = file.text.slice(0, tape.interactions[0]?.source.start);
    const text = head + file.text.slice(start, end) + file.text.slice(tape.interactions.at(-1)?.source.end);
    const alone = this.#tapeOf(text);
    const [only, ...more] = alone.interactions;
    if (only === undefined || more.length > 0 || !isEqualInteraction(only, this.interaction)) return undefined;
    return { text, shift: head.length - start, tape: alone };
  }

  #tapeOf(text: string): Tape {
    return this.#whole.format.read({ ...this.#whole.file, text });
  }
}

/** A text with what is read of it. */
interface ReadText {
  readonly text: string;
  /** Is added to positions in the file. */
  readonly shift: number;
  readonly tape: Tape;
}

/** A value as JSON, which is YAML too. */
function writtenValue(value: FileValue | undefined, isText = false): string {
  if (isText) return value?.node.type === 'string' ? value.node.value : '';
  // Base64 says that it is by a tag, which is not part of the value.
  const isBinary = value?.node.type === 'string' && value.node.binary === true;
  if (value === undefined || isBinary) return 'null';
  return compactJson(jsonValue(value.node)).replace(
    UNQUOTED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Characters that JSON may have in strings as they are, and YAML may not. */
const UNQUOTED = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The most characters that are read for all trials together: some seconds. */
const MAX_TRIED = 50_000_000;

/** Finds out by reading whether a value is read. */
class Trials {
  /** Whether some values could not be tried. */
  isLimited = false;
  #tried = 0;

  constructor(private readonly normaliser: Normaliser) {}

  /** Whether the comparison sees the difference, or the reader does, and a change is shown with it. */
  isSeen({ before, after }: DifferingValue, part: Part): boolean {
    const version = after === undefined ? part.before : part.after;
    const value = after ?? before;
    if (value === undefined || version.isOpaque) return true;
    this.#tried += version.size;
    if (this.#tried > MAX_TRIED) {
      this.isLimited = true;
      return false;
    }
    const tried = version.readWith(value, after === undefined ? undefined : before);
    if (isSameReading(tried, version.base)) return false;
    if (part.found.some(({ rules = [] }) => rules.length === 0)) return true;
    const { changes, hidden } = compareTapes(tried, version.base, this.normaliser);
    return changes.length + hidden.length > 0 || isSameOnWire(tried, version.base);
  }
}

function isSameReading(left: Tape, right: Tape): boolean {
  return (
    left.name === right.name && left.version === right.version && hasSameInteractions(left, right, isEqualInteraction)
  );
}

/** Whether nothing differs but how a request that matches the same ones, and a stream of the same frames, were written. */
function isSameOnWire(left: Tape, right: Tape): boolean {
  return hasSameInteractions(left, right, (old, now) => isEqualInteraction(withoutWire(old), withoutWire(now)));
}

function withoutWire(interaction: Interaction): Interaction {
  const { api, http, response } = interaction;
  if (api === undefined || http === undefined) return interaction;
  const none = { type: 'none' } as const;
  const responseBody = response?.chunks === undefined ? http.responseBody : none;
  return { ...plainInteraction(interaction), http: { ...http, requestBody: none, responseBody } };
}

function hasSameInteractions(
  { interactions: olds }: Tape,
  { interactions: news }: Tape,
  isSame: (before: Interaction, after: Interaction) => boolean,
): boolean {
  return (
    olds.length === news.length &&
    olds.every((old, at) => {
      const now = news[at];
      return now !== undefined && isSame(old, now);
    })
  );
}

/**
 * Tells which values of a file its format would write again of what it reads: these are known to its reader. In a file that was
 * recorded here, that is all of them.
 */
class RewrittenValues {
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
