/** Which files are worth a look, by their names. Paths have `/`. Whether a file holds cases, its content tells. */

const TOML_OR_YAML = /\.(?:toml|ya?ml)$/i;
const JSON_CASE = /(?:scenario[^/]*|\.golden|\.session)\.json$/i;
const JSON_CASE_FOLDER = /(?:^|\/)(?:scenarios?|goldens?|replays|cases)\/(?:.*\/)?[^/]*\.json$/i;
/** What Tapedeck itself, and a recorder, keeps beside a case. */
const BESIDE_CASES = /\.(?:tape|baseline|artifact)\.json$/i;
/** Folders of cassettes. Those of CheckAgent are cases; nobody keeps others there, and there may be thousands of files. */
const CASSETTES = /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes)\//;

/** Where CheckAgent and Reyn keep what they record. */
const CHECKAGENT = /(?:^|\/)cassettes\/(?:.*\/)?[^/]*\.json$/i;
const REYN = /(?:^|\/)fixtures\/(?:.*\/)?[^/]*\.jsonl$/i;

/** Finds all files that may hold cases, and few others: of thousands of JSON files most are recordings. */
export const CASE_FILES_GLOB = `{${[
  '**/*.toml',
  '**/*.yaml',
  '**/*.yml',
  ...['*scenario*', '*.golden', '*.session'].map((name) => `**/${name}.json`),
  ...['scenario', 'scenarios', 'golden', 'goldens', 'replays', 'cases', 'cassettes'].map(
    (folder) => `**/${folder}/**/*.json`,
  ),
  '**/fixtures/**/*.jsonl',
].join(',')}}`;

/** May the file hold cases? */
export function mayHoldCases(path: string): boolean {
  if (CHECKAGENT.test(path) || REYN.test(path)) return !BESIDE_CASES.test(path);
  if (CASSETTES.test(path)) return /\.toml$/i.test(path);
  if (TOML_OR_YAML.test(path)) return true;
  return (JSON_CASE.test(path) || JSON_CASE_FOLDER.test(path)) && !BESIDE_CASES.test(path);
}

/** Which files are worth a look, by their names. Paths have `/`. What is a tape, its content tells. */

const TAPE_EXTENSIONS = /\.(?:json|jsonl|ndjson|ya?ml|har|toml|httprr|responses|txt|eval)(?:\.gz)?$/i;

/** May the file be a tape? Recordings of MCP servers have no extension at all. */
export function mayBeTape(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return TAPE_EXTENSIONS.test(name) || (!name.includes('.') && TAPE_FOLDER.test(path));
}

const TAPE_NAME = /\.(?:tape\.json|httprr|httprr\.gz|responses|har|eval|chunks\.txt)$/i;
const TAPE_FOLDER =
  /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes|replays|mcp_replays)\//;

/** Is this a name or a folder that only tapes have? There a file that cannot be read is a broken tape. */
export function isTapePath(path: string): boolean {
  return TAPE_NAME.test(path) || TAPE_FOLDER.test(path);
}
