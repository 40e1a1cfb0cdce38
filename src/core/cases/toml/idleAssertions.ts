import { isRecord } from '../../json/json';
import type { AssertionKind } from '../../model/case';
import type { Problem } from '../../text/source';
import type { TomlDocument } from '../../toml/readToml';

/** Every output contains and matches an empty text. */
const PASSES_WHEN_EMPTY: readonly AssertionKind[] = ['contains', 'matches', 'tool_order', 'tool_not_called'];
const SWITCHES: readonly AssertionKind[] = ['no_errors', 'each_tool_result_used'];

/** Reports assertions that are read and can never fail. */
export function findIdleAssertions(document: TomlDocument): readonly Problem[] {
  const { assert = {}, expected_text: shorthand } = document.root;
  if (!isRecord(assert)) return [];
  const isReplaced = shorthand !== undefined && assert.contains !== undefined && assert.contains !== shorthand;
  const empty = PASSES_WHEN_EMPTY.filter((kind) => {
    const value = assert[kind];
    return value === '' || (Array.isArray(value) && value.length === 0);
  });
  return [
    ...(isReplaced ? [REPLACED(document)] : []),
    ...empty.map(
      (kind): Problem => ({
        severity: 'warning',
        message: `\`${kind}\` is empty, so it never fails`,
        fix: 'Fill it in, or remove it.',
        span: document.keySpan(['assert', kind]),
      }),
    ),
    ...SWITCHES.filter((kind) => assert[kind] === false).map(
      (kind): Problem => ({
        severity: 'warning',
        message: `\`${kind}\` is false, so it is never checked`,
        fix: 'Set it to true, or remove it.',
        span: document.keySpan(['assert', kind]),
      }),
    ),
  ];
}

const REPLACED = (document: TomlDocument): Problem => ({
  severity: 'warning',
  message: '`expected_text` is never checked, because `contains` under [assert] takes precedence',
  fix: 'Remove one of them.',
  code: 'remove:expected_text',
  span: document.keySpan(['expected_text']),
});
