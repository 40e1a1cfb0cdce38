import { type JsonNode, type JsonObjectNode, member } from '../json/jsonDocument';
import { type ReplaySession, SessionReader } from '../tapes/formats/flakestormModel';
import { readTextDocument } from '../tapes/formats/textDocument';
import type { Reading, Span } from '../text/source';

export interface SessionCase {
  readonly session: ReplaySession;
  /** Tapedeck: the tape that Replay reads and Re-record replaces, relative to the file. Flakestorm ignores it. */
  readonly tape?: string;
  readonly span: Span;
}

/** Reads a file of replay sessions: one, or a list of them. */
export function readSessions(text: string): Reading<readonly SessionCase[]> {
  const document = readTextDocument(text);
  if (document.problems.length > 0) return { value: undefined, problems: document.problems };
  const reader = new SessionReader(text, document.syntax);
  const value = document.roots.flatMap(sessionNodes).map((node) => sessionCase(reader, node));
  const { problems } = reader;
  return { value: problems.some(({ severity }) => severity === 'error') ? undefined : value, problems };
}

export function sessionCase(reader: SessionReader, node: JsonObjectNode): SessionCase {
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
