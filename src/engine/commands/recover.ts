import type { InterruptedRecording } from '../../contracts/engine/interruptedRecordings';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { UserError } from '../errors/userError';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot } from '../files/projectPaths';
import { findRoot } from '../project/findRoot';
import { discardRecording, interruptedRecordings, recoverRecording } from '../recording/interrupted';
import { createRecorders } from '../recording/openRecorder';
import { leftOutText } from '../recording/unhiddenError';
import { jsonDocument } from '../reporters/jsonDocument';
import type { RecoverDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, command, flag, JSON_OUTPUT, text, UsageError } from './command';

const OPTIONS = {
  save: flag('Save them as their tapes, oldest first; the takes that they replace are kept'),
  as: text('FILE', 'With --save and one TAPE: save the recording as this file, in the format that its name implies'),
  discard: flag('Remove them'),
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const recoverCommand = command({
  usage: '[--save [--as FILE] | --discard] [TAPE…] [--json]',
  about: 'List recordings that were interrupted, or whose run failed; save them as their tapes, or discard them',
  options: OPTIONS,
  details: `A recording is in .tapedeck/journal/ from its first interaction until it is saved, so that a process that is killed loses
only the interactions in progress. A power failure may also lose those of the last half minute. It stays there if the run
failed, until the whole tape is recorded again, and if its tape is of a format that cannot hold it: --as saves it elsewhere. Without
a TAPE, all such recordings of the project are meant.

  --json  {ok, recordings: [{tape, since, interactions, failed?, saved?}]}; saved is how many interactions the tape has now

Exit codes: 0 all good; 1 recordings are waiting to be saved or discarded; 2 one of them cannot be saved.`,
  examples: ['tapedeck recover', 'tapedeck recover --save tapes/agent.tape.jsonl', 'tapedeck recover --discard'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  if (args.options.save && args.options.discard) throw new UsageError('use --save or --discard, not both');
  const root = findRoot(terminal.cwd, terminal.cwd);
  const found = await selected(args, root, terminal.cwd);
  const as = args.options.as;
  if (as !== undefined && (!args.options.save || found.length !== 1))
    throw new UsageError(
      '--as needs --save and a single recording',
      'Name its tape: tapedeck recover --save TAPE --as FILE',
    );
  const isJson = args.options.json;
  const results: RecoverDocument['recordings'][number][] = [];
  for (const recording of found) {
    const { id, ...described } = recording;
    const saved = args.options.save ? await save(root, id, terminal, as) : undefined;
    if (args.options.discard) await discardRecording(root, id);
    results.push({ ...described, saved });
    if (!isJson)
      terminal.print(lineOf(as === undefined ? recording : { ...recording, tape: as }, saved, args.options.discard));
  }
  const isOk = args.options.save || args.options.discard || found.length === 0;
  if (isJson) terminal.print(jsonDocument<RecoverDocument>(isOk, { recordings: results }));
  else if (found.length === 0) terminal.note('tapedeck: there is no recording to recover');
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function save(root: string, id: string, { env, cwd, note }: Terminal, as: string | undefined): Promise<number> {
  const recorder = await createRecorders(env)(root);
  const { interactions, leftOut = [] } = await recoverRecording(root, id, recorder, as && pathOfUser(cwd, as));
  for (const one of leftOut) note(`tapedeck: ${leftOutText(one)}`);
  return interactions;
}

async function selected(args: Given, root: string, cwd: string): Promise<readonly InterruptedRecording[]> {
  const all = await interruptedRecordings(root);
  if (args.positionals.length === 0) return all;
  return args.positionals.flatMap((named) => {
    const tape = fromRoot(root, pathOfUser(cwd, named));
    const ofTape = all.filter((one) => one.tape === tape);
    if (ofTape.length > 0) return ofTape;
    throw new UserError(`there is no recording of ${named} to recover`, 'For a list of them: tapedeck recover');
  });
}

function lineOf(
  { tape, since, interactions, failed }: InterruptedRecording,
  saved: number | undefined,
  isGone: boolean,
): string {
  if (saved !== undefined) return `${tape} now has ${quantity(saved, 'interaction')}\n`;
  const what = `${tape}: ${quantity(interactions, 'interaction')} of a recording begun ${since}${failed ? ', whose run failed' : ''}`;
  return isGone ? `${what}, discarded\n` : `${what}\n`;
}
