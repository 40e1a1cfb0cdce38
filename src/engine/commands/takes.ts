import type { ListedTake } from '../../contracts/engine/takes';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { takesFolder } from '../../core/project/layout';
import { detectFormat } from '../../core/tapes/readTape';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { shellWord } from '../../core/text/shellWord';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, requireInProject } from '../files/projectPaths';
import { findRoot } from '../project/findRoot';
import { readNamedTape } from '../recording/recordedFile';
import { restoreTake } from '../recording/restoreTake';
import { listTakes } from '../recording/storedTakes';
import { jsonDocument } from '../reporters/jsonDocument';
import type { TakesDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, JSON_OUTPUT, text, UsageError } from './command';

const OPTIONS = {
  restore: text('TAKE', 'Make this take the tape again, byte for byte; the current tape becomes a take'),
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const takesCommand = command({
  usage: 'TAPE [--restore TAKE] [--json]',
  about: 'List the takes that a tape has replaced, the latest first, or make one of them the tape again',
  options: OPTIONS,
  details: `A TAKE is a file name from the list. Baselines stay as they are, so \`check\` lists what a restored take changes.
To compare a take with its tape, pass both files to \`diff\`.

  --json  {ok, tape, takes: [{take, path, time, size, models, current}], restored?, replaced?}
          time in milliseconds since 1970; current: the tape has this content; replaced: the take that keeps the replaced tape

Exit codes: 0 listed, or restored; 2 there is no such take, or the tape cannot be written.`,
  examples: [
    'tapedeck takes tapes/refund.tape.json',
    'tapedeck takes tapes/refund.tape.json --restore 2026-11-22T14-03-08.117Z.json',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [named, ...more] = args.positionals;
  if (named === undefined || more.length > 0) throw new UsageError('name one tape');
  const file = pathOfUser(terminal.cwd, named);
  const root = findRoot(file, terminal.cwd);
  await requireInProject(root, file);
  const path = fromRoot(root, file);
  const take = args.options.restore;
  const restored = take === undefined ? undefined : await restoreTake({ root, path, take });
  const takes = await listTakes({ root, path, cases: [] });
  if (takes.length === 0) await requireTape(named, file);
  if (args.options.json) {
    const listed = takes.map(({ isTape, verdict: _, ...one }) => ({
      ...one,
      path: `${takesFolder(path)}/${one.take}`,
      current: isTape,
    }));
    const done = restored &&
      take !== undefined && { restored: take, ...(restored.previousTake && { replaced: restored.previousTake }) };
    terminal.print(jsonDocument<TakesDocument>(true, { tape: path, takes: listed, ...done }));
  } else if (restored === undefined) terminal.print(listOf(path, takes));
  else terminal.print(restored.isChanged ? `${path} is ${take} again\n` : `${path} is already ${take}\n`);
  return EXIT_CODES.ok;
}

/** Rejects for a path that cannot have takes. */
async function requireTape(named: string, file: string): Promise<void> {
  if ((await fileStatus(file)) === undefined)
    throw new UserError(`${named}: there is no such tape, and there are no takes of it`, 'Correct the path.');
  if (detectFormat(await readNamedTape(file, '')) !== undefined) return;
  throw new UserError(`${named} is not a tape in a known format`, `For details: tapedeck verify ${shellWord(named)}`);
}

function listOf(path: string, takes: readonly ListedTake[]): string {
  if (takes.length === 0) return `${path} has no takes\n`;
  return takes.map((take) => `${lineOf(take)}\n`).join('');
}

function lineOf({ take, size, models, isTape }: ListedTake): string {
  const facts = [
    `${Math.ceil(size / 1000).toLocaleString('en')} kB`,
    ...models.map(escapeInvisible),
    ...(isTape ? ['same as the tape'] : []),
  ];
  return [take, ...facts].join('  ');
}
