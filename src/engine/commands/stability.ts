import { dirname } from 'node:path';
import { EXIT_CODES, exitCodeOf } from '../../core/cases/runOutcome';
import { formatDatedCost } from '../../core/prices/formatRetakeCost';
import { repeatedCost } from '../../core/prices/retakeCostSums';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { inWords } from '../../core/text/notice';
import { estimateRecording } from '../cases/estimateRecording';
import { NetworkPolicy } from '../network/policy';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { jsonDocument } from '../reporters/jsonDocument';
import type { StabilityDocument } from '../reporters/jsonDocuments';
import { stabilityJson } from '../reporters/stabilityJson';
import { stabilityText } from '../reporters/stabilityText';
import { type CaseStability, checkStability } from '../stability/checkStability';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, count, JSON_OUTPUT, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';
import { oneCase } from './oneCase';

const DEFAULT_TIMES = 5;

const OPTIONS = {
  times: count('N', `The number of takes (default: ${DEFAULT_TIMES}); each calls the provider again`, 'n'),
  ...NETWORK_OPTIONS,
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const stabilityCommand = command({
  usage: 'CASE [-n N] [--json]',
  about: 'Record a case several times, and report what varies, how often, and how to stabilise it',
  options: OPTIONS,
  details: `The tape, the baseline and the last run stay unchanged; the takes are kept in .tapedeck/stability/ until the next check. They
are compared by the rules of the project and the case. For what varies, it suggests the narrowest rules that make the takes
equal: presets, patterns, tolerances, and last, ignoring a field, with an assertion that held in every take. The suggestions
are TOML to paste into the case. Rules in tapedeck.toml would hold for every case; it says how many that is.

  --json  {ok, name, case, takes: [path], failed: [{take, kind, message, fix?}], stable, varying: [{title, subject, places: [{in:
          "tape" | "run", interaction?, path}], differing, of, values: [{text?, takes}], structural}], hidden: {RULE: count},
          assertions: [{kind, expected, held}], suggestion?: {rules, snippets: [{file, how, table, toml}],
          everywhere?: {snippet: {file, how, table, toml}, cases}, left: [title]}}
          Takes and interactions are counted from 0.

Exit codes: 0 all takes are equal; 1 something varies, or a take failed; 2 the case is invalid; 3 the provider cannot be
reached; 130 cancelled.`,
  examples: ['tapedeck stability cases/refund.toml', 'tapedeck stability cases/refund.toml -n 10 --json'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [path, ...more] = args.positionals;
  if (path === undefined || more.length > 0) throw new UsageError('pass exactly one case');
  const casePath = await oneCase(path, terminal.cwd);
  const times = args.options.times ?? DEFAULT_TIMES;
  if (times < 2) throw new UsageError(`--times must be at least 2, not \`${times}\`: a single take cannot vary`);
  const root = findRoot(dirname(casePath), terminal.cwd);
  await noteCost(root, casePath, times, terminal);
  const network = NetworkPolicy.for('record', await keyRing(args, terminal, root));
  try {
    const found = await checkStability(casePath, {
      root,
      times,
      signal: terminal.signal,
      recorder: await createRecorders(terminal.env)(root),
      network,
      onTake: (take) => terminal.progress(`recording take ${take + 1} of ${times}`),
      onNotice: (notice) => terminal.note(inWords(notice)),
    });
    const code = exitCodeFor(found);
    const isOk = code === EXIT_CODES.ok;
    terminal.print(
      args.options.json
        ? jsonDocument<StabilityDocument>(isOk, stabilityJson(found))
        : stabilityText(found, terminal.paint),
    );
    return code;
  } catch (error) {
    if (terminal.signal.aborted) return EXIT_CODES.cancelled;
    throw error;
  }
}

/** Prints what the takes are likely to cost, before the first. */
async function noteCost(root: string, casePath: string, times: number, { note }: Terminal): Promise<void> {
  const { cost, rate } = (await estimateRecording(root, casePath)) ?? {};
  const told = cost ? formatDatedCost(repeatedCost(cost, times)) : rate;
  if (told !== undefined && cost?.calls !== 0) note(`tapedeck: ${times} takes: ${escapeInvisible(told)}`);
}

function exitCodeFor({ failed, stability }: CaseStability): number {
  if (failed.length > 0) return exitCodeOf(failed.map(({ failure }) => failure.kind));
  return stability?.varying.length === 0 && stability.assertions.every(({ held }) => held === stability.takes)
    ? EXIT_CODES.ok
    : EXIT_CODES.failed;
}
