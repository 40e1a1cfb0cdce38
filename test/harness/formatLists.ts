import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TapeFormat } from '../../src/core/tapes/format';
import { formats } from '../../src/core/tapes/registry';
import { isRecordable, isWritable } from '../../src/core/tapes/writableFormat';
import { projectFolder } from '../corpus';

/**
 * The lists that follow from the formats' definitions. Some are needed where the definitions are not loaded, others are
 * documentation. `node --import tsx test/harness/formatLists.ts` writes them; a test compares them.
 */

/** Each file with such a list, and its text with the list as it should be. */
export function filesWithLists(): ReadonlyMap<string, string> {
  return new Map([
    ['src/core/project/formatNames.ts', formatNames()],
    ['package.json', withTapeGlobs(read('package.json'))],
    ['docs/formats.md', withFormatTable(read('docs/formats.md'), capabilityTable())],
    ['src/core/tapes/formats/README.md', withFormatTable(read('src/core/tapes/formats/README.md'), formatTable())],
  ]);
}

export function read(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8');
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
const extensions = unique(formats.flatMap((format) => format.extensions));
const ownEndings = unique(formats.flatMap((format) => format.ownEndings ?? []));
const caseTapes = formats.flatMap(({ asCase }) => (asCase === undefined ? [] : [asCase]));

function formatNames(): string {
  const lines = (values: readonly string[]): string => `[\n${values.map((value) => `  ${value},\n`).join('')}]`;
  const list = (values: readonly string[]): string => lines(values.map((value) => `'${value}'`));
  const places = caseTapes.map(({ folder, extension }) => `{ folder: '${folder}', extension: '${extension}' }`);
  return `// biome-ignore-all format: generated
// Generated from the formats in core/tapes/registry.ts by test/harness/formatLists.ts. Do not edit.

/** The extensions of tapes, without the dot. */
export const TAPE_EXTENSIONS: readonly string[] = ${list(unique(extensions.map((extension) => extension.replace(/\.gz$/, ''))))};

/** The endings of names, without the dot, that only tapes have. */
export const TAPE_ENDINGS: readonly string[] = ${list(ownEndings)};

/** Where tapes that are cases by themselves are looked for: in folders of this name, with this extension. */
export const CASE_TAPES = ${lines(places)};
`;
}

/** Folders in which recorders, and the people who use them, keep tapes. */
const TAPE_FOLDERS =
  'cassettes,vcr_cassettes,_vcr,recordings,__recordings__,SessionRecords,tapes,traces,replays,fixtures,testdata,__fixtures__';

/** The default of the setting \`tapedeck.tapes\`. What only scripts written by hand use, such as TOML, is not searched for. */
function withTapeGlobs(text: string): string {
  const inFolders = unique(
    formats.filter(({ isHandWritten }) => isHandWritten !== true).flatMap((format) => format.extensions),
  ).filter((extension) => !ownEndings.includes(extension));
  const globs = [`**/*.{${ownEndings.join(',')}}`, `**/{${TAPE_FOLDERS}}/**/*.{${inFolders.join(',')}}`];
  const lines = globs.map((glob) => `            ${JSON.stringify(glob)}`).join(',\n');
  return text.replace(
    /("tapedeck\.tapes": \{[\s\S]*?"default": \[)[^\]]*(\])/,
    (_, before: string, after: string) => `${before}\n${lines}\n          ${after}`,
  );
}

/** Replaces what stands between the marks of the generated table. */
function withFormatTable(text: string, table: string): string {
  return text.replace(
    /(<!-- formats: [^>]*-->\n)[\s\S]*?(\n<!-- \/formats -->)/,
    (_, before: string, after: string) => `${before}\n${table}\n${after}`,
  );
}

function capabilityTable(): string {
  const labels = (some: readonly TapeFormat[]): string => some.map(({ label }) => label).join(', ');
  return [
    '| Tapedeck | formats |',
    '|---|---|',
    ...['reads, edits, and records', 'reads, edits, and converts to', 'reads and edits', 'reads'].map(
      (ability) => `| ${ability} | ${labels(formats.filter((format) => abilityOf(format) === ability))} |`,
    ),
  ].join('\n');
}

function abilityOf(format: TapeFormat): string {
  if (isRecordable(format)) return 'reads, edits, and records';
  if (isWritable(format)) return 'reads, edits, and converts to';
  return format.editText === undefined ? 'reads' : 'reads and edits';
}

function formatTable(): string {
  const rows = formats.map((format) => {
    const files = format.extensions.map((one) => `\`.${one}\``).join(' ');
    return `| \`${format.id}\` | ${format.label} | ${files} | ${abilityOf(format)} |`;
  });
  return ['| id | format | files | Tapedeck |', '|---|---|---|---|', ...rows].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of filesWithLists()) writeFileSync(join(projectFolder, path), text);
}
