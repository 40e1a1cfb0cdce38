import type { Interaction } from '../../src/core/model/interaction';
import type { Tape } from '../../src/core/model/tape';
import type { TapeFormat } from '../../src/core/tapes/format';
import { detectFormat } from '../../src/core/tapes/readTape';
import { decodeTapeFile, encodeTapeFile, type TapeFile } from '../../src/core/tapes/tapeFile';
import { applySplices } from '../../src/core/text/splice';
import { differingPaths, type EditSubject, editItem, meaning, modelOf, plainText } from './itemEdits';
import { Random } from './random';

/** A change that was made on purpose. Interactions by their places in the earlier and the later file. */
export interface MadeEdit {
  readonly kind: 'added' | 'removed' | 'moved' | 'edited';
  readonly subject: string;
  readonly before?: number;
  readonly after?: number;
}

/** Two files that differ in known edits. */
export interface EditedPair {
  readonly path: string;
  readonly format: TapeFormat;
  readonly before: TapeFile;
  readonly after: TapeFile;
  readonly edits: readonly MadeEdit[];
  /** Values that mean nothing changed, too. */
  readonly noisy: boolean;
}

/** One interaction while the later file comes about. */
interface Slot {
  readonly origin?: number;
  text: string;
  readonly edits: string[];
}

const SUBJECTS: readonly EditSubject[] = ['text', 'text', 'arguments', 'tool', 'model', 'usage', 'noise'];

/** Makes a pair of a real tape: 1 to 5 edits, or noise alone. Undefined when the tape has no place for what was drawn. */
export function editedPair(path: string, bytes: Uint8Array, seed: number): EditedPair | undefined {
  const before = decodeTapeFile(path, bytes);
  const format = detectFormat(before);
  const tape = format?.read(before);
  if (format === undefined || tape === undefined) return undefined;
  return new PairMaker(before, format, tape, new Random(seed)).make();
}

class PairMaker {
  readonly #slots: Slot[];
  readonly #head: string;
  readonly #tail: string;
  readonly #gaps: readonly string[];
  #noisy = false;
  #moved: Slot | undefined;
  readonly #donors = new Set<Slot>();
  readonly #removed: number[] = [];

  constructor(
    private readonly file: TapeFile,
    private readonly format: TapeFormat,
    private readonly tape: Tape,
    private readonly random: Random,
  ) {
    const { text } = file;
    const spans = tape.interactions.map(({ source }) => source);
    this.#slots = spans.map(({ start, end }, origin) => ({ origin, text: text.slice(start, end), edits: [] }));
    this.#head = text.slice(0, spans[0]?.start ?? 0);
    this.#tail = text.slice(spans.at(-1)?.end ?? 0);
    this.#gaps = spans.slice(1).map(({ start }, index) => text.slice(spans[index]?.end, start));
  }

  make(): EditedPair | undefined {
    const spans = this.tape.interactions.map(({ source }) => source);
    if (spans.some(({ start, end }, index) => end <= start || start < (spans[index - 1]?.end ?? 0))) return undefined;
    const onlyNoise = this.random.chance(0.12);
    const count = 1 + this.random.below(5);
    for (let made = 0; made < count; made += 1) {
      if (onlyNoise) this.#edit('noise');
      else if (this.random.chance(0.45))
        this.random.pick([() => this.#insert(), () => this.#remove(), () => this.#move()])();
      else this.#edit(this.random.pick(SUBJECTS) ?? 'text');
    }
    return this.#finish();
  }

  #finish(): EditedPair | undefined {
    const { file, format } = this;
    const raw = this.#text();
    const text = applySplices(raw, format.finalise?.({ ...file, text: raw }) ?? []);
    const after = decodeTapeFile(file.path, encodeTapeFile(file, text));
    if (text === file.text || !this.#hasMovedFar() || !this.#readsAsMeant(after)) return undefined;
    return { path: file.path, format, before: file, after, edits: this.#edits(), noisy: this.#noisy };
  }

  #text(): string {
    const parts = this.#slots.map(({ text, origin }, index) => {
      if (index === 0) return text;
      const previous = this.#slots[index - 1]?.origin;
      const isNext = origin !== undefined && previous === origin - 1;
      return `${(isNext ? this.#gaps[origin - 1] : this.#gaps[0]) ?? ''}${text}`;
    });
    return this.#head + parts.join('') + this.#tail;
  }

