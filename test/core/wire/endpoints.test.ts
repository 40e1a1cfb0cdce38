import assert from 'node:assert/strict';
import { comparablePath, ENDPOINTS, endpointOf } from '../../../src/core/wire/endpoints';
import { detectProtocol } from '../../../src/core/wire/read/detectProtocol';

const example = (path: string): string => path.replaceAll('{id}', 'x_1').replaceAll('{model}', 'm.v1');
const PATHS = ENDPOINTS.flatMap(({ paths, protocol }) => paths.map((path) => ({ path: example(path), protocol })));
const OWN_PATHS = PATHS.filter(({ protocol }) => protocol !== undefined);

describe('the endpoints of the providers', () => {
  it('are the same on every host, below every base, and by their comparable path', () => {
    for (const { path } of PATHS)
      for (const base of [
        'https://api.example.com/v1',
        'http://127.0.0.1:9/team/api/v1',
        'https://gw.example/openai',
      ]) {
        const url = `${base}${path}?a=1`;
        assert.equal(endpointOf(url).path, endpointOf(path).path, url);
        assert.equal(comparablePath(url), `${path}?a=1`);
        assert.equal(comparablePath(comparablePath(url)), comparablePath(url));
      }
  });

  it('are told apart', () => {
    const all = [...new Set(PATHS.map(({ path }) => path))];
    assert.equal(new Set(all.map((path) => endpointOf(`https://h.example/v1${path}`).path)).size, all.length);
  });

  it('are of one protocol, if they are its own', () => {
    assert.equal(new Set(OWN_PATHS.map(({ path }) => path)).size, OWN_PATHS.length);
  });

  it('have the protocol by which an exchange is read', () => {
    for (const { path, protocol } of OWN_PATHS) {
      const url = `/v1${path}`;
      assert.equal(
        detectProtocol({ path: url, request: undefined, response: undefined, events: [] })?.id,
        protocol,
        url,
      );
    }
  });

  it('keep the model of an address', () => {
    const azure = 'https://h.example/openai/deployments/gpt/chat/completions?api-version=1';
    assert.deepEqual(endpointOf(azure), { path: '/chat/completions', model: 'gpt', protocol: 'openai-chat' });
    assert.equal(comparablePath(azure), '/openai/deployments/gpt/chat/completions?api-version=1');
    const vertex = 'https://h/v1/projects/p/locations/l/publishers/google/models/g:generateContent';
    assert.deepEqual(endpointOf(vertex), { path: '/models/{model}:generateContent', model: 'g', protocol: 'gemini' });
    assert.equal(comparablePath(vertex), '/models/g:generateContent');
    const bedrock = 'https://h/model/arn%3Aaws%3Abedrock%3Ax%2Fy/converse';
    assert.deepEqual(endpointOf(bedrock), {
      path: '/model/{model}/converse',
      model: 'arn:aws:bedrock:x/y',
      protocol: 'bedrock-converse',
    });
  });

  it('of other services stay whole', () => {
    for (const path of ['/users/1/messages', '/crm/tickets/7/files', '/base/list', '/info'])
      assert.deepEqual(
        [endpointOf(`https://h.example${path}`), comparablePath(`https://h.example${path}?q=1`)],
        [{ path }, `${path}?q=1`],
      );
  });
});
