import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hundred megabytes. */
export function writeLarge(path, interactions) {
  const writer = join(import.meta.dirname, '../largeTape.cjs');
  spawnSync(process.execPath, [writer, 'write', path, `${interactions}`], { stdio: 'inherit' });
}

export function writeTape(path, name, texts) {
  const interactions = texts.map((text) => ({
    request: { messages: [message(text)], model: 'm', temperature: 0, max_tokens: null, tool_names: [] },
    ...{ response: 'Read.', tool_calls: [], usage: null },
  }));
  writeFileSync(path, JSON.stringify({ version: 1, case_name: name, interactions }, null, 2));
}

function message(content) {
  return { role: 'user', content, tool_call_id: null, tool_calls: [] };
}
