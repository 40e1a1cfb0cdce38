import { isRecord } from '../../json/json';
import type { AssertionKind } from '../../model/case';
import { t } from '../../text/l10n';
import type { Problem } from '../../text/source';
import type { TomlDocument } from '../../toml/readToml';

/** Assertions that hold for every run where they are empty, or false. */
const MAY_BE_IDLE: readonly AssertionKind[] = [
  'contains',
  'matches',
  'tool_order',
  'tool_not_called',
  'no_errors',
  'each_tool_result_used',
];

/** Reports assertions that are read and can never fail. */
export function findIdleAssertions(document: TomlDocument): readonly Problem[] {
  const { assert = {}, expected_text: shorthand } = document.root;
  if (!isRecord(assert)) return [];
  const isReplaced = shorthand !== undefined && assert.contains !== undefined && assert.contains !== shorthand;
  const idle = MAY_BE_IDLE.filter((kind) => {
    const value = assert[kind];
    return value === '' || value === false || (Array.isArray(value) && value.length === 0);
  });
  return [
    ...(isReplaced ? [REPLACED(document)] : []),
    ...idle.map(
      (kind): Problem => ({
        severity: 'warning',
        message: t('`{0}` is {1}, so it never fails', kind, assert[kind] === false ? 'false' : 'empty'),
        fix: t('Fill it in, or remove it.'),
        span: document.keySpan(['assert', kind]),
      }),
    ),
  ];
}

const REPLACED = (document: TomlDocument): Problem => ({
  severity: 'warning',
  message: t('`expected_text` is never checked, because `contains` under [assert] takes precedence'),
  fix: t('Remove one of them.'),
  code: 'remove:expected_text',
  span: document.keySpan(['expected_text']),
});
