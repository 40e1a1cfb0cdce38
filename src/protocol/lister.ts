import type { ListedTape } from '../core/project/listTape';
import type { SecretSources } from '../core/secrets/secretSources';
import { isListOf, isMaybe, isShape, isText, isTrue } from './guards';
import type { Guard, Guards } from './rpc';

/** The calls to the thread that reads tapes for lists, so that the host does not hold their texts in memory. */
export type ListerApi = {
  list(params: ListParams): Promise<ListAnswer>;
};

export interface ListParams {
  /** The absolute path of the file. */
  readonly file: string;
  /** The path that names the tape, with `/`. */
  readonly path: string;
  /** The stamp of the file as it was last read: it is not read again while it has that one. */
  readonly stamp?: string | undefined;
  readonly isExpected?: true | undefined;
  readonly secrets: SecretSources;
}

/** What a file is, or that it is as it was; a file that is gone has no stamp. */
export type ListAnswer = 'unchanged' | { readonly stamp?: string; readonly tape?: ListedTape };

export const listerGuards: Guards<ListerApi> = {
  list: isShape<ListParams>({
    file: isText,
    path: isText,
    stamp: isMaybe(isText),
    isExpected: isMaybe(isTrue),
    secrets: isShape<SecretSources>({ values: isListOf(isText), patterns: isListOf(isText) }),
  }),
};

/** The data that the thread is started with. */
export interface ListerStart {
  readonly lists: true;
}

export const isListerStart: Guard<ListerStart> = isShape<ListerStart>({ lists: isTrue });
