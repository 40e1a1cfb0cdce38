import assert from 'node:assert/strict';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { yamlText } from '../../harness/yamlText';
import { randomFrom } from './mutations';

const random = randomFrom(47);
const below = (count: number): number => Math.floor(random() * count);
const WORDS = 'order price city model message content role request response method url status body tool input'.split(
  ' ',
);
const word = (): string => WORDS[below(WORDS.length)] ?? '';
const text = (): string => Array.from({ length: 1 + below(6) }, word).join(' ');
const version = (): string => `${below(9)}.${below(9)}.${below(9)}`;
const listOf = <T>(make: (at: number) => T, most = 4): T[] =>
  Array.from({ length: 1 + below(most) }, (_, at) => make(at));
const recordOf = <T>(make: () => T): Record<string, T> => Object.fromEntries(listOf(() => [word(), make()]));
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Files that projects have beside tapes, with the words that tapes have; each is made anew. */
const ORDINARY: Readonly<Record<string, readonly [path: string, make: () => string]>> = {
  'the manifest of a package': [
    'package.json',
    () => json({ name: word(), version: version(), scripts: recordOf(text), dependencies: recordOf(version) }),
  ],
  'a lock file': [
    'package-lock.json',
    () =>
      json({
        name: word(),
        lockfileVersion: 3,
        packages: {
          '': { version: version() },
          [`node_modules/${word()}`]: {
            version: version(),
            resolved: `https://registry.example.com/${word()}`,
            integrity: 'sha512-AAAA==',
          },
        },
      }),
  ],
  'a lock file in YAML': [
    'pnpm-lock.yaml',
    () =>
      yamlText({
        lockfileVersion: '9.0',
        importers: { '.': { dependencies: recordOf(() => ({ specifier: version(), version: version() })) } },
        packages: {},
      }),
  ],
  'the options of a compiler': [
    'tsconfig.json',
    () => json({ compilerOptions: { target: 'es2023', paths: recordOf(() => [text()]) }, include: [word()] }),
  ],
  'a locale': [
    'en.json',
    () => json({ messages: recordOf(text), errors: recordOf(text), role: recordOf(text), content: text() }),
  ],
  'a locale of lists': ['zh.json', () => json({ messages: listOf(text), tools: listOf(text) })],
  'an API': [
    'openapi.yaml',
    () =>
      yamlText({
        openapi: '3.1.0',
        info: { title: text(), version: version() },
        paths: {
          '/v1/chat/completions': {
            post: {
              requestBody: { content: { 'application/json': { example: { role: 'user', content: text() } } } },
              responses: { '200': { description: text() } },
            },
          },
        },
      }),
  ],
  'an API in JSON': [
    'swagger.json',
    () =>
      json({
        swagger: '2.0',
        host: 'api.example.com',
        paths: { '/messages': { get: { responses: { 200: { description: text(), schema: { type: 'object' } } } } } },
      }),
  ],
  'a schema': [
    'schema.json',
    () =>
      json({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          messages: {
            type: 'array',
            items: {
              type: 'object',
              properties: { role: { enum: ['user', 'assistant'] }, content: { type: 'string' } },
            },
          },
        },
      }),
  ],
  'a notebook': [
    'a.ipynb.json',
    () =>
      json({
        cells: listOf(() => ({
          cell_type: 'code',
          source: [text()],
          outputs: [{ output_type: 'stream', name: 'stdout', text: [text()] }],
          metadata: {},
        })),
        metadata: { kernelspec: { name: 'python3' } },
        nbformat: 4,
        nbformat_minor: 5,
      }),
  ],
  'a workflow': [
    '.github/workflows/ci.yml',
    () =>
      yamlText({
        name: word(),
        on: ['push'],
        jobs: { test: { 'runs-on': 'ubuntu-latest', steps: listOf(() => ({ name: text(), run: text() })) } },
      }),
  ],
  'a deployment': [
    'deploy.yaml',
    () =>
      yamlText({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: word() },
        spec: {
          template: {
            spec: {
              containers: listOf(() => ({ name: word(), image: word(), env: [{ name: 'MODEL', value: word() }] })),
            },
          },
        },
      }),
  ],
  'services of Compose': [
    'compose.yaml',
    () => yamlText({ services: recordOf(() => ({ image: word(), environment: { MODEL: word() }, ports: ['80:80'] })) }),
  ],
  'places on a map': [
    'map.geojson.json',
    () =>
      json({
        type: 'FeatureCollection',
        features: listOf(() => ({
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [below(90), below(90)] },
          properties: { name: text(), message: text() },
        })),
      }),
  ],
  'a data set of questions': [
    'data.jsonl',
    () => lines(...listOf(() => ({ instruction: text(), input: text(), output: text() }))),
  ],
  'a data set of labels': [
    'train.jsonl',
    () => lines(...listOf(() => ({ text: text(), label: below(3), id: below(99) }))),
  ],
  'a data set of preferences': [
    'dpo.jsonl',
    () => lines(...listOf(() => ({ prompt: text(), chosen: text(), rejected: text() }))),
  ],
  'a data set of contexts': [
    'squad.json',
    () =>
      json({
        version: '2.0',
        data: listOf(() => ({
          title: text(),
          paragraphs: [
            { context: text(), qas: [{ id: word(), question: text(), answers: [{ text: text(), answer_start: 0 }] }] },
          ],
        })),
      }),
  ],
  'a log of a server': [
    'server.jsonl',
    () =>
      lines(
        ...listOf(
          () => ({ level: 'info', time: below(1e9), msg: text(), method: 'GET', url: '/orders', status: 200 }),
          9,
        ),
      ),
  ],
  'a log of messages': [
    'app.ndjson',
    () =>
      lines(...listOf(() => ({ timestamp: '2026-11-30T00:00:00Z', level: 'INFO', message: text(), type: 'event' }), 9)),
  ],
  tickets: [
    'issues.json',
    () => json(listOf((id) => ({ id, title: text(), body: text(), status: 'open', user: { login: word() } }))),
  ],
  'members with roles': [
    'team.json',
    () => json(listOf(() => ({ name: word(), role: 'user', email: 'ada@example.com' }))),
  ],
  'roles of a cluster': [
    'rbac.yaml',
    () =>
      yamlText({
        apiVersion: 'v1',
        kind: 'RoleBinding',
        roleRef: { kind: 'Role', name: word() },
        subjects: [{ kind: 'User', name: word() }],
      }),
  ],
  'models and prices': [
    'models.json',
    () => json({ models: listOf(() => ({ id: word(), input: 1, output: 2, provider: word() })), version: 1 }),
  ],
  'a configuration of MCP servers': [
    '.mcp.json',
    () => json({ mcpServers: recordOf(() => ({ command: 'npx', args: [word()], env: { MODEL: word() } })) }),
  ],
  'a route table': [
    'routes.yaml',
    () => yamlText({ version: 1, routes: listOf(() => ({ method: 'GET', url: `/${word()}`, status: 200 })) }),
  ],
  'tests of a service': [
    'requests.yaml',
    () => yamlText({ tests: listOf(() => ({ name: text(), method: 'POST', path: '/v1', expect: { status: 200 } })) }),
  ],
  'a site': [
    'site.yml',
    () => yamlText({ title: text(), version: version(), nav: listOf(() => ({ [word()]: `${word()}.md` })) }),
  ],
  'a playbook': [
    'playbook.yml',
    () => yamlText([{ hosts: 'all', tasks: listOf(() => ({ name: text(), command: text() })) }]),
  ],
  'events of a calendar': [
    'events.json',
    () => json({ events: listOf(() => ({ type: 'event', start: '2026-01-01', content: text() })) }),
  ],
  'events of an audit': [
    'audit.json',
    () =>
      json({
        id: word(),
        events: listOf(() => ({ author: word(), invocation_id: word(), timestamp: 1767261600, content: text() })),
      }),
  ],
  'cases of an evaluation': [
    'evals.json',
    () =>
      json({ eval_set_id: word(), eval_cases: listOf(() => ({ eval_id: word(), query: text(), reference: text() })) }),
  ],
  'a state of a machine': [
    'state.json',
    () => json({ $schemaVersion: version(), current_agent: { name: word() }, generated_items: listOf(() => ({})) }),
  ],
  'a log of people with roles': [
    'people.jsonl',
    () => lines(...listOf(() => ({ id: word(), type: 'member', role: 'user', name: text(), content: null }))),
  ],
  'a log of events of a service': [
    'service.jsonl',
    () => lines(...listOf(() => ({ type: 'system', content: text(), level: 'info', message: { role: word() } }))),
  ],
  'a fixture of a package': [
    'packages/app/src/list/__fixtures__/input.json',
    () => json({ [word()]: text(), list: listOf(word) }),
  ],
  'a collection without examples': [
    'orders.postman_collection.json',
    () =>
      json({
        info: { name: word(), schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
        item: listOf(() => ({ name: text(), request: { method: 'GET', url: `/${word()}` }, response: [] })),
      }),
  ],
  'ports of a service': ['ports.json', () => json({ imposters: listOf(() => ({ protocol: 'tcp', stubs: [] })) })],
};

describe('an ordinary file of data is no tape', () => {
  for (const [what, [path, make]] of Object.entries(ORDINARY))
    it(`such as ${what}`, () => {
      for (let round = 0; round < 10; round += 1) {
        const file = tapeFileFromText(make(), path);
        assert.equal(detectFormat(file)?.id, undefined, file.text);
      }
    });
});
