import { CASE_TAPES, TAPE_ENDINGS, TAPE_EXTENSIONS } from './formatNames';

// Selects files to read by their names; their content decides whether they are cases or tapes. Paths have `/`.

const TOML_OR_YAML = /\.(?:toml|ya?ml)$/i;
const JSON_CASE = /(?:scenario[^/]*|\.golden|\.session)\.json$/i;
const JSON_CASE_FOLDER = /(?:^|\/)(?:scenarios?|goldens?|replays|cases)\/(?:.*\/)?[^/]*\.json$/i;
/** Files that Tapedeck or a recorder writes beside a case. */
const BESIDE_CASES = /\.(?:tape\.jsonl?|(?:baseline|artifact)\.json)$/i;
/** Folders of cassettes. Only those of tapes that are cases are searched for cases: there may be thousands of files. */
const CASSETTES = /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes)\//;

/** Finds all files that may contain cases, and few others: most of thousands of JSON files are recordings. */
export const CASE_FILES_GLOB = `{${[
  '**/*.toml',
  '**/*.yaml',
  '**/*.yml',
  ...['*scenario*', '*.golden', '*.session'].map((name) => `**/${name}.json`),
  ...['scenario', 'scenarios', 'golden', 'goldens', 'replays', 'cases'].map((folder) => `**/${folder}/**/*.json`),
  ...CASE_TAPES.map(({ folder, extension }) => `**/${folder}/**/*.${extension}`),
].join(',')}}`;

/** Whether the file may contain cases. */
export function mayHoldCases(path: string): boolean {
  if (isCaseTapePath(path)) return !BESIDE_CASES.test(path);
  if (CASSETTES.test(path)) return /\.toml$/i.test(path);
  if (TOML_OR_YAML.test(path)) return true;
  return (JSON_CASE.test(path) || JSON_CASE_FOLDER.test(path)) && !BESIDE_CASES.test(path);
}

/** Whether the file is in a folder of tapes that are cases themselves. */
function isCaseTapePath(path: string): boolean {
  const slashed = `/${path}`.toLowerCase();
  return CASE_TAPES.some(
    ({ folder, extension }) => slashed.includes(`/${folder}/`) && slashed.endsWith(`.${extension}`),
  );
}

/** Whether the file may be a tape. Recordings of MCP servers have no extension. */
export function mayBeTape(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, extension = ''] = /\.([^.]+?)(?:\.gz)?$/i.exec(name) ?? [];
  return TAPE_EXTENSIONS.includes(extension.toLowerCase()) || (!name.includes('.') && TAPE_FOLDER.test(path));
}

const TAPE_FOLDER =
  /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes|replays|mcp_replays)\//;

/** Whether only tapes have this name or folder, so that a file that cannot be read is a broken tape. */
export function isTapePath(path: string): boolean {
  return isTapeName(path) || TAPE_FOLDER.test(path);
}

/** Whether only tapes have this name. */
export function isTapeName(path: string): boolean {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return TAPE_ENDINGS.some((ending) => name.endsWith(`.${ending}`));
}
