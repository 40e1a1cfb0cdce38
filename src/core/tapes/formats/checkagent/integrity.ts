import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { Problem, Span } from '../../../text/source';
import { type Cassette, type CassetteCall, SCHEMA_VERSION } from './cassette';
import { contentHash, interactionId } from './hash';

const FIX_FINALISE = 'Finalise the cassette to compute its ids, sequence numbers and hash again.';
/** Ids in the form that CheckAgent computes. Others were given by hand and are not checked. */
export const GENERATED_ID = /^[0-9a-f]{16}$/;

/** Problems that CheckAgent itself does not report: none of its commands calls `verify_integrity`. */
export function integrityProblems(root: JsonNode, cassette: Cassette, name: string, isSound: boolean): Problem[] {
  return [
    ...metaProblems(root),
    ...schemaProblems(root, cassette, name),
    ...cassette.calls.flatMap((call, index) => (call === undefined ? [] : callProblems(call, index))),
    ...(isSound ? hashProblems(root, cassette) : []),
  ];
}

const RESTORE = 'Restore the file from version control, or record it again.';

/**
 * CheckAgent silently uses defaults for what is missing, also for a `meta` that is called `_meta`, as its documentation calls it.
 */
function metaProblems(root: JsonNode): Problem[] {
  if (root.type !== 'object') return [];
  const start = { start: root.start, end: root.start + 1 };
  const empty =
    member(root, 'interactions') === undefined
      ? [warning('the cassette has no `interactions`: CheckAgent has nothing to replay', RESTORE, start)]
      : [];
  if (member(root, 'meta') !== undefined) return empty;
  const trap = root.members.findLast(({ key }) => key === '_meta');
  if (trap === undefined) {
    const message = 'the cassette has no `meta`: its hash and version are not known';
    return [...empty, warning(message, FIX_FINALISE, start)];
  }
  const message = 'CheckAgent does not read `_meta`: the hash and the version in it are ignored';
  return [...empty, warning(message, 'Rename it to `meta`.', trap.keySpan)];
}

function schemaProblems(root: JsonNode, { meta: { schemaVersion } }: Cassette, name: string): Problem[] {
  const node = member(member(root, 'meta'), 'schema_version');
  if (node === undefined || schemaVersion === SCHEMA_VERSION) return [];
  if (schemaVersion < SCHEMA_VERSION) {
    const message = `Cassette ${name} uses schema v${schemaVersion}, current is v${SCHEMA_VERSION}.`;
    return [warning(message, "Migrate it, or run 'checkagent migrate-cassettes'.", node)];
  }
  const message = `Cassette schema v${schemaVersion} is newer than current v${SCHEMA_VERSION}.`;
  return [warning(message, 'Upgrade checkagent to load this cassette.', node)];
}

function callProblems({ node, id, sequence, request }: CassetteCall, index: number): Problem[] {
  const problems: Problem[] = [];
  const sequenceNode = member(node, 'sequence');
  if (sequenceNode !== undefined && sequence !== BigInt(index))
    problems.push(warning(`\`sequence\` is ${sequence} at position ${index}`, FIX_FINALISE, sequenceNode));
  const idNode = member(node, 'id');
  if (idNode !== undefined && GENERATED_ID.test(id) && id !== interactionId(request.method, request.body))
    problems.push(warning('`id` does not belong to this method and body', FIX_FINALISE, idNode));
  return problems;
}

function hashProblems(root: JsonNode, { meta, calls }: Cassette): Problem[] {
  const node = member(member(root, 'meta'), 'content_hash');
  if (node === undefined || meta.contentHash === '') return [];
  if (meta.contentHash === contentHash(calls.flatMap((call) => call ?? []))) return [];
  const message = '`content_hash` does not match the interactions: they were changed after they were recorded';
  return [
    { severity: 'error', message, fix: `Restore the file, or accept it as it is. ${FIX_FINALISE}`, span: spanOf(node) },
  ];
}

function warning(message: string, fix: string, at: Span): Problem {
  return { severity: 'warning', message, fix, span: spanOf(at) };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
