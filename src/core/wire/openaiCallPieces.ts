import { isRecord, type Json, type JsonRecord } from '../json/json';
import { compactJson } from './compactJson';
import { recordOf, textOf, without } from './fields';

interface OpenCall {
  others: JsonRecord;
  id: string;
  name: string;
  text: string;
  /** Where the pieces of the text belong. */
  kind: 'function' | 'custom';
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
    call.text += textOf(wanted.arguments) ?? textOf(wanted.input) ?? objectText(wanted.arguments);
  }

  whole(): JsonRecord[] {
    return this.#calls.map(({ others, id, name, text, kind }) => ({
      ...others,
      id,
      [kind]: kind === 'custom' ? { name, input: text } : { name, arguments: text },
    }));
  }

  /** Servers that leave the index out, or at 0, begin another call with another id and its name. */
  #callOf({ id, index }: JsonRecord, name: string): OpenCall {
    const key = index ?? 0;
    const call = this.#callAt.get(key);
    if (call !== undefined && !(name && id && call.id && call.id !== id)) return call;
    const begun: OpenCall = { others: {}, id: '', name: '', text: '', kind: 'function' };
    this.#calls.push(begun);
    this.#callAt.set(key, begun);
    return begun;
  }
}

/** Arguments that came as an object. */
function objectText(value: Json | undefined): string {
  return isRecord(value) ? compactJson(value) : '';
}
