import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../src/core/tapes/formats');

/** An example of a README, with the heading that it is below. */
interface ReadmeSample {
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

/** The examples in the README of a folder of formats, or of all. */
export function readmeSamples(format?: string): readonly ReadmeSample[] {
  const folders = format === undefined ? readdirSync(folder) : [format];
  return folders.flatMap((name) => {
    const readme = join(folder, name, 'README.md');
    return existsSync(readme) ? samplesIn(name, readFileSync(readme, 'utf8')) : [];
  });
}

function samplesIn(folderName: string, readme: string): ReadmeSample[] {
  let title = folderName;
  return [...readme.matchAll(/^#+ ([^\n]+)$|^```(jsonl?|json5|yaml|markdown|http)\n(.*?)^```$/gms)].flatMap(
    ([, heading, syntax, text = '']) => {
      title = heading ?? title;
      return syntax === undefined ? [] : [{ title, path: `${folderName}.${syntax}`, text }];
    },
  );
}
