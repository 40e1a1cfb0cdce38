import { CASE_TAPES, TAPE_ENDINGS, TAPE_EXTENSIONS } from './formatNames';

// Which files are worth reading, by their names; their content decides whether they are cases or tapes. Paths have `/`.

const TOML_OR_YAML = /\.(?:toml|ya?ml)$/i;
const JSON_CASE = /(?:scenario[^/]*|\.golden|\.session)\.json$/i;
const JSON_CASE_FOLDER = /(?:^|\/)(?:scenarios?|goldens?|replays|cases)\/(?:.*\/)?[^/]*\.json$/i;
/** What Tapedeck itself, and a recorder, keeps beside a case. */
const BESIDE_CASES = /\.(?:tape|baseline|artifact)\.json$/i;
/** Folders of cassettes. Those of CheckAgent are cases; nobody keeps others there, and there may be thousands of files. */
const CASSETTES = /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes)\//;

/** Finds all files that may hold cases, and few others: of thousands of JSON files most are recordings. */
export const CASE_FILES_GLOB = `{${[
  '**/*.toml',
  '**/*.yaml',
  '**/*.yml',
  ...['*scenario*', '*.golden', '*.session'].map((name) => `**/${name}.json`),
  ...['scenario', 'scenarios', 'golden', 'goldens', 'replays', 'cases'].map((folder) => `**/${folder}/**/*.json`),
  ...CASE_TAPES.map(({ folder, extension }) => `**/${folder}/**/*.${extension}`),
].join(',')}}`;

/** May the file hold cases? */
export function mayHoldCases(path: string): boolean {
  if (isCaseTapePath(path)) return !BESIDE_CASES.test(path);
  if (CASSETTES.test(path)) return /\.toml$/i.test(path);
  if (TOML_OR_YAML.test(path)) return true;
  return (JSON_CASE.test(path) || JSON_CASE_FOLDER.test(path)) && !BESIDE_CASES.test(path);
}

/** Is the file where tapes are that are cases by themselves? */
function isCaseTapePath(path: string): boolean {
  const slashed = `/${path}`.toLowerCase();
  return CASE_TAPES.some(
    ({ folder, extension }) => slashed.includes(`/${folder}/`) && slashed.endsWith(`.${extension}`),
  );
}

/** May the file be a tape? Recordings of MCP servers have no extension at all. */
export function mayBeTape(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, extension = ''] = /\.([^.]+?)(?:\.gz)?$/i.exec(name) ?? [];
  return TAPE_EXTENSIONS.includes(extension.toLowerCase()) || (!name.includes('.') && TAPE_FOLDER.test(path));
}

const TAPE_FOLDER =
  /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes|replays|mcp_replays)\//;

/** Is this a name or a folder that only tapes have? There a file that cannot be read is a broken tape. */
export function isTapePath(path: string): boolean {
  const name = path.toLowerCase();
  return TAPE_ENDINGS.some((ending) => name.endsWith(`.${ending}`)) || TAPE_FOLDER.test(path);
}
