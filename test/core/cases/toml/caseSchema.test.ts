import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASE_SCHEMA } from '../../../../src/core/cases/toml/caseSchema';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import type { TableSchema } from '../../../../src/core/toml/tableSchema';
import { projectFolder } from '../../../corpus';

const PUBLISHED = join(projectFolder, 'media/schemas/case.schema.json');

function* keysOf(
  schema: TableSchema,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], TableSchema]> {
  for (const [key, member] of Object.entries((schema.items ?? schema).properties ?? {})) {
    yield [[...path, key], member];
    yield* keysOf(member, [...path, key]);
  }
}

describe('the schema of a case', () => {
  it('is published as JSON schema (UPDATE=1 writes it)', () => {
    const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Tapedeck case' };
    const schema = { ...head, ...CASE_SCHEMA };
    if (process.env.UPDATE) writeFileSync(PUBLISHED, `${JSON.stringify(schema, null, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(PUBLISHED, 'utf8')), JSON.parse(JSON.stringify(schema)));
  });

  it('has every key that the reader reads', () => {
    const reader = readFileSync(join(projectFolder, 'src/core/cases/toml/readCase.ts'), 'utf8');
    const calls = reader.matchAll(/\.(?:text|requiredText|requiredChoice|flag|count|texts|tables?|json)\(\s*'(\w+)'/g);
    const known = new Set([...keysOf(CASE_SCHEMA)].map(([path]) => path.at(-1)));
    assert.deepEqual(
      Array.from(calls, ([, key]) => key ?? '').filter((key) => !known.has(key)),
      [],
    );
  });

  it('says which type the reader wants', () => {
    for (const [path, { type }] of keysOf(CASE_SCHEMA)) {
      // What a tool answers, and its schema, are the writer's own.
      if (type === undefined || (type === 'object' && path.length > 2) || path.join('.') === 'tools.schema') continue;
      const value = type === 'string' ? '3' : '"text"';
      const lists = new Set(['bootstrap_files', 'tools', 'results', 'steps', 'tool_args']);
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
