import { dirname, join } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { ForkEdits } from '../../core/forks/forkEdits';
import type { ForkValues } from '../../core/forks/forkValues';
import type { Json } from '../../core/json/json';
import { parseExactJson } from '../../core/json/readJson';
import { formatDatedCost } from '../../core/prices/formatRetakeCost';
import { plural } from '../../core/text/counts';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { inWords, says } from '../../core/text/notice';
import { shellWord } from '../../core/text/shellWord';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot } from '../files/projectPaths';
import { type Fork, forkCase } from '../forks/forkCase';
import { forkDocument, requireEdits } from '../forks/forksApi';
import { type ForkPlace, type ForkPlan, forkCost, planFork } from '../forks/planFork';
import { NetworkPolicy } from '../network/policy';
import { tapeUsersIn } from '../project/caseTapes';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { readNamedFile } from '../recording/recordedFile';
import { jsonDocument } from '../reporters/jsonDocument';
import type { ForkDocument, ForkEditDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, flag, JSON_OUTPUT, text, texts, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';
import { oneCase } from './oneCase';

const OPTIONS = {
  from: text('N', 'The first interaction to record, counted from 1'),
  model: text('MODEL', 'The model from that interaction on, at the provider of the case'),
  system: text('TEXT', 'The system prompt from that interaction on'),
  response: text('TEXT', 'What the model says in the interaction before N'),
  toolResult: texts(
    '[CALL=]TEXT',
    'What a tool returned before N; CALL is the id of the call, where there are several',
  ),
  tools: text('FILE', "The tools from that interaction on: a JSON list in the format of the model's API"),
  edit: text('FILE', 'All of these changes in one file (- for stdin); start from what --print prints'),
  print: flag('Print a file for --edit with the values on the tape, and record nothing'),
  out: text('FILE', 'The new tape (default: beside the tape, such as NAME.fork.tape.json)'),
  ...NETWORK_OPTIONS,
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const forkCommand = command({
  usage: 'CASE|TAPE --from N [OPTIONS]',
  about: 'Record a new tape that shares the interactions before N with another one, and is live from there on',
  options: OPTIONS,
  details: `The tape, the case, its baseline and its last run stay unchanged. The case's agent runs: before N it gets the
responses on the tape, and from N on the provider's. An agent of your own sends its usual requests; the proxy changes them as the
options say, in any supported API, and the tape has what was sent. TAPEDECK_MODEL names the model. If the agent's requests before N
differ from the recorded ones, nothing is sent to the provider.

  --json  {ok, case, tape, fork, shared, interactions, outputText?, failures: [{kind, message}], replays?}; failures are assertions
          that do not hold in the fork; replays says how to replay the fork if the agent's own requests differ; with --print: {ok, edit}

Exit codes: 0 the fork was recorded; 1 the agent failed; 2 the case, the tape or a change cannot be used; 3 the provider cannot be
reached; 4 a request before N is not as recorded; 130 cancelled.`,
  examples: [
    'tapedeck fork cases/refund.toml --from 3 --model gpt-4o',
    'tapedeck fork cases/refund.toml --from 3 --tool-result "order not found" --out tapes/lost.tape.json',
    'tapedeck fork tapes/refund.tape.json --from 3 --print > fork.toml',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [path, ...more] = args.positionals;
  if (path === undefined || more.length > 0) throw new UsageError('pass exactly one case or tape');
  const place = { ...(await forkPlace(path, terminal.cwd)), shared: sharedBefore(args) };
  const { root } = place;
  const plan = await planFork(place);
  if (args.options.print) {
    const edit = forkDocument(root, plan);
    terminal.print(args.options.json ? jsonDocument<ForkEditDocument>(true, { edit }) : edit);
    return EXIT_CODES.ok;
  }
  const edits = await editsOf(args, plan, terminal);
  const out = args.options.out;
  const target = out === undefined ? plan.target : pathOfUser(terminal.cwd, out);
  await notePrice(place, plan, edits, target, terminal);
  try {
    const fork = await forkCase({
      ...{ ...place, edits, target, permitStart: startedByUser, signal: terminal.signal },
      recorder: await createRecorders(terminal.env)(root),
      network: NetworkPolicy.for('record', await keyRing(args, terminal, root)),
      onInteraction: (index, summary) => terminal.progress(`${index + 1} ${escapeInvisible(summary)}`),
      onNotice: (notice) => terminal.note(escapeInvisible(inWords(notice))),
    });
    report(fork, place, args.options.json, terminal);
    return EXIT_CODES.ok;
  } catch (error) {
    if (terminal.signal.aborted) return EXIT_CODES.cancelled;
    throw error;
  }
}

function sharedBefore(args: Given): number {
  const from = args.options.from;
  if (from === undefined) throw new UsageError('name the first interaction to record with --from', 'Count from 1.');
  if (/^[1-9]\d{0,8}$/.test(from)) return Number(from) - 1;
  throw new UsageError(`--from must be the number of an interaction, not \`${from}\``, 'Count from 1.');
}

async function editsOf(args: Given, plan: ForkPlan, { cwd }: Terminal): Promise<ForkEdits> {
  const file = args.options.edit;
  const written = file === undefined ? {} : requireEdits((await readNamedFile(file, cwd)).text(), plan, file);
  const { model, system, response } = {
    model: args.options.model,
    system: args.options.system,
    response: args.options.response,
  };
  if (model?.trim() === '') throw new UsageError('--model must be the name of a model, not ``');
  if (response !== undefined && plan.values.response?.text === undefined)
    throw new UserError('the interaction before the fork has no text that --response could replace', 'Use --edit.');
  const tools = args.options.tools;
  const results = Object.fromEntries(args.options.toolResult.map((text) => toolResult(text, plan.values)));
  return {
    ...written,
    ...(model !== undefined && { model }),
    ...(system !== undefined && { system }),
    ...(response !== undefined && { response: [{ type: 'response-text', text: response } as const] }),
    ...(tools !== undefined && { tools: await readTools(tools, cwd) }),
    ...(args.options.toolResult && { toolResults: { ...written.toolResults, ...results } }),
  };
}

/** The call that a result is for, with its text. */
function toolResult(written: string, { toolResults, shared }: ForkValues): readonly [call: string, text: string] {
  const [first, ...others] = toolResults;
  const [, named = '', text = ''] = /^([^=]*)=(.*)$/s.exec(written) ?? [];
  if (toolResults.some(({ call }) => call === named)) return [named, text];
  if (first !== undefined && others.length === 0) return [first.call, written];
  throw new UserError(
    first === undefined
      ? `interaction ${shared + 1} sends no tool result that \`${written}\` could replace`
      : `--tool-result must begin with CALL=, the id of a call: \`${written}\``,
    first === undefined
      ? 'Fork at the interaction after the tool call.'
      : `The calls are ${toolResults.map(({ call, tool = '' }) => `${call} (${tool})`).join(', ')}.`,
  );
}

async function readTools(file: string, cwd: string): Promise<readonly Json[]> {
  const tools = parseExactJson((await readNamedFile(file, cwd)).text());
  if (Array.isArray(tools)) return tools;
  throw new UserError(
    `${file} is not a JSON list`,
    "Write the tools in the format of the model's API; --print shows the ones on the tape.",
  );
}

/** Prints before a recording what it sends and costs. */
async function notePrice(
  place: ForkPlace,
  plan: ForkPlan,
  { model }: ForkEdits,
  target: string,
  { note }: Terminal,
): Promise<void> {
  const { root } = place;
  const { stored, values } = plan;
  const cost = formatDatedCost(await forkCost(place, plan, model));
  note(
    escapeInvisible(
      `${fromRoot(root, target)} shares ${plural(values.shared, 'interaction')} of ${fromRoot(root, stored.path)}; if the rest goes as on the tape: ${cost}`,
    ),
  );
}

function report(
  fork: Fork,
  { root, casePath }: { readonly root: string; readonly casePath: string },
  asJson: boolean,
  { print }: Terminal,
): void {
  const { tapePath, forkPath, shared, interactions, failures, outputText } = fork;
  const replays = fork.replays && says(fork.replays);
  const [tape, name] = [fromRoot(root, tapePath), fromRoot(root, forkPath)];
  if (asJson) {
    const failed = failures.map(({ kind, message }) => ({ kind, message }));
    const texts = { ...(outputText !== undefined && { outputText }), failures: failed, ...(replays && { replays }) };
    print(
      jsonDocument<ForkDocument>(true, {
        case: fromRoot(root, casePath),
        tape,
        fork: name,
        shared,
        interactions,
        ...texts,
      }),
    );
    return;
  }
  const lines = [
    `${name}: ${plural(interactions, 'interaction')}, the first ${shared} shared with ${tape}`,
    ...failures.map(({ message }) => `  failed assertion: ${message}`),
    ...(replays === undefined ? [] : [`  ${replays}`]),
    `  Compare: tapedeck diff ${shellWord(tape)} ${shellWord(name)}`,
  ];
  print(`${lines.map(escapeInvisible).join('\n')}\n`);
}

/** The case and the tape that a path of the command line names: a case, or a tape that one case uses. */
async function forkPlace(path: string, cwd: string): Promise<Omit<ForkPlace, 'shared'>> {
  const tapePath = pathOfUser(cwd, path);
  const root = findRoot(dirname(tapePath), cwd);
  const users = (await tapeUsersIn(root)).filter(({ tapes }) => tapes.includes(tapePath));
  const [user, ...others] = users;
  if (user === undefined) {
    const casePath = await oneCase(path, cwd);
    return { root: findRoot(dirname(casePath), cwd), casePath };
  }
  if (others.length === 0) return { root, casePath: join(root, user.label), tapePath };
  const cases = users.map(({ label }) => label).join(', ');
  throw new UserError(`several cases use ${path}: ${cases}`, 'Pass the case whose agent should record the fork.');
}
