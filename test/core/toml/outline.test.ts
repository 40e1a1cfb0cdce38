import assert from 'node:assert/strict';
import { foldingRanges, outlineOf } from '../../../src/core/toml/outline';

const TEXT = `# A case.
name = "a"
prompt = """
two
lines"""

[[tools]]
name = "lookup_order"
schema = { type = "object" }

# The second one.
[[tools]]
name = "refund"
[tools.schema.properties.order]
type = "string"

[llm]
`;

describe('the outline of a TOML file', () => {
  it('has the keys before the first table, then the tables with their keys, and items of lists by name', () => {
    const lines = outlineOf(TEXT).map(({ name, detail, children }) =>
      [name, detail, ...children.map((child) => child.name)].join(' ').trim(),
    );
    assert.deepEqual(lines, [
      'name "a"',
      'prompt',
      'tools lookup_order name schema',
      'tools refund name',
      'tools.schema.properties.order  type',
      'llm',
    ]);
  });

  it('folds tables without what belongs to the next one, and values of several lines', () => {
    assert.deepEqual(
      foldingRanges(TEXT).map(({ start, end }) => TEXT.slice(start, end)),
      [
        '[[tools]]\nname = "lookup_order"\nschema = { type = "object" }',
        '[[tools]]\nname = "refund"',
        '[tools.schema.properties.order]\ntype = "string"',
        'prompt = """\ntwo\nlines"""',
      ],
    );
  });
});
