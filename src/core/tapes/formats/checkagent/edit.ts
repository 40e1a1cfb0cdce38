import { setMember } from '../../../json/editJson';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member, readJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import { applySplices, type Splice } from '../../../text/splice';
import type { EditOutcome, TapeTextEdit } from '../../format';
import type { TapeFile } from '../../tapeFile';
import { responseTextSplices } from '../shared/responseText';
import { type CassetteCall, CassetteReader } from './cassette';
import { contentHash, interactionId } from './hash';
import { GENERATED_ID } from './integrity';
import { readCall } from './read';

/** The hash of a cassette's text, as CheckAgent computes it; undefined for a text that CheckAgent does not load. */
export function hashOfCassette(text: string): string | undefined {
  const { value: root, problems } = readJson(text);
  if (root?.type !== 'object' || problems.length > 0) return undefined;
  const reader = new CassetteReader();
  const { calls } = reader.cassette(root);
  return reader.problems.length > 0 ? undefined : contentHash(calls.flatMap((call) => call ?? []));
}

/**
 * Replaces the text of a response. A correct hash is updated; a wrong one is left as it is, so that it stays visible.
 */
export function editCassette({ text }: TapeFile, { interaction, text: newText }: TapeTextEdit): EditOutcome {
  const { value: root } = readJson(text);
  const call = root && new CassetteReader().cassette(root).calls[interaction];
  if (call === undefined) return { refused: t('The cassette has no such interaction.') };
  const { api, response } = readCall(call, '');
  const { body } = call.response;
  if (response?.error !== undefined) return { refused: t('This call failed and has no response to change.') };
  const content = response?.content ?? null;
  if (content === null || (call.request.kind === 'tool' && body.type !== 'string'))
    return { refused: t('The response of this interaction is not a text.') };
  const splices = responseTextSplices(text, body, { api, content, text: newText });
  if (splices === undefined)
    return {
      refused: t('The text of this response is not stored in a single place. Change its body in the text editor.'),
    };
  const hash = hashSplice(root, text, splices);
  return hash === undefined
    ? { splices, dependents: [] }
    : { splices: [...splices, hash], dependents: ['content_hash'] };
}

function hashSplice(root: JsonNode | undefined, text: string, splices: readonly Splice[]): Splice | undefined {
  const node = nodeAt(root, ['meta', 'content_hash']);
  if (node?.type !== 'string' || node.value === '' || node.value !== hashOfCassette(text)) return undefined;
  const hash = hashOfCassette(applySplices(text, splices));
  return hash === undefined ? undefined : { start: node.start, end: node.end, text: JSON.stringify(hash) };
}

/**
 * `Cassette.finalize`: ids, sequence numbers and the hash. Beyond CheckAgent, it recomputes ids that no longer match
 * their requests, and renames `_meta`. Undefined for a cassette that CheckAgent does not load.
 */
export function finaliseCassette({ text }: TapeFile): readonly Splice[] {
  const { value: root, problems } = readJson(text);
  if (root?.type !== 'object' || problems.length > 0) return [];
  const reader = new CassetteReader();
  const { calls } = reader.cassette(root);
  if (reader.problems.length > 0) return [];
  const splices = calls.flatMap((call, index) => (call === undefined ? [] : finaliseCall(text, call, index)));
  const hash = hashOfCassette(applySplices(text, splices));
  return hash === undefined ? [] : [...splices, ...finaliseMeta(text, root, hash)];
}

function finaliseCall(text: string, { node, id, sequence, request }: CassetteCall, index: number): Splice[] {
  const splices: Splice[] = [];
  const made = interactionId(request.method, request.body);
  if (id === '' || (GENERATED_ID.test(id) && id !== made))
    splices.push(setMember(text, node, 'id', JSON.stringify(made)));
  if (sequence !== BigInt(index) || member(node, 'sequence') === undefined)
    splices.push(setMember(text, node, 'sequence', `${index}`));
  return splices;
}

function finaliseMeta(text: string, root: JsonObjectNode, hash: string): Splice[] {
  const token = JSON.stringify(hash);
  const trap = root.members.findLast(({ key }) => key === '_meta');
  const meta = member(root, 'meta');
  const block = meta ?? trap?.value;
  if (block?.type !== 'object') return [setMember(text, root, 'meta', `{ "content_hash": ${token} }`)];
  const renamed = meta === undefined && trap !== undefined ? [{ ...trap.keySpan, text: '"meta"' }] : [];
  const stored = member(block, 'content_hash');
  const isRight = stored?.type === 'string' && stored.value === hash;
  return isRight ? renamed : [...renamed, setMember(text, block, 'content_hash', token)];
}
