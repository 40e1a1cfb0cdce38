import { CASE } from '../src/core/cases/toml/caseSchema';
import { MASK_NAMES } from '../src/core/match/masks';
import { maskedThings } from '../src/core/match/maskWords';
import { CONFIG } from '../src/core/project/configSchema';
import { NOISY_HEADERS, NOISY_PARTS } from '../src/core/review/compare/headerNoise';
import { NOISY_MEMBERS, NOISY_VALUES } from '../src/core/review/compare/recordingNoise';
import { defaultOf, jsonSchemaOf } from '../src/core/schema/describe';
import { isTable, propertiesOf, type Schema } from '../src/core/schema/schema';
import { commandList, jsonShapes, reviewCommands, runCommands } from './commandTables';
import { editorSettings, type Manifest, paletteCommands, reviewKeys, transcriptKeys, type Words } from './editorTables';
import { manualPages } from './manual.mjs';
import { code, table } from './markdown';

/** A file that derives from the definitions in the source, in whole or between marks. */
interface GeneratedFile {
  readonly path: string;
  content(): string | Promise<string>;
}

/** Reads a file of the project by its path from the root. */
type Read = (path: string) => string;

/** The part of a page between `<!-- NAME -->` and `<!-- /NAME -->`. */
type Parts = Readonly<Record<string, () => string | Promise<string>>>;

/** Pages that are made of others come after those. */
export function generatedFiles(read: Read): readonly GeneratedFile[] {
  const manifest = (): Manifest => JSON.parse(read('package.json'));
  const words = (): Words => JSON.parse(read('package.nls.json'));
  return [
    schemaFile('media/schemas/case.schema.json', 'Tapedeck case', CASE),
    schemaFile('media/schemas/tapedeck.schema.json', 'Tapedeck project settings', CONFIG),
    page(read, 'docs/case-keys.md', { keys: () => keyTables(CASE) }),
    page(read, 'docs/settings.md', { settings: () => keyTables(CONFIG) }),
    page(read, 'docs/matching.md', { masks: maskTable }),
    page(read, 'docs/command-line.md', { 'command-list': commandList }),
    page(read, 'docs/commands-run.md', { 'run-commands': runCommands }),
    page(read, 'docs/commands-review.md', { 'review-commands': reviewCommands }),
    page(read, 'docs/json.md', { json: jsonShapes }),
    page(read, 'docs/vs-code.md', {
      commands: () => paletteCommands(manifest(), words(), pagesOf(read)),
      'editor-settings': () => editorSettings(manifest(), words()),
      'transcript-keys': transcriptKeys,
      'review-keys': reviewKeys,
    }),
    page(read, 'docs/noise.md', { noise: noiseTable }),
  ];
}

function schemaFile(path: string, title: string, schema: Schema): GeneratedFile {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title };
  return { path, content: () => `${JSON.stringify({ ...head, ...jsonSchemaOf(schema) }, null, 2)}\n` };
}

function page(read: Read, path: string, parts: Parts): GeneratedFile {
  return {
    path,
    async content() {
      let text = read(path);
      for (const [name, part] of Object.entries(parts)) {
        const [before = '', rest = ''] = text.split(`<!-- ${name} -->\n`);
        text = `${before}<!-- ${name} -->\n${await part()}${rest.slice(rest.indexOf(`<!-- /${name} -->`))}`;
      }
      return text;
    },
  };
}

/** The pages that the README links to, by their names in `docs/`: those of tasks, in the order of its last table, before the others. */
function pagesOf(read: Read): ReadonlyMap<string, string> {
  const [before = '', table = ''] = read('README.md').split('## Where to go on');
  return new Map(manualPages(table + before).map((path) => [path.replace('docs/', ''), read(path)]));
}

function maskTable(): string {
  return table(
    ['mask', 'what may differ'],
    MASK_NAMES.map((name) => [code(name), maskedThings([name])]),
  );
}

/** The tables of a file, each with its keys below its header. */
function keyTables(schema: Schema, path: readonly string[] = []): string {
  const members = Object.entries(propertiesOf(schema));
  const keys = members.filter(([, member]) => !isTable(member));
  const tables = members.filter(([, member]) => isTable(member));
  return [
    ...(keys.length > 0 ? [keyTable(keys)] : []),
    ...tables.map(([key, member]) => {
      const name = [...path, key].join('.');
      const header = member.items === undefined ? `[${name}]` : `[[${name}]]`;
      return `### \`${header}\`\n\n${aboutOf(member)}\n\n${keyTables(member, [...path, key])}`;
    }),
  ].join('');
}

function keyTable(keys: readonly (readonly [key: string, schema: Schema])[]): string {
  const rows = keys.map(([key, schema]) => [code(key), typeOf(schema), aboutOf(schema)]);
  return table(['key', 'value', 'meaning'], rows);
}

function typeOf(schema: Schema): string {
  const { type = 'any', items, enum: choices } = schema;
  const { default: value } = defaultOf(schema);
  const words = choices ?? items?.enum;
  const name = words?.map((word) => `\`"${word}"\``).join(', ') ?? (items ? `list of ${items.type}s` : type);
  if (schema.isNeeded) return `${name}, required`;
  if (schema.othersNeed) return `${name}, required by MoFA`;
  return value === undefined ? name : `${name}; ${JSON.stringify(value)} if absent`;
}

function aboutOf({ description, isOwn }: Schema): string {
  return isOwn ? `${description} *Tapedeck only.*` : description;
}

/** What may differ between two recordings without a change, besides values in what a model was given. */
function noiseTable(): string {
  const row = (kind: string, about: string, names: readonly string[]): string =>
    `| ${kind} | ${about} | ${names.map((name) => `\`${name}\``).join(', ')} |\n`;
  return [
    '| where | what | names |\n|---|---|---|\n',
    ...NOISY_HEADERS.map(({ about, names }) => row('header', about, names)),
    ...NOISY_PARTS.map(({ about, names }) => row('part of a header', about, names)),
    ...NOISY_MEMBERS.map(({ about, names }) => row('member', about, names)),
    ...NOISY_VALUES.map(({ about, names }) => row('value', about, names)),
  ].join('');
}
