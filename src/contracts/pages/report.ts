import { type Schema, shape } from '../../core/schema/schema';
import { type Calls, contract } from '../contract';

/** A page that shows one report, which follows what it is about: a run's summary, a stability check, a trial, an overview. */
export function reportPage<T, const C extends Calls>(shown: Schema<T>, calls: C) {
  return contract({ calls, state: shape({ shown }) });
}
