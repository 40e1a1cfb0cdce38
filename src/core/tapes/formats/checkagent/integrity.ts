import type { JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import { message, t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import { type Cassette, type CassetteCall, SCHEMA_VERSION } from './cassette';
import { contentHash, interactionId } from './hash';

const FIX_FINALISE = message('Finalise the cassette to compute its ids, sequence numbers and hash again.');
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

const RESTORE = message('Restore the file from version control, or record it again.');

/**
 * CheckAgent silently uses defaults for what is missing, also for a `meta` that is called `_meta`, as its documentation calls it.
 */
function metaProblems(root: JsonNode): Problem[] {
  if (root.type !== 'object') return [];
  const start = { start: root.start, end: root.start + 1 };
  const empty =
    member(root, 'interactions') === undefined
      ? [warning(t('the cassette has no `interactions`: CheckAgent has nothing to replay'), t(RESTORE), start)]
      : [];
  if (member(root, 'meta') !== undefined) return empty;
  const trap = root.members.findLast(({ key }) => key === '_meta');
  if (trap === undefined) {
    const message = t('the cassette has no `meta`: its hash and version are not known');
    return [...empty, warning(message, t(FIX_FINALISE), start)];
  }
  const message = t('CheckAgent does not read `_meta`: the hash and the version in it are ignored');
  return [...empty, warning(message, t('Rename it to `meta`.'), trap.keySpan)];
}

function schemaProblems(root: JsonNode, { meta: { schemaVersion } }: Cassette, name: string): Problem[] {
  const node = member(member(root, 'meta'), 'schema_version');
  if (node === undefined || schemaVersion === SCHEMA_VERSION) return [];
  if (schemaVersion < SCHEMA_VERSION) {
    const message = t(
      'Cassette {0} uses schema v{1}, current is v{2}.',
      name,
      String(schemaVersion),
      String(SCHEMA_VERSION),
    );
    return [warning(message, t("Migrate it, or run 'checkagent migrate-cassettes'."), node)];
  }
  const message = t('Cassette schema v{0} is newer than current v{1}.', String(schemaVersion), String(SCHEMA_VERSION));
  return [warning(message, t('Upgrade checkagent to load this cassette.'), node)];
}

function callProblems({ node, id, sequence, request }: CassetteCall, index: number): Problem[] {
  const problems: Problem[] = [];
  const sequenceNode = member(node, 'sequence');
  if (sequenceNode !== undefined && sequence !== BigInt(index))
    problems.push(
      warning(t('`sequence` is {0} at position {1}', String(sequence), index), t(FIX_FINALISE), sequenceNode),
    );
  const idNode = member(node, 'id');
  if (idNode !== undefined && GENERATED_ID.test(id) && id !== interactionId(request.method, request.body))
    problems.push(warning(t('`id` does not belong to this method and body'), t(FIX_FINALISE), idNode));
  return problems;
}

function hashProblems(root: JsonNode, { meta, calls }: Cassette): Problem[] {
  const node = member(member(root, 'meta'), 'content_hash');
  if (node === undefined || meta.contentHash === '') return [];
  if (meta.contentHash === contentHash(calls.flatMap((call) => call ?? []))) return [];
  const message = t('`content_hash` does not match the interactions: they were changed after they were recorded');
  return [
    {
      severity: 'error',
      message,
      fix: t('Restore the file, or accept it as it is. {0}', t(FIX_FINALISE)),
      span: spanOf(node),
    },
  ];
}

function warning(message: string, fix: string, at: Span): Problem {
  return { severity: 'warning', message, fix, span: spanOf(at) };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
