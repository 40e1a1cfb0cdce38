import assert from 'node:assert/strict';
import { UserError } from '../../../../src/engine/errors/userError';
import { addressedIn } from '../../../../src/engine/proxy/routes/hostRoute';
import { inSignedRegion, laneSegment, routeOf, splitLane } from '../../../../src/engine/proxy/routes/route';
import {
  agentVariables,
  resolveUpstreams,
  standInKeys,
  withoutUnsignable,
} from '../../../../src/engine/proxy/routes/upstreams';

describe('the routes of the proxy', () => {
  const upstreams = resolveUpstreams(
    { commandLine: { azure: 'https://a.example', files: 'https://files.example/base?v=2' } },
    {},
  );
  const target = (path: string) => routeOf(path, upstreams)?.target?.href;

  it('lead from a base URL to the one it stands for', () => {
    assert.equal(target('/openai/chat/completions?a=1'), 'https://api.openai.com/v1/chat/completions?a=1');
    assert.equal(target('/anthropic/v1/messages'), 'https://api.anthropic.com/v1/messages');
    assert.equal(target('/anthropic/messages'), 'https://api.anthropic.com/v1/messages');
    assert.equal(target('/ollama/api/chat'), 'http://127.0.0.1:11434/api/chat');
    assert.equal(target('/ollama/chat/completions'), 'http://127.0.0.1:11434/v1/chat/completions');
    assert.equal(
      target('/gemini/v1beta/models/g:generateContent'),
      'https://generativelanguage.googleapis.com/v1beta/models/g:generateContent',
    );
    assert.equal(
      target('/azure/openai/deployments/d/chat/completions?api-version=1'),
      'https://a.example/openai/deployments/d/chat/completions?api-version=1',
    );
    assert.equal(target('/files/list?page=3'), 'https://files.example/base/list?page=3&v=2');
    assert.equal(target('/unknown/x'), undefined);
  });

  it('begin with a lane of any name, and may name the address that they stand for', () => {
    for (const lane of ['a', 'test_x[1]', 'cart > adds / one', '..', 'a::b?c#d', '100%', 'ü']) {
      const path = `/${laneSegment(lane)}/openai/models`;
      const route = routeOf(path, upstreams);
      assert.deepEqual([route?.sessionId, route?.target?.href], [lane, 'https://api.openai.com/v1/models'], path);
      assert.deepEqual(splitLane(`/${laneSegment(lane)}`), { lane, rest: '' });
    }
    assert.equal(splitLane('/~100%/openai').lane, '100%');
    assert.deepEqual(addressedIn('/@/https/api.openai.com/v1/models?a=1'), {
      origin: 'https://api.openai.com',
      path: '/v1/models?a=1',
    });
    for (const path of [
      '/@/ftp/host/x',
      '/@/https/',
      '/@/https/a@b/x',
      '/@/https/host:99999/x',
      '/openai/@/https/host/x',
    ])
      assert.equal(addressedIn(path), undefined, path);
  });

  it('never leave the base URL of their upstream, however the path is written', () => {
    const ways = [
      '/..',
      '/../admin',
      '/v1/../../admin',
      '/%2e%2e/admin',
      '/.%2E/admin',
      '/a/%2e%2e%2f%2e%2e%2fadmin',
      '/..%5cadmin',
      '/..\\admin',
      '/./x',
      '/..?a',
      '/..#a',
    ];
    for (const way of ways) assert.equal(target(`/files${way}`), undefined, way);
    for (const way of ['/a..b', '/...', '/x?path=../y', '/models/g..1:generateContent'])
      assert.ok(target(`/files${way}`)?.startsWith('https://files.example/base/'), way);
  });

  it('carry the id of a session', () => {
    assert.equal(routeOf('/~worker-3/openai/models', upstreams)?.sessionId, 'worker-3');
    assert.equal(target('/~worker-3/openai/models'), 'https://api.openai.com/v1/models');
  });
});

