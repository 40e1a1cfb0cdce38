import { CASE } from '../src/core/cases/toml/caseSchema';
import { CONFIG } from '../src/core/project/configSchema';
import { defaultOf, jsonSchemaOf } from '../src/core/schema/describe';
import { isTable, propertiesOf, type Schema } from '../src/core/schema/schema';

/** A file that derives from the definitions in the source, in whole or between two marks. */
interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** `read` reads a file of the project, relative to its root. */
export function generatedFiles(read: (path: string) => string): readonly GeneratedFile[] {
  return [
    schemaFile('media/schemas/case.schema.json', 'Tapedeck case', CASE),
    schemaFile('media/schemas/tapedeck.schema.json', 'Tapedeck project settings', CONFIG),
    page(read, 'docs/case-keys.md', 'keys', keyTables(CASE)),
    page(read, 'docs/settings.md', 'settings', keyTables(CONFIG)),
  ];
}

function schemaFile(path: string, title: string, schema: Schema): GeneratedFile {
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title };
  return { path, content: `${JSON.stringify({ ...head, ...jsonSchemaOf(schema) }, null, 2)}\n` };
}

/** A page of the manual, in which the part between `<!-- NAME -->` and `<!-- /NAME -->` is generated. */
function page(read: (path: string) => string, path: string, name: string, part: string): GeneratedFile {
  const [before = '', rest = ''] = read(path).split(`<!-- ${name} -->\n`);
  const end = rest.indexOf(`<!-- /${name} -->`);
  return { path, content: `${before}<!-- ${name} -->\n${part}${rest.slice(end)}` };
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
  const rows = keys.map(
    ([key, schema]) => `| \`${key}\` | ${typeOf(schema)} | ${aboutOf(schema).replaceAll('|', '\\|')} |`,
  );
  return ['| key | value | meaning |', '|---|---|---|', ...rows, '', ''].join('\n');
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
