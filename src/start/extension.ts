import type * as extension from '../extension';
import { chunkLoader } from './chunkLoader';

const { load, keep } = chunkLoader(__dirname, 'extension', require);
export const { activate } = load('chunks/extension.js') as typeof extension;
/** What V8 has compiled is kept for the next window, with what is loaded shortly after the activation. */
export const deactivate = keep;
setTimeout(keep, 2000).unref();
