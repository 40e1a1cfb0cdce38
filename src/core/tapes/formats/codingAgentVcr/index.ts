import type { JsonNode } from '../../../json/jsonNode';
import type { NotKept } from '../../../model/http';
import { none } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { stringAt } from '../shared/httpTape';

/** Cassettes of coding-agent-vcr: what was said is in files beside this one, which are tapes of one request or response. */
export const codingAgentVcrFormat = httpFormat({
  id: 'coding-agent-vcr',
  label: 'coding-agent-vcr cassette',
  files: ['json'],
  marks: ['cassette_id', 'schema_version', 'transactions'],
  at: {
    entries: 'transactions',
    name: 'cassette_id',
    version: 'schema_version',
    id: 'id',
    method: 'request_ref',
    url: 'request_ref',
  },
  notKept: elsewhere,
  isBeside: () => true,
  isReadOnly: true,
});

function elsewhere(entry: JsonNode): NotKept {
  const file = stringAt(entry, 'response_ref');
  return file === undefined ? { why: 'absent' } : { why: 'elsewhere', file };
}

/** A request of such a cassette. Its response has the same name, in the folder beside. */
export const codingAgentRequestFormat = httpFormat({
  id: 'coding-agent-vcr-request',
  label: 'coding-agent-vcr request',
  files: ['json'],
  marks: ['method', 'path', 'headers', 'body', none('request', 'response', 'status', 'url')],
  at: {
    method: 'method',
    url: 'path',
    requestHeaders: 'headers',
    request: 'body',
    status: 'status',
    responseHeaders: 'response.headers',
    response: 'response.body',
  },
  notKept: () => ({ why: 'absent' }),
  isReadOnly: true,
});
