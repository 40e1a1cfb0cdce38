/** What runs tests, and removes their tapes: only on a desktop. */
export { debugTest } from './debugTest';
export { removeOrphans } from './removeOrphans';
export { runTest } from './runTest';
