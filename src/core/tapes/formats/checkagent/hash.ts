import { sha256Hex } from '../../../hash/digest';
import type { JsonNode } from '../../../json/jsonNode';
import { pythonFloat, pythonJson, pythonString } from '../../../json/pythonJson';
import type { CassetteCall, CassetteRequest, CassetteResponse } from './cassette';

/** The ids and hashes of CheckAgent's cassettes: SHA-256 of the output of `json.dumps(value, sort_keys=True)`. */

const sortedJson = (node: JsonNode): string => pythonJson(node, { sortKeys: true });
const quoted = (value: string): string => pythonString(value, true);

/** `Interaction.compute_id`: calls of one method with the same body have the same id. */
export function interactionId(method: string, body: JsonNode): string {
  return sha256Hex(`{"body": ${sortedJson(body)}, "method": ${quoted(method)}}`).slice(0, 16);
}

/** `Cassette.compute_content_hash`: over the interactions as pydantic dumps them, without the meta block. */
export function contentHash(calls: readonly CassetteCall[]): string {
  return sha256Hex(`[${calls.map(dumpCall).join(', ')}]`);
}

/** `Cassette.short_hash`: the name of a content-addressed file. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

/** `Cassette.cassette_path`, relative to the folder of the cassettes. */
export function cassettePath(testId: string, hash: string): string {
  const folders = testId.replaceAll('::', '/').replaceAll(' ', '_').split('/');
  const named = folders.filter((folder) => !['', '.', '..'].includes(folder));
  return [...named, `${shortHash(hash)}.json`].join('/');
}

function dumpCall({ id, sequence, request, response, metadata }: CassetteCall): string {
  return (
    `{"id": ${quoted(id)}, "metadata": ${sortedJson(metadata)}, "request": ${dumpRequest(request)}, ` +
    `"response": ${dumpResponse(response)}, "sequence": ${sequence}}`
  );
}

function dumpRequest({ kind, method, model, body }: CassetteRequest): string {
  const name = model === undefined ? 'null' : quoted(model);
  return `{"body": ${sortedJson(body)}, "kind": ${quoted(kind)}, "method": ${quoted(method)}, "model": ${name}}`;
}

function dumpResponse({ body, completionTokens, durationMs, promptTokens, status }: CassetteResponse): string {
  return (
    `{"body": ${sortedJson(body)}, "completion_tokens": ${completionTokens ?? null}, ` +
    `"duration_ms": ${durationMs === undefined ? 'null' : pythonFloat(durationMs)}, ` +
    `"prompt_tokens": ${promptTokens ?? null}, "status": ${quoted(status)}}`
  );
}
