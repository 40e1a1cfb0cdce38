import { keyLabel } from '../webview-ui/base/keyLabel';
import { KEY_BINDINGS } from '../webview-ui/review/session/reviewKeys';
import { keyNames, TRANSCRIPT_COMMANDS } from '../webview-ui/transcript/commands';
import { code, table } from './markdown';

/** What these tables read of `package.json`. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown } & Readonly<Record<string, unknown>>>>;
    };
  };
}

/** The texts of `package.nls.json`, by the names that the manifest has for them. */
export type Words = Readonly<Record<string, string>>;

/** The text of the manifest's `%name%`. */
const wordsFor = (name: string, words: Words): string => words[name.replaceAll('%', '')] ?? name;

/** The titles of the commands in the palette, as it shows them. */
export function paletteTitles({ contributes: { commands, menus } }: Manifest, words: Words): readonly string[] {
  const hidden = new Set(menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? [command] : [])));
  return commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ category, title }) => `${wordsFor(category, words)}: ${wordsFor(title, words)}`)
    .sort((left, right) => (left < right ? -1 : 1));
}

/** The commands of the palette, each with the first page that describes it. `pages` are texts by their names. */
export function paletteCommands(manifest: Manifest, words: Words, pages: ReadonlyMap<string, string>): string {
  const rows = paletteTitles(manifest, words).map((title) => [title, linkTo(title, pages)]);
  return table(['command', 'described in'], rows);
}

/** A page describes a command where it has its title in bold, with the category or without, and with three dots or without. */
function linkTo(title: string, pages: ReadonlyMap<string, string>): string {
  const own = title.replace(/^[^:]*: /, '');
  const names = [title, own, own.replace('…', '')].map((name) => `**${name}**`);
  for (const [page, text] of pages) {
    const words = text.replaceAll(/\s+/g, ' ');
    if (names.some((name) => words.includes(name))) return `[${/^# (.*)/m.exec(text)?.[1] ?? page}](${page})`;
  }
  return '';
}

/** The settings of VS Code, with their defaults. */
export function editorSettings({ contributes }: Manifest, words: Words): string {
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => [
    code(name),
    [setting.default]
      .flat()
      .map((value) => code(JSON.stringify(value)))
      .join(', ') || 'none',
    wordsFor(String(setting.markdownDescription ?? setting.description), words).replace(/`#([^#]*)#`/g, '`$1`'),
  ]);
  return table(['setting', 'default', 'meaning'], rows);
}

/** The keys of a transcript, as its help writes them. */
export function transcriptKeys(): string {
  const rows = TRANSCRIPT_COMMANDS.filter(({ keys }) => keys.length > 0);
  return table(
    ['key', 'what it does'],
    rows.map(({ id, label }) => [keyNames(id).map(code).join(' '), label]),
  );
}

/** The keys of a review, as its help writes them. */
export function reviewKeys(): string {
  return table(
    ['key', 'what it does'],
    KEY_BINDINGS.map(({ keys, label }) => [keys.map((key) => code(keyLabel(key))).join(' '), label]),
  );
}
