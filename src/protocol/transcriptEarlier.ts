import type { PreviousTotals } from '../core/review/previousTotals';
import { isIndex, isListOf, isShape } from './guards';
import type { Guard } from './rpc';

/** What a version of the tape took before it changed. */
export interface EarlierTold {
  /** Of the transcript, as in its overview: it does not hold for any other. */
  readonly version: number;
  /** Null where there is nothing to compare with. */
  readonly earlier: PreviousTotals | null;
}

/** The event that carries an `EarlierTold` to the webview. */
export const TRANSCRIPT_EARLIER = 'earlier';

const isObject: Guard<object> = (value): value is object => typeof value === 'object' && value !== null;
const isEarlier = isShape<{ readonly totals: object; readonly interactions: readonly (object | null)[] }>({
  totals: isObject,
  interactions: isListOf((one): one is object | null => one === null || isObject(one)),
});

/** The numbers come from our own engine and are not looked at again. */
export const isEarlierTold: Guard<EarlierTold> = (value): value is EarlierTold =>
  isShape<{ readonly version: number }>({ version: isIndex })(value) &&
  'earlier' in value &&
  (value.earlier === null || isEarlier(value.earlier));
