/** Which files are worth a look, by their names. Paths have `/`. What is a tape, its content tells. */

const EXTENSIONS = /\.(?:json|jsonl|ndjson|ya?ml|har|toml|httprr|responses|txt|eval)(?:\.gz)?$/i;

/** May the file be a tape? Recordings of MCP servers have no extension at all. */
export function mayBeTape(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return EXTENSIONS.test(name) || (!name.includes('.') && OWN_FOLDER.test(path));
}

const OWN_NAME = /\.(?:tape\.json|httprr|httprr\.gz|responses|har|eval|chunks\.txt)$/i;
const OWN_FOLDER =
  /(?:^|\/)(?:cassettes|vcr_cassettes|_vcr|recordings|__recordings__|SessionRecords|tapes|replays|mcp_replays)\//;

/** Is this a name or a folder that only tapes have? There a file that cannot be read is a broken tape. */
export function isTapePlace(path: string): boolean {
  return OWN_NAME.test(path) || OWN_FOLDER.test(path);
}
