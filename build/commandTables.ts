import { type CliCommand, optionName } from '../src/engine/commands/command';
import { commands } from '../src/engine/commands/commands';
import { code, table } from './markdown';

/** Those that run an agent, or deal with its recordings. All others read, compare, and decide. */
const TO_RUN = new Set('run exec serve mcp-tape fork trial stability takes recover flakestorm test-dsl'.split(' '));

const listed = commands.filter(({ hidden }) => !hidden);

/** The commands of the command line, as its help lists them. */
export function commandList(): string {
  return table(
    ['command', 'what it does'],
    listed.map(({ name, about }) => [code(`tapedeck ${name}`), about]),
  );
}

/** What each command to run and record takes. */
export const runCommands = (): Promise<string> => commandParts((name) => TO_RUN.has(name));

/** What each command to read and review takes. */
export const reviewCommands = (): Promise<string> => commandParts((name) => !TO_RUN.has(name));

async function commandParts(isWanted: (name: string) => boolean): Promise<string> {
  const wanted = listed.filter(({ name }) => isWanted(name));
  return (await Promise.all(wanted.map(async ({ name, load }) => commandPart(name, await load())))).join('');
}

function commandPart(name: string, { usage, about, options }: CliCommand): string {
  const rows = Object.entries(options).map(([key, { value, short, about: meaning }]) => {
    const long = `--${optionName(key)}${value === undefined ? '' : ` ${value}`}`;
    return [code(short === undefined ? long : `-${short}, ${long}`), meaning];
  });
  const head = `### \`tapedeck ${name}\`\n\n${about}.\n\n\`\`\`text\ntapedeck ${`${name} ${usage}`.trim()}\n\`\`\`\n\n`;
  return rows.length === 0 ? head : `${head}${table(['option', 'meaning'], rows)}`;
}

/** What each command prints with `--json`, as its help says it. */
export async function jsonShapes(): Promise<string> {
  const parts = listed.map(async ({ name, load }) => {
    const [shape] = /^ {2}--json\b.*(?:\n.+)*/m.exec((await load()).details ?? '') ?? [];
    if (shape === undefined) return '';
    return `### \`tapedeck ${name}\`\n\n\`\`\`text\n${shape.replaceAll(/^ {2}/gm, '')}\n\`\`\`\n\n`;
  });
  return (await Promise.all(parts)).join('');
}
