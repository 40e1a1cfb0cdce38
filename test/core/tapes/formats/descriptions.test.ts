import assert from 'node:assert/strict';
import { asString } from '../../../../src/core/json/fields';
import type { JsonNode } from '../../../../src/core/json/jsonNode';
import { ARRAY, NodeReader, STRING } from '../../../../src/core/json/nodeReader';
import { textMember } from '../../../../src/core/syntax/replaceText';
import { documentFormat } from '../../../../src/core/tapes/formats/shared/documentFormat';
import { jsonLinesFormat } from '../../../../src/core/tapes/formats/shared/jsonLinesFormat';
import { traceFormat } from '../../../../src/core/tapes/formats/shared/traces/traceFormat';
import { any, none } from '../../../../src/core/tapes/marks';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { wholeText } from '../../../../src/core/text/textParts';
import { jsonLines } from '../readAsFormat';

const NAMES = { id: 'invented', label: 'Invented format', files: ['json'] };
const said = (content: string) => ({ content, toolCalls: [] });
const file = tapeFileFromText;

describe('A format that is a description', () => {
  describe('of traces', () => {
    const format = traceFormat({
      ...NAMES,
      lists: ['steps[]'],
      marks: ['what.sort', 'began', none('hidden'), /"sort"\s*:\s*"(?:model|tool|agent)"/],
      at: { type: 'what.sort', parent: 'in', start: 'began', end: 'ended' },
      kinds: { model: 'llm', tool: 'tool' },
      isSpan: ({ what }) => what !== undefined,
      traceName: ({ title }) => asString(title),
      call: ({ asked, answered }, around) => ({
        messages: asked === undefined ? [] : [{ role: 'user', ...said(asString(asked) ?? '') }],
        tools: [...around()].map(({ name }) => ({ name: asString(name) ?? '' })),
        answer: answered === undefined ? undefined : said(asString(answered) ?? ''),
      }),
      tool: ({ name, asked, answered }) => ({
        id: undefined,
        name: asString(name) ?? '',
        input: asked,
        result: said(asString(answered) ?? ''),
      }),
      failure: ({ failed }) => asString(failed),
      texts: ['answered'],
      ifMissing: 'Record it again.',
    });
    const agent = { id: 'a', name: 'clerk', what: { sort: 'agent' }, began: '2026-01-01T00:00:00Z' };
    const times = { began: '2026-01-01T00:00:01Z', ended: '2026-01-01T00:00:02Z' };
    const call = { id: 'b', in: 'a', what: { sort: 'model' }, asked: 'Where?', answered: 'There.', ...times };
    const tool = { id: 'c', in: 'a', name: 'find', what: { sort: 'tool' }, asked: '{}', answered: 'x', ...times };
    const texts = {
      'a list': JSON.stringify([agent, call, tool]),
      'a member of a document': JSON.stringify({ title: 'order', steps: [agent, call, tool] }),
      'a line each': jsonLines(agent, call, tool),
    };
    for (const [name, text] of Object.entries(texts))
      it(`is read where spans are ${name}`, () => {
        assert.ok(format.looksLike(file(text)));
        const tape = format.read(file(text));
        const [asked, used] = tape.interactions;
        assert.equal(asked?.response?.content, 'There.');
        assert.deepEqual(asked?.request?.tools, [{ name: 'clerk' }]);
        assert.deepEqual(asked?.within, [{ id: 'a', name: 'clerk' }]);
        assert.equal(asked?.timing?.durationMs, 1000);
        assert.equal(used?.kind, 'tool');
        assert.deepEqual(tape.problems, []);
        assert.equal(tape.name, name.startsWith('a member') ? 'order' : 'clerk');
      });

    it('does not claim objects without its marks', () => {
      for (const other of [
        { ...call, hidden: true },
        { ...call, what: { sort: 'log' } },
        { ...call, began: undefined },
      ])
        for (const text of [JSON.stringify([other]), jsonLines(other, other)]) assert.ok(!format.looksLike(file(text)));
    });

    it('says what a call lacks, and what was cut off', () => {
      const { problems } = format.read(file(JSON.stringify([{ ...call, asked: undefined, answered: 'a[truncated]' }])));
      const messages = problems.map(({ message }) => message);
      assert.deepEqual(messages, ['the trace lacks the messages of the request', '`answered` was cut off']);
    });
  });

  describe('of JSON Lines', () => {
    const lines = {
      ...NAMES,
      family: 'conversation',
      marks: any('said', ['told', none('by')]),
      firstLines: 2,
    } as const;
    const entries = jsonLinesFormat({
      ...lines,
      entry: ({ value }) => ({ content: { kind: 'llm', response: said(asString(value.said) ?? '') }, problems: [] }),
      check: ([first]) =>
        first === undefined ? [] : [{ severity: 'info', message: 'together', fix: '', span: first.source }],
    });
    const log = jsonLinesFormat({
      ...lines,
      session: (all) => ({
        name: 'one',
        version: undefined,
        calls: all.map(({ source, value }) => ({
          source,
          answers: [source],
          read: () => ({ kind: 'llm', response: said(asString(value.said) ?? '') }),
        })),
        unread: () => all.filter(({ value }) => value.said === undefined).map(({ source }) => ({ place: source })),
      }),
    });

    it('has an interaction for each line, and a problem for each that is none', () => {
      const tape = entries.read(file('{"said":"a"}\n{"said"\n{"said":"b"}\n'));
      assert.deepEqual(
        tape.interactions.map(({ response }) => response?.content),
        ['a', 'b'],
      );
      assert.equal(tape.problems.length, 2);
      assert.equal(tape.problems.at(-1)?.message, 'together');
    });

    it('is recognised by the first line that is not broken; a log by one of the first', () => {
      const [marked, other] = ['{"said":"a"}', '{"by":1,"told":2}'];
      const claims = (text: string) => [entries, log].map((format) => format.looksLike(file(text)));
      assert.deepEqual(claims(marked), [true, true]);
      assert.deepEqual(claims(`${other}\n${marked}`), [false, true]);
      assert.deepEqual(claims(`{"by\n${marked}`), [true, true]);
      assert.deepEqual(claims(`${other}\n${other}\n${marked}`), [false, false]);
      assert.deepEqual(claims(`[${marked}]`), [false, false]);
    });

    it('counts the lines of a log, and tells of those that say what was not read', () => {
      const tape = log.read(file('{"said":"a"}\n{"text":"b"}\n'));
      assert.equal(tape.records, 2);
      assert.match(tape.problems.map(({ message }) => message).join(), /content was not read: text in 1 record/);
    });
  });

  describe('of a document', () => {
    const format = documentFormat({
      ...NAMES,
      family: 'script',
      marks: ['turns', none('other')],
      isEmpty: (text) => wholeText(text) === '{}',
      noText: 'Nothing was said.',
      reader: () => new NodeReader(),
      document(reader, root) {
        const turns = reader.required(root, 'turns', ARRAY, 'Add it.') ?? [];
        const read = (own: NodeReader, node: JsonNode) => own.required(node, 'said', STRING, 'Say it.') ?? '';
        return {
          name: reader.nullable(root, 'name', STRING),
          entries: turns.map((node) => ({
            place: node,
            read: (own) => ({ kind: 'script', response: said(read(own, node)) }),
            text: () => textMember(node, 'said'),
          })),
        };
      },
    });
    const texts = {
      JSON: '{"name":"one","turns":[{"said":"a"},{}]}',
      YAML: 'name: one\nturns:\n  - said: a\n  - {}\n',
      TOML: 'name = "one"\n[[turns]]\nsaid = "a"\n[[turns]]\n',
    };
    for (const [syntax, text] of Object.entries(texts))
      it(`is read in ${syntax}, with what its reader reports`, () => {
        assert.ok(format.looksLike(file(text)));
        const { name, interactions, problems } = format.read(file(text));
        assert.equal(name, 'one');
        assert.deepEqual(
          interactions.map(({ response }) => response?.content),
          ['a', ''],
        );
        assert.deepEqual(
          problems.map(({ message }) => message),
          ['missing field `said`'],
        );
      });

    for (const [syntax, text] of Object.entries(texts))
      it(`is edited in ${syntax}, where a text stands`, () => {
        const edited = format.editText(file(text), { type: 'response-text', interaction: 0, text: 'new: "b"' });
        assert.ok('splices' in edited);
        const [first] = format.read(file(applySplices(text, edited.splices))).interactions;
        assert.equal(first?.response?.content, 'new: "b"');
        const refused = format.editText(file(text), { type: 'response-text', interaction: 1, text: 'b' });
        assert.deepEqual(refused, { refused: 'Nothing was said.' });
      });

    it('has the problems of its syntax alone where that is broken', () => {
      const { problems } = format.read(file('{"turns":[{}'));
      assert.ok(problems.length > 0);
      assert.ok(problems.every(({ message }) => !message.startsWith('missing')));
    });

    it('claims nothing but its marks, and empty files', () => {
      const claims = ['{}', '{"turns":1,"other":2}', '{"turns":[', '{"a":{"turns":[]}}'];
      assert.deepEqual(
        claims.map((text) => format.looksLike(file(text))),
        [true, false, true, false],
      );
    });
  });
});
