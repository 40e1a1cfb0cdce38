import { asList, asString } from '../../../json/fields';
import { compactJson, isRecord, type Json } from '../../../json/json';
import type { JsonLine } from '../../../json/jsonLines';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';

/** Reports repeated entries of a fixture (`replay_stacking.py`), which make a passing test less meaningful. */
export function stackingProblems(lines: readonly JsonLine[]): Problem[] {
  // Reyn replays an entry of any other kind as a completion, but counts it as none here.
  const completions = lines.filter(({ value }) => value.kind === undefined || value.kind === 'completion');
  return [
    ...unknownKinds(lines),
    ...repeatedKeys(lines),
    ...repeatedEnvironments(lines),
    ...stackedCalls(completions),
    ...incomparableCalls(completions),
  ];
}

const KINDS: readonly (Json | undefined)[] = [undefined, 'completion', 'embedding', 'environment'];

function unknownKinds(lines: readonly JsonLine[]): Problem[] {
  return lines
    .filter(({ value }) => !KINDS.includes(value.kind))
    .map((line) => {
      const said = t('unknown kind {0}: Reyn replays this entry as a completion', compactJson(line.value.kind ?? null));
      return warning(said, t('Use "completion", "embedding", or "environment".'), line);
    });
}

export function entryKind(entry: JsonLine['value']): 'completion' | 'embedding' | 'environment' {
  return entry.kind === 'embedding' || entry.kind === 'environment' ? entry.kind : 'completion';
}

function repeatedKeys(lines: readonly JsonLine[]): Problem[] {
  const withKey = lines.filter(({ value }) => entryKind(value) !== 'environment' && asString(value.key) !== undefined);
  return repeatedGroups(withKey, ({ value }) => `${entryKind(value) === 'embedding'} ${asString(value.key)}`).flatMap(
    (group) =>
      group
        .slice(0, -1)
        .map((line) =>
          warning(
            t('another entry below has the same key: Reyn uses only the last'),
            t('Remove the one that is stale.'),
            line,
          ),
        ),
  );
}

function repeatedEnvironments(lines: readonly JsonLine[]): Problem[] {
  const environments = lines.filter(({ value }) => entryKind(value) === 'environment');
  return repeatedGroups(environments, ({ value }) => compactJson(value.name ?? null)).flatMap((group) =>
    group
      .slice(0, -1)
      .map((line) =>
        warning(
          t('the same environment is captured again below: Reyn uses only the last'),
          t('Record it again.'),
          line,
        ),
      ),
  );
}

/** The same conversation under several keys: an entry with an old schema of a tool was left beside the new one. */
function stackedCalls(completions: readonly JsonLine[]): Problem[] {
  const measurable = completions.filter(({ value }) => isRecord(value.key_components));
  return repeatedGroups(measurable, ({ value }) => signature(value.key_components)).flatMap((group) => {
    const keys = new Set(group.map(({ value }) => compactJson(value.key ?? null)));
    if (keys.size < 2) return [];
    const message = t(
      'the same call is recorded under {0} keys: the fixture matches every one of these generations',
      keys.size,
    );
    return group.map((line) => warning(message, t('Record it again, or remove all but the newest.'), line));
  });
}

/** All parts of the key except for the tools. */
function signature(components: Json | undefined): string {
  const { model = null, tool_choice: choice = null, messages } = isRecord(components) ? components : {};
  return compactJson([model, choice, asList(messages)]);
}

function incomparableCalls(completions: readonly JsonLine[]): Problem[] {
  const [first] = completions;
  if (first === undefined || completions.some(({ value }) => isRecord(value.key_components))) return [];
  const message = t('no entry has `key_components`: whether recordings are stacked here cannot be measured');
  const { start } = first.source;
  return [{ severity: 'info', message, fix: t('Record the fixture again.'), span: { start, end: start + 1 } }];
}

function warning(message: string, fix: string, { source: { start } }: JsonLine): Problem {
  return { severity: 'warning', message, fix, span: { start, end: start + 1 } };
}

/** Groups of several lines with the same key. */
function repeatedGroups(lines: readonly JsonLine[], by: (line: JsonLine) => string): JsonLine[][] {
  const found = new Map<string, JsonLine[]>();
  for (const line of lines) {
    const group = found.get(by(line)) ?? [];
    found.set(by(line), group);
    group.push(line);
  }
  return [...found.values()].filter(({ length }) => length > 1);
}
