import type { Json } from '../json/json';
import type { JsonPath } from '../json/jsonPath';

/** One value that differs. */
export interface ValueChange {
  /** From the part it is in. */
  readonly path: JsonPath;
  /** Absent where it was added. */
  readonly before?: Json;
  /** Absent where it was removed. */
  readonly after?: Json;
}

/** Places in the body: `from` in the recording, `to` in the request that was made now. */
export type MessageChange =
  | { readonly type: 'added'; readonly to: JsonPath; readonly role: string; readonly value: Json }
  | { readonly type: 'removed'; readonly from: JsonPath; readonly role: string; readonly value: Json }
  | {
      readonly type: 'moved';
      readonly from: JsonPath;
      readonly to: JsonPath;
      readonly role: string;
      readonly value: Json;
    }
  | {
      readonly type: 'edited';
      readonly from: JsonPath;
      readonly to: JsonPath;
      readonly role: string;
      readonly values: readonly ValueChange[];
    };

export type ToolChange =
  | { readonly type: 'added' | 'removed' | 'moved'; readonly name: string }
  /** Paths are from the definition of the tool. */
  | { readonly type: 'changed'; readonly name: string; readonly values: readonly ValueChange[] };

/** What differs between a recorded request and one that was made now. */
export interface RequestChanges {
  readonly address?: { readonly before: string; readonly after: string };
  readonly model?: { readonly before?: string; readonly after?: string };
  /** Paths are from the body; those of the query begin with a name that begins with `?`. */
  readonly params: readonly ValueChange[];
  readonly messages: readonly MessageChange[];
  readonly tools: readonly ToolChange[];
}

export function countChanges({ address, model, params, messages, tools }: RequestChanges): number {
  return Number(address !== undefined) + Number(model !== undefined) + params.length + messages.length + tools.length;
}
