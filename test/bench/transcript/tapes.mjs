import { spawnSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A hundred megabytes. */
export function writeLarge(path, interactions) {
  const writer = join(import.meta.dirname, '../largeTape.cjs');
  spawnSync(process.execPath, [writer, 'write', path, `${interactions}`], { stdio: 'inherit' });
}

/** An interaction for each question. Aside and renamed, as recordings are written. */
export function writeTape(path, questions) {
  write(
    path,
    questions.map((question) => [said('user', question)]),
  );
}

/** Of 60 messages, and then two more in every turn; each request has all of them. */
export function writeConversation(path, turns) {
  const line = 'A sentence that fills the line with *something*. ';
  const messages = Array.from({ length: 60 + 2 * turns }, (_, index) =>
    said(index % 2 === 0 ? 'user' : 'assistant', `**${index}**\n\n${line.repeat(5)}\n\n- one\n- two\n`),
  );
  write(
    path,
    Array.from({ length: turns }, (_, turn) => messages.slice(0, 59 + 2 * turn)),
  );
}

function write(path, conversations) {
  const interactions = conversations.map((messages) => ({
    request: { messages, model: 'm', temperature: 0, max_tokens: null, tool_names: [] },
    ...{ response: `Answer ${messages.length}.`, tool_calls: [], usage: null },
  }));
  const aside = `${path}.aside`;
  writeFileSync(aside, JSON.stringify({ version: 1, case_name: basename(path, '.json'), interactions }, null, 2));
  renameSync(aside, path);
}

function said(role, content) {
  return { role, content, tool_call_id: null, tool_calls: [] };
}
