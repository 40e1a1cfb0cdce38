import { existsSync } from 'node:fs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./codeServer.mjs').CodeServer} CodeServer
 * @typedef {{scheme: string, authority: string, path: string}} UriComponents
 */

const served = '/local-files';

/**
 * Where the window finds a file so that the server's Node extension host runs it.
 * @param {CodeServer} server
 * @returns {(file: string) => UriComponents}
 */
export function remoteUris(server) {
  return (file) => ({ scheme: 'vscode-remote', authority: new URL(server.url).host, path: file });
}

/**
 * Where the window finds a file so that the browser's own extension host runs it: an address like any website's, that only this page
 * can open.
 * @param {Page} page
 * @param {CodeServer} server
 * @returns {Promise<(file: string) => UriComponents>}
 */
export async function webUris(page, server) {
  await page.context().route(`${server.url}${served}/**`, (route) => {
    const file = decodeURIComponent(new URL(route.request().url()).pathname.slice(served.length));
    return route.fulfill(existsSync(file) ? { path: file } : { status: 404 });
  });
  return (file) => ({ scheme: 'http', authority: new URL(server.url).host, path: served + file });
}
