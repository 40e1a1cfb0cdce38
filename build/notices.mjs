// The licences of the packages whose code is in what is built, which they ask to be passed on with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Drawn from, not imported: the icons of the pages are its SVG paths. */
const DRAWN_FROM = ['node_modules/@vscode/codicons'];

/** Texts for packages that come without one. */
const OWN_TEXTS = 'build/licences';

const LICENCE_FILES = /^(?:licen[cs]e|copying|notice|third-?party-?notices)/i;

/**
 * The notices of everything in these builds. Throws for a package without the text of its licence.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function noticesOf(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const notices = [...folders, ...DRAWN_FROM].sort().map(noticeOf);
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const own = join(OWN_TEXTS, `${name.replace('/', '-')}.txt`);
  const files = readdirSync(folder).filter((file) => LICENCE_FILES.test(file));
  const paths = [...files.sort().map((file) => join(folder, file)), ...(existsSync(own) ? [own] : [])];
  if (paths.length === 0) throw new Error(`${name} comes without the text of its licence: write it to ${own}`);
  const texts = paths.map((path) => readFileSync(path, 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
