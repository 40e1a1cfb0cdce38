import { basename, dirname, extname } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { CONFIG_FILE } from '../../core/project/layout';
import { formatOf } from '../../core/tapes/declaredFormats';
import { layoutToml } from '../../core/tapes/layoutToml';
import { type ProposedLayout, proposeLayout } from '../../core/tapes/proposeLayout';
import { detectFormat } from '../../core/tapes/readTape';
import { type TapeFile, textParts } from '../../core/tapes/tapeFile';
import { counted } from '../../core/text/counts';
import { UserError } from '../errors/userError';
import { pathOfUser } from '../files/pathOfUser';
import { projectPath } from '../files/projectPaths';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { readNamedTape } from '../recording/recordedFile';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, text, UsageError } from './command';

const OPTIONS = { name: text('NAME', 'What such a recording is called (default: the name of its folder)') };
type Given = Arguments<typeof OPTIONS>;

export const layoutCommand = command({
  usage: 'FILE [--name NAME]',
  about: 'Describe recordings of a format that Tapedeck does not know, for tapedeck.toml',
  options: OPTIONS,
  details: `Looks for the requests and responses in FILE, and prints where they are as a [[tapes.layout]] of tapedeck.toml. With that, such files are tapes: they
are shown, searched, verified, compared, replayed, and converted. What was read and what was not found goes to stderr.

Exit codes: 0 printed; 2 the file cannot be read, or no request and no response was found in it.`,
  examples: ['tapedeck layout recordings/weather.json', 'tapedeck layout recordings/weather.json >> tapedeck.toml'],
  run,
});

async function run({ positionals: [path, ...more], options }: Given, terminal: Terminal): Promise<number> {
  if (path === undefined || more.length > 0) throw new UsageError('name one file');
  const file = await readNamedTape(path, terminal.cwd);
  const whole = pathOfUser(terminal.cwd, path);
  const root = findRoot(dirname(whole), terminal.cwd);
  const known = detectFormat(file);
  if (known !== undefined) terminal.note(`${path} is read already, as ${known.label}. A layout for it comes first.`);
  const inProject = projectPath(root, whole);
  const folder = basename(dirname(whole));
  const proposed = proposeLayout(options.name ?? folder, [globFor(inProject)], textParts(file));
  if (proposed === undefined)
    throw new UserError(
      `${path} has no request or response that Tapedeck knows`,
      'It looks for request and response bodies of model APIs, as JSON, as text, or in base64.',
    );
  const recorder = await createRecorders(terminal.env)(root);
  terminal.print(recorder.text(`${layoutToml(proposed.layout)}\n`));
  for (const line of findings(proposed, file)) terminal.note(recorder.text(line));
  return EXIT_CODES.ok;
}

/** The files of the same kind in the same folder. */
function globFor(path: string): string {
  const at = path.lastIndexOf('/');
  return `${path.slice(0, at + 1)}*${extname(path)}`;
}

function findings({ layout, missing }: ProposedLayout, file: TapeFile): readonly string[] {
  const { interactions, problems } = formatOf(layout).read(file);
  const read = counted(interactions.length, '{0} interaction', '{0} interactions');
  const first = interactions.find(({ response }) => response?.content);
  const unread = problems.filter(({ severity }) => severity === 'error').map(({ message }) => `  ${message}`);
  return [
    `With this layout, it has ${read}${first === undefined ? '.' : `; the first answer is: ${first.response?.content?.slice(0, 80)}`}`,
    ...(missing.length === 0 ? [] : [`Not found, and read without: ${missing.join(', ')}.`]),
    ...unread,
    `Add it to ${CONFIG_FILE}, and correct what is wrong.`,
  ];
}
