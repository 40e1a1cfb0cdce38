import { EXIT_CODES } from '../../core/cases/runOutcome';
import { mayBeTape } from '../../core/project/filePatterns';
import { isQueryProblem, parseQuery } from '../../core/search/parseQuery';
import { QUERY_EXAMPLE, SEARCH_FIELDS } from '../../core/search/query';
import { pathOfUser } from '../files/pathOfUser';
import { projectPath, shownPath } from '../files/projectPaths';
import { unreadableNotice, walkFiles } from '../files/walkFiles';
import { createRootFinder } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { searchJson, searchText } from '../reporters/searchReport';
import { TapeSearch } from '../search/searchTapes';
import { ProgressLine } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, JSON_OUTPUT, UsageError } from './command';

const FIELDS = SEARCH_FIELDS.map(({ example, about }) => `  ${example.padEnd(18)} ${about}`).join('\n');

const OPTIONS = { json: JSON_OUTPUT };
type Given = Arguments<typeof OPTIONS>;

export const searchCommand = command({
  usage: 'QUERY [PATH…] [--json]',
  about: 'Search tapes and folders of tapes (this folder, if no path is given) for interactions',
  options: OPTIONS,
  details: `A query consists of words and fields, all of which an interaction must match; "quoted words" match as a phrase:

  text               any text of the transcript; upper and lower case are the same
${FIELDS}

An index in .tapedeck/cache lets later searches skip most tapes. It contains no text of a tape, and nothing about tapes with
secrets.

  --json  {ok, searched, limit, tapes: [{path, format, hasMore, interactions: [{index, kind, model, tools, status, failed, cost,
          recordedAt, excerpt}]}], skipped: [{path, reason}]}; limit is null unless the search stopped at that many interactions

Exit codes: 0 found; 1 nothing found; 2 the query or a path cannot be understood; 130 cancelled.`,
  examples: [`tapedeck search '${QUERY_EXAMPLE}'`, 'tapedeck search status:error tests/ --json'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const [text, ...paths] = args.positionals;
  if (text === undefined) throw new UsageError(`name what to search for, such as '${QUERY_EXAMPLE}'`);
  const query = parseQuery(text);
  if (isQueryProblem(query)) throw new UsageError(query.message);
  const { cwd, env, signal } = terminal;
  const files = filesIn(paths, terminal);
  const progress = new ProgressLine(terminal);
  const onProgress = (done: number, of: number): void => progress.show(`searching ${done} of ${of}`);
  const now = Date.now();
  const search = new TapeSearch(createRecorders(env));
  const found = await search.find({ query, files, cwd, now, signal, onProgress });
  progress.end();
  if (found === undefined) return EXIT_CODES.cancelled;
  const nameOf = (path: string): string => shownPath(cwd, path);
  const whole = (path: string): string => projectPath(cwd, path);
  terminal.print(args.options.json ? searchJson(found, whole) : searchText(found, nameOf, now, terminal.paint));
  for (const { path, reason } of found.skipped)
    if (!args.options.json) terminal.note(`tapedeck: ${nameOf(path)} was not searched: ${reason}`);
  return found.tapes.length > 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function filesIn(paths: readonly string[], terminal: Terminal): readonly string[] {
  const { cwd } = terminal;
  const named = (paths.length > 0 ? paths : ['.']).map((path) => pathOfUser(cwd, path));
  const fix = 'Pass a tape, or a folder of tapes.';
  const found = walkFiles(named, { isWanted: mayBeTape, rootOf: createRootFinder(cwd), fix });
  for (const one of found.unreadable) terminal.note(`tapedeck: ${unreadableNotice(one)}`);
  return found.paths;
}
