import { resolve } from 'node:path';

/**
 * What Node has itself: the portable brotli is 70 kB, and cannot be stopped at a size; the portable inflate is slow.
 * @type {import('esbuild').Plugin}
 */
export const nodeZlib = {
  name: 'node-zlib',
  setup({ onResolve }) {
    const path = resolve('src/engine/files/zlib.ts');
    onResolve({ filter: /\/(?:brotli|inflate)$/ }, ({ importer }) => (importer === path ? undefined : { path }));
  },
};
