import { type MofaCase, type TomlTable, toml } from '../mofaCase';
import { runOf } from './common';

const TOOLS = ['add', 'find'].map((name) => ({ name, description: name, schema: {}, result: name }));
const call = (tool: string) => ({ type: 'tool_call', tool, arguments: {} });

const OUTPUTS: readonly string[] = ['Hello, you.', '', 'Größe 😀\nzweite Zeile', 'a.b*c'];
const EXPECTED: readonly string[] = ['Hello, you.', 'hello', '', 'Größe', '😀', 'a.b', 'a?b', '\n', ' '];
const CALLS: readonly (readonly string[])[] = [[], ['add'], ['find', 'add'], ['add', 'add']];
const EXPECTED_TOOLS: readonly string[] = ['add', 'find', 'ADD', '', 'ghost'];

export function assertionCases(): readonly MofaCase[] {
  const contains = OUTPUTS.flatMap((output) =>
    EXPECTED.map((expected) => assertionCase(output, [], { assert: { contains: expected } })),
  );
  const called = CALLS.flatMap((calls) =>
    EXPECTED_TOOLS.map((expected) => assertionCase('done', calls, { assert: { tool_called: expected } })),
  );
  const both = ['done', 'undone'].flatMap((text) =>
    ['add', 'ghost'].flatMap((tool) => [
      assertionCase('done', ['add'], { assert: { contains: text, tool_called: tool } }),
      assertionCase('done', ['add'], { expected_text: text, assert: { tool_called: tool } }),
      assertionCase('done', ['ghost'], { expected_text: text, assert: { tool_called: tool } }),
    ]),
  );
  const shorthand = ['done', 'undone'].flatMap((text) => [
    assertionCase('done', [], { expected_text: text }),
    assertionCase('done', [], { expected_text: 'other', assert: { contains: text } }),
    assertionCase('done', [], { expected_text: text, assert: {} }),
  ]);
  return [...contains, ...called, ...both, ...shorthand];
}

function assertionCase(output: string, calls: readonly string[], more: TomlTable): MofaCase {
  const steps = [...calls.map(call), { type: 'text', content: output }];
  const title = `${JSON.stringify(more)} of ${JSON.stringify([...calls, output])}`;
  return runOf('assertions', title, toml({ name: 'asserted', prompt: 'p', tools: TOOLS, llm: { steps }, ...more }));
}
