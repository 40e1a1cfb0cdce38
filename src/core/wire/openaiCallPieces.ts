import { isRecord, type Json, type JsonRecord } from '../json/json';
import { compactJson } from './compactJson';
import { recordOf, textOf, without } from './fields';
import { parseJson } from './parseJson';

interface OpenCall {
  others: JsonRecord;
  id: string;
  name: string;
  text: string;
  /** Where the pieces of the text belong. */
  kind: 'function' | 'custom';
  /** How many pieces it came in. */
  pieces: number;
}

/** Calls come in pieces that belong together by index. */
export class CallPieces {
  readonly #calls: OpenCall[] = [];
  readonly #callAt = new Map<Json, OpenCall>();

  take(piece: JsonRecord): void {
    const kind = isRecord(piece.custom) ? 'custom' : 'function';
    const wanted = recordOf(piece[kind]);
    const name = textOf(wanted.name) ?? '';
    const call = this.#callOf(piece, name);
    if (kind === 'custom') call.kind = kind;
    call.others = { ...call.others, ...without(piece, 'index', 'function', 'custom') };
    // Other servers make up an id for every piece.
    call.id ||= textOf(piece.id) ?? '';
    // A few servers repeat the name with every piece.
    if (name !== call.name) call.name += name;
    call.pieces += 1;
    call.text += textOf(wanted.arguments) ?? textOf(wanted.input) ?? objectText(wanted.arguments);
  }

  whole(): JsonRecord[] {
    return this.#calls.map(({ others, id, name, text, kind }) => ({
      ...others,
      id,
      [kind]: kind === 'custom' ? { name, input: text } : { name, arguments: text },
    }));
  }

  #callOf({ id, index }: JsonRecord, name: string): OpenCall {
    const key = index ?? 0;
    const call = this.#callAt.get(key);
    if (call !== undefined && !(name && isOver(call, id))) return call;
    const begun: OpenCall = { others: {}, id: '', name: '', text: '', kind: 'function', pieces: 0 };
    this.#calls.push(begun);
    this.#callAt.set(key, begun);
    return begun;
  }
}

/**
 * Whether a name begins another call, at servers that leave the index out, or at 0: with another id, or, where there
 * are no ids, behind a call that came as a whole.
 */
function isOver(call: OpenCall, id: Json | undefined): boolean {
  if (id && call.id) return id !== call.id;
  return !id && !call.id && call.pieces === 1 && isRecord(parseJson(call.text));
}

/** Arguments that came as an object. */
function objectText(value: Json | undefined): string {
  return isRecord(value) ? compactJson(value) : '';
}
