import assert from 'node:assert/strict';
import { CASE } from '../../../../src/core/cases/toml/caseSchema';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import type { Schema } from '../../../../src/core/schema/schema';

function* keysOf(schema: Schema, path: readonly string[] = []): Generator<readonly [readonly string[], Schema]> {
  for (const [key, member] of Object.entries((schema.items ?? schema).properties ?? {})) {
    yield [[...path, key], member];
    yield* keysOf(member, [...path, key]);
  }
}

describe('the schema of a case', () => {
  it('says which type the reader wants', () => {
    for (const [path, { type, mayBeOne }] of keysOf(CASE)) {
      // What a tool answers, and its schema, are the writer's own.
      if (type === undefined || (type === 'object' && path.length > 2) || path.join('.') === 'tools.schema') continue;
      const value = type === 'string' || mayBeOne ? '3' : '"text"';
      const lists = new Set(['bootstrap_files', 'tools', 'results', 'steps', 'tool_args', 'patterns']);
      const header = path.slice(0, -1);
      const brackets = lists.has(header.at(-1) ?? '') ? `[[${header.join('.')}]]` : `[${header.join('.')}]`;
      const above = header[0] === 'tools' && header.length > 1 ? '[[tools]]\n' : '';
      const step =
        header.at(-1) === 'steps' && path.at(-1) !== 'type'
          ? `type = "${path.at(-1) === 'tool' ? 'tool_call' : 'text'}"\n`
          : '';
      const text = `${header.length > 0 ? `${above}${brackets}\n` : ''}${step}${path.at(-1)} = ${value}\n`;
      const messages = readCase(text).problems.map(({ message }) => message);
      assert.ok(
        messages.some((message) => message.startsWith(`\`${path.at(-1)}\` must be`)),
        `${text}${messages.join('\n')}`,
      );
    }
  });
});
