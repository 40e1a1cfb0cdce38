// The manual: the README, and the pages of docs/ that it links to.
import { publishedText } from './publishing.mjs';

const HOME = 'README.md';
const PAGE = /\]\((docs\/[\w-]+\.md)/g;
/** What only a checkout has a use for. */
const ONLY_IN_PROJECT = /<!-- only in the project -->\n[\s\S]*?<!-- \/only in the project -->\n\n?/g;

/**
 * The pages of docs/, by their paths, in the order in which the README links to them.
 * @param {string} readme
 */
export function manualPages(readme) {
  return [...new Set([...readme.matchAll(PAGE)].map(([, path = '']) => path))];
}

/**
 * The manual as it comes with the extension and with the command line, by the paths of its files: the README is `MANUAL.md`, because the
 * page of a marketplace has its name.
 * @param {(path: string) => string} read reads a file of the project, by its path from the root
 * @param {{ repository?: string, pictures?: string }} places see `publishedText`
 * @returns {ReadonlyMap<string, string>}
 */
export function packagedManual(read, places) {
  const packaged = packagedPaths(read);
  const texts = [...packaged].map(([from, to]) => {
    const text = read(from).replace(ONLY_IN_PROJECT, '');
    return /** @type {const} */ ([to, publishedText(text, { ...places, from, to, packaged })]);
  });
  return new Map(texts);
}

/**
 * The same of one page, as the page of a package: at its root, and without the page's own title.
 * @param {string} from its path
 * @param {(path: string) => string} read
 * @param {{ repository?: string, pictures?: string }} places
 */
export function packagedPage(from, read, places) {
  const text = read(from).replace(/^# .*\n/, '');
  return publishedText(text, { ...places, from, packaged: packagedPaths(read) });
}

/**
 * Where each page is in a package.
 * @param {(path: string) => string} read
 */
function packagedPaths(read) {
  return new Map([[HOME, 'MANUAL.md'], ...manualPages(read(HOME)).map((path) => /** @type {const} */ ([path, path]))]);
}
