import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes an extension whose commands each run another one with a file, so that both editors are opened the same way. In the rest of
 * what the command is given, `{ file }` is a file, too.
 * @param {string} folder
 * @param {Record<string, readonly [command: string, file: string, ...rest: unknown[]]>} commands by title
 * @returns {string} where it is
 */
export function writeOpener(folder, commands) {
  const path = join(folder, 'opener');
  const listed = Object.entries(commands).map(([title, call], index) => ({ id: `bench.open${index}`, title, call }));
  mkdirSync(path);
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({
      ...{ name: 'opener', publisher: 'bench', version: '0.0.1', engines: { vscode: '^1.100.0' }, main: './main.js' },
      contributes: { commands: listed.map(({ id, title }) => ({ command: id, title, category: 'Bench' })) },
    }),
  );
  writeFileSync(
    join(path, 'main.js'),
    `const vscode = require('vscode');
const given = (value) =>
  Array.isArray(value) ? value.map(given) : value?.file === undefined ? value : vscode.Uri.file(value.file);
exports.activate = () => {
  for (const { id, call: [command, file, ...rest] } of ${JSON.stringify(listed)})
    vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(command, vscode.Uri.file(file), ...given(rest)));
};`,
  );
  return path;
}
