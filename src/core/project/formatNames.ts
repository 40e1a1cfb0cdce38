// biome-ignore-all format: generated
// Generated from the formats in core/tapes/registry.ts by test/harness/formatLists.ts. Do not edit.

/** The extensions of tapes, without the dot. */
export const TAPE_EXTENSIONS: readonly string[] = [
  'json',
  'yaml',
  'yml',
  'toml',
  'jsonl',
  'ndjson',
  'eval',
  'vcr',
  'responses',
  'aider.chat.history.md',
  'httprr',
  'har',
  'traj',
  'txt',
];

/** The endings of names, without the dot, that only tapes have. */
export const TAPE_ENDINGS: readonly string[] = [
  'tape.json',
  'tape.jsonl',
  'eval',
  'vcr',
  'responses',
  'aider.chat.history.md',
  'chatreplay.json',
  'httprr',
  'httprr.gz',
  'tape.yaml',
  'generated-recordings.yaml',
  'generated-recordings-sse.yaml',
  'har',
  'traj',
  'chunks.txt',
];

/** Where tapes that are cases by themselves are looked for: in folders of this name, with this extension. */
export const CASE_TAPES = [
  { folder: 'cassettes', extension: 'json' },
  { folder: 'fixtures', extension: 'jsonl' },
];
