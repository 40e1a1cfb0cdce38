import type { JsonNode } from '../json/jsonDocument';
import type { Root } from './documents';
import type { Finding } from './finding';

/** Names that an object has twice: programs take the last, people read the first. */
export function duplicateKeys(roots: readonly Root[]): Finding[] {
  const findings: Finding[] = [];
  for (const { node, offset } of roots) visit(node, offset, findings);
  return findings;
}

function visit(node: JsonNode, offset: number, findings: Finding[]): void {
  if (node.type === 'array') for (const item of node.items) visit(item, offset, findings);
  if (node.type !== 'object') return;
  const seen = new Set<string>();
  for (const { key, keySpan, value } of node.members) {
    if (seen.has(key)) findings.push(duplicate(key, keySpan.start + offset, keySpan.end + offset));
    seen.add(key);
    visit(value, offset, findings);
  }
}

function duplicate(key: string, start: number, end: number): Finding {
  return {
    severity: 'error',
    rule: 'duplicate-key',
    message: `\`${key.slice(0, 80)}\` stands twice in one object: programs read the last one only`,
    fix: 'Remove the one that is not meant.',
    span: { start, end },
  };
}