describe('the upstreams', () => {
  it('are those of the command line, of the environment, or the public ones', () => {
    const environment = {
      OPENAI_BASE_URL: 'http://e/v1/',
      OLLAMA_HOST: '0.0.0.0:9',
      ANTHROPIC_BASE_URL: 'http://e/v1',
    };
    const found = resolveUpstreams({ commandLine: { gemini: 'http://c' } }, environment);
    const address = (name: string) => found.get(name)?.address?.href;
    assert.equal(address('openai'), 'http://e/v1');
    assert.equal(address('ollama'), 'http://0.0.0.0:9/');
    assert.equal(address('anthropic'), 'http://e/', 'the version is asked for with each request');
    assert.equal(address('gemini'), 'http://c/');
    assert.equal(address('azure'), undefined);
    assert.equal(address('groq'), 'https://api.groq.com/');
  });

  it('must have names and addresses', () => {
    assert.throws(() => resolveUpstreams({ project: { openai: 'http://' } }, {}), UserError);
    assert.throws(() => resolveUpstreams({ project: { 'A B': 'http://x' } }, {}), UserError);
  });

  it("are in the agent's variables, with stand-ins for the keys that a replay does not need", () => {
    const found = resolveUpstreams({ project: { 'my-tools': 'http://t' } }, {});
    const variables = agentVariables(found, 'http://p/t');
    assert.equal(variables.OPENAI_BASE_URL, 'http://p/t/openai');
    assert.equal(variables.MY_TOOLS_BASE_URL, 'http://p/t/my-tools');
    assert.equal(standInKeys(found, { OPENAI_API_KEY: 'real' }).OPENAI_API_KEY, 'tapedeck-replay');
    const aws = standInKeys(found, { AWS_BEARER_TOKEN_BEDROCK: 'real' });
    const { AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = aws;
    const standIns = [AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY];
    assert.deepEqual(standIns, ['', 'tapedeck-replay', 'tapedeck-replay'], 'with a bearer token, boto3 demands https');
    const azure = standInKeys(found, { AZURE_API_KEY: 'real', DEEPSEEK_API_KEY: 'real', GITHUB_TOKEN: 'real' });
    assert.equal(azure.AZURE_API_KEY, 'tapedeck-replay');
    assert.equal(azure.AZURE_OPENAI_API_KEY, undefined, 'the agent chose the other one');
    assert.equal(azure.DEEPSEEK_API_KEY, 'tapedeck-replay');
    assert.equal(azure.GITHUB_TOKEN, undefined, 'it is not for models alone');
    assert.equal(standInKeys(found, {}).ANTHROPIC_API_KEY, 'tapedeck-replay');
    // SDKs of one API read different variables: Google's own, Vercel's, and an older Genkit; LiteLLM and Vercel for Together.
    const { GEMINI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_GENAI_API_KEY } = standInKeys(found, {});
    assert.deepEqual(
      [GEMINI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_GENAI_API_KEY],
      Array(3).fill('tapedeck-replay'),
    );
    const { TOGETHERAI_API_KEY, TOGETHER_AI_API_KEY } = standInKeys(found, {});
    assert.deepEqual([TOGETHERAI_API_KEY, TOGETHER_AI_API_KEY], Array(2).fill('tapedeck-replay'));
  });

  it('lead a request to Bedrock to the region that it was signed for, and to none where its signature cannot be renewed', () => {
    const route = routeOf('/bedrock/model/m/converse', resolveUpstreams({}, {}));
    assert.ok(route);
    const regional = (authorization: string) =>
      inSignedRegion({ ...route, clientBase: 'http://p/t/bedrock' }, authorization).target?.href;
    const credential = 'Credential=AKIDEXAMPLE/20150830/eu-west-1/bedrock/aws4_request';
    const signature = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host;x-amz-date, Signature=0bad`;
    assert.equal(regional(signature), 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse');
    assert.equal(regional('Bearer abc'), 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse');

    const variableWith = (environment: Record<string, string>) =>
      agentVariables(withoutUnsignable(resolveUpstreams({}, environment), environment), 'http://p/t')
        .AWS_ENDPOINT_URL_BEDROCK_RUNTIME;
    assert.equal(variableWith({}), undefined);
    assert.equal(variableWith({ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'x' }), 'http://p/t/bedrock');
    assert.equal(variableWith({ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://mine' }), 'http://p/t/bedrock');
  });
});
