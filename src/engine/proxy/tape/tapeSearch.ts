// What the first request needs that is not on a replayed tape byte for byte: loaded together, since that is when a client waits.
export { createMatcher } from '../../../core/match/matcher';
export { readRequestIndex } from '../../../core/match/requestIndex';
export { loadUnchangedTape } from '../../recording/unchangedTape';
export { LoadedTape } from './loadedTape';
