import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder, absolute. */
export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Where VS Code, code-server and other downloads are kept between runs; git ignores it. */
export const cacheFolder = path.join(projectRoot, '.vscode-test');

/**
 * @typedef {'newest' | 'oldest'} HostName
 * @typedef {object} HostVersion
 * @property {HostName} name
 * @property {string} vscode the VS Code release, as the update server names it
 * @property {string} codeServer the npm release of code-server that carries the same VS Code
 * @property {number} node the Node major that code-server release is made for
 */

/** @type {Record<HostName, HostVersion>} */
const hostVersions = {
  newest: { name: 'newest', vscode: '1.139.1', codeServer: '4.139.1', node: 24 },
  oldest: { name: 'oldest', vscode: '1.100.3', codeServer: '4.100.3', node: 20 },
};

/**
 * The pinned VS Code at one end of `engines.vscode`.
 * @param {string} [name] `newest` (the default) or `oldest`
 * @returns {HostVersion}
 */
export function hostVersion(name = 'newest') {
  if (name !== 'newest' && name !== 'oldest') {
    throw new Error(`There is no VS Code version named "${name}" to test in: say newest or oldest.`);
  }
  return hostVersions[name];
}