  /** Past two others that are still there, or they could as well be said to have moved. */
  #hasMovedFar(): boolean {
    const moved = this.#moved;
    if (moved?.origin === undefined) return true;
    const order = this.#slots.flatMap(({ origin }) => origin ?? []);
    const place = order.indexOf(moved.origin);
    const passed = order.filter((origin, index) => origin < (moved.origin ?? 0) !== index < place && index !== place);
    return passed.length >= 2;
  }

  /** The later file has to have exactly the interactions that were meant, or the edit was no good. */
  #readsAsMeant(after: TapeFile): boolean {
    if (detectFormat(after) !== this.format) return false;
    const { interactions, problems } = this.format.read(after);
    if (interactions.length !== this.#slots.length) return false;
    if (problems.filter(({ severity }) => severity === 'error').length > this.#errors()) return false;
    return this.#slots.every(({ origin, text, edits }, index) => {
      const [now, alone] = [interactions[index], this.#read(text).interactions[0]];
      const same = (left: unknown, right: unknown) => differingPaths(left, right).length === 0;
      if (now === undefined || alone === undefined) return false;
      const old = origin === undefined ? undefined : this.tape.interactions[origin];
      return (
        same(modelOf(now), modelOf(alone)) &&
        (edits.length > 0 || old === undefined || same(modelOf(now), modelOf(old)))
      );
    });
  }

  #errors(): number {
    return this.tape.problems.filter(({ severity }) => severity === 'error').length;
  }

  #edits(): MadeEdit[] {
    const edits: MadeEdit[] = this.#removed.map((before) => ({ kind: 'removed', subject: 'interaction', before }));
    this.#slots.forEach(({ origin, edits: subjects }, after) => {
      if (origin === undefined) edits.push({ kind: 'added', subject: 'interaction', after });
      else {
        const [before] = [origin];
        if (this.#moved?.origin === origin) edits.push({ kind: 'moved', subject: 'interaction', before, after });
        for (const subject of new Set(subjects))
          if (subject !== 'noise') edits.push({ kind: 'edited', subject, before, after });
      }
    });
    return edits;
  }

  #edit(subject: EditSubject): void {
    const free = this.#slots.filter(
      (slot) =>
        slot.origin !== undefined &&
        !slot.edits.includes(subject) &&
        !this.#donors.has(slot) &&
        !this.#isLikeOneOf(slot, this.#copied()),
    );
    const slot = this.random.pick(free);
    if (slot === undefined || slot === this.#moved) return;
    const edited = editItem(slot.text, subject, (text) => this.#read(text), this.random);
    if (edited === undefined || slot.edits.includes(edited.subject)) return;
    slot.text = edited.text;
    slot.edits.push(edited.subject);
    this.#noisy ||= subject === 'noise';
  }

  /** A copy of an interaction that nothing was done to, with another question or answer. */
  #insert(): void {
    if (this.#gaps.length === 0) return;
    const donor = this.random.pick(
      this.#slots.filter((slot) => this.#isUntouched(slot) && !this.#isLikeOneOf(slot, this.#touched())),
    );
    const copy = donor && editItem(donor.text, 'text', (text) => this.#read(text), this.random);
    if (copy === undefined || donor === undefined) return;
    this.#donors.add(donor);
    this.#slots.splice(this.random.below(this.#slots.length + 1), 0, { text: copy.text, edits: ['noise'] });
  }

  #remove(): void {
    const free = this.#slots.filter((slot) => this.#isUntouched(slot) && !this.#isLikeOneOf(slot, this.#copied()));
    const slot = this.random.pick(free);
    if (slot?.origin === undefined || this.#slots.length < 2) return;
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    this.#removed.push(slot.origin);
  }

  /** Far enough that nothing else can be said to have moved instead. */
  #move(): void {
    const stays = this.#slots.filter(({ origin }) => origin !== undefined);
    const slot = this.random.pick(stays.filter((one) => this.#isUntouched(one)));
    if (slot === undefined || this.#moved !== undefined || stays.length < 3) return;
    const from = stays.indexOf(slot);
    const targets = stays.map((_, index) => index).filter((index) => Math.abs(index - from) >= 2);
    const to = this.random.pick(targets);
    if (to === undefined) return;
    const neighbour = stays[to];
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    const at = neighbour === undefined ? 0 : this.#slots.indexOf(neighbour);
    this.#slots.splice(to > from ? at + 1 : at, 0, slot);
    this.#moved = slot;
  }

  /** Nothing was done to it, and it is no other's double: or what was done to which of them could not be told. */
  #isUntouched(slot: Slot): boolean {
    const interaction = this.tape.interactions[slot.origin ?? -1];
    if (interaction === undefined || slot.edits.length > 0 || this.#donors.has(slot)) return false;
    const isDouble = this.tape.interactions.some(
      (other) => other !== interaction && meaning(other) === meaning(interaction),
    );
    return !isDouble;
  }

  /** What a copy was made of: a change of its like could be told as one of the copy. */
  #copied(): readonly Interaction[] {
    return [...this.#donors].flatMap(({ origin }) => this.tape.interactions[origin ?? -1] ?? []);
  }

  #touched(): readonly Interaction[] {
    const edited = this.#slots.filter(({ edits }) => edits.length > 0).map(({ origin }) => origin);
    return [...edited, ...this.#removed].flatMap((origin) => this.tape.interactions[origin ?? -1] ?? []);
  }

  #isLikeOneOf(slot: Slot, others: readonly Interaction[]): boolean {
    const interaction = this.tape.interactions[slot.origin ?? -1];
    return interaction !== undefined && others.some((other) => areSiblings(interaction, other));
  }

  #read(text: string): Tape {
    return this.format.read({ ...this.file, text: this.#head + text + this.#tail });
  }
}

/** Do two interactions ask or answer the same, or with mostly the same words? Then one is as good as the other, edited. */
function areSiblings(left: Interaction, right: Interaction): boolean {
  const [one, other] = [left, right].map(({ request, response, http }) => ({
    asked: plainText(request?.messages ?? http?.requestBody ?? ''),
    answered: plainText([response?.content, response?.toolCalls, http?.responseBody]),
    words: new Set(`${request?.messages.at(-1)?.content} ${response?.content}`.split(/\W+/)),
  }));
  if (one === undefined || other === undefined || one.asked === other.asked || one.answered === other.answered)
    return true;
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  return 3 * shared > Math.min(one.words.size, other.words.size);
}
