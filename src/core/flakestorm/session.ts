import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { member } from '../json/readJson';
import { readTextDocument } from '../syntax/textDocument';
import { type FlakestormSession, FlakestormSessionReader } from '../tapes/formats/flakestorm/session';
import type { ParseResult, Span } from '../text/source';

interface SessionCase {
  readonly session: FlakestormSession;
  /** Tapedeck: the tape that Replay reads and Re-record replaces, relative to the file. Flakestorm ignores it. */
  readonly tape?: string;
  readonly span: Span;
}

/** Reads a file of replay sessions: one, or a list of them. */
export function readSessions(text: string): ParseResult<readonly SessionCase[]> {
  const document = readTextDocument(text);
  if (document.problems.length > 0) return { value: undefined, problems: document.problems };
  const reader = new FlakestormSessionReader(text, document.syntax);
  const value = document.roots.flatMap(sessionNodes).map((node) => sessionCase(reader, node));
  const { problems } = reader;
  return { value: problems.some(({ severity }) => severity === 'error') ? undefined : value, problems };
}

function sessionCase(reader: FlakestormSessionReader, node: JsonObjectNode): SessionCase {
  const tape = member(node, 'tape');
  const { start, end } = member(node, 'id') ?? node;
  return {
    session: reader.session(node),
    ...(tape?.type === 'string' ? { tape: tape.value } : {}),
    span: { start, end },
  };
}

function sessionNodes(root: JsonNode): readonly JsonObjectNode[] {
  const list = root.type === 'array' ? root : (member(member(root, 'replays'), 'sessions') ?? member(root, 'sessions'));
  if (list?.type === 'array') return list.items.filter((item): item is JsonObjectNode => item.type === 'object');
  return root.type === 'object' ? [root] : [];
}
