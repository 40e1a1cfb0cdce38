import assert from 'node:assert/strict';
import { detectFormat, interactionAt, readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { ordersTape } from '../../ui/transcriptPageTapes';
import { wireTape } from '../../ui/wireTape';

describe('the interaction at a place of a file', () => {
  const at = (text: string, words: string): number | undefined => {
    const interactions = readTape(tapeFileFromText(text))?.interactions ?? [];
    return interactionAt(interactions, text.lastIndexOf(words));
  };

  it('is the one whose text is there', () => {
    assert.equal(at(ordersTape(), 'I could not find order 9999'), 2);
    assert.equal(at(ordersTape(), '"prompt_tokens": 1204'), 0);
    assert.equal(at(wireTape(), '"Tuesday "'), 1);
    assert.equal(at(wireTape(), 'You are welcome.'), 4);
  });

  it('is the last before, between two and at the end; none before the first', () => {
    const text = ordersTape();
    const interactions = readTape(tapeFileFromText(text))?.interactions ?? [];
    assert.equal(interactionAt(interactions, text.length), 2);
    assert.equal(interactionAt(interactions, (interactions[1]?.source.start ?? 0) - 1), 0);
    assert.equal(interactionAt(interactions, 0), undefined);
    assert.equal(interactionAt([], 10), undefined);
  });
});

describe('the format of a file', () => {
  const formatOf = (text: string): string | undefined => detectFormat(tapeFileFromText(text))?.id;

  it('is known where a cassette has no interactions', () => {
    const known: readonly (readonly [text: string, format: string])[] = [
      ['version: 1\ninteractions: []\n', 'vcrpy'],
      ['interactions: []\nversion: 1\n', 'vcrpy'],
      ['{"version": 1, "interactions": []}', 'vcrpy'],
      ['interactions: []\n', 'vcrpy'],
      ['---\nversion: 1\ninteractions: []\n', 'go-vcr'],
      ['version: 2\ninteractions: []\n', 'go-vcr'],
      ['requests: []\nresponses: []\n', 'langchain-gz'],
      ['http_interactions: []\nrecorded_with: VCR 6.1.0\n', 'ruby-vcr'],
    ];
    for (const [text, format] of known) assert.equal(formatOf(text), format, text);
    for (const text of ['interactions: []\nname: x\n', 'version: 3\ninteractions: []\n'])
      assert.equal(formatOf(text), undefined, text);
  });

  it('is known where keys of YAML are quoted, or in another order', () => {
    const http = `- 'request':\n    'uri': http://x.example.com/\n    'method': GET\n    'headers': {}\n`;
    assert.equal(formatOf(`'interactions':\n${http}`), 'vcrpy');
    assert.equal(formatOf(`"version": 1\n"interactions":\n${http}`), 'vcrpy');
    assert.equal(formatOf(`'http_interactions':\n${http}'recorded_with': VCR 6.1.0\n`), 'ruby-vcr');
    assert.equal(formatOf("'requests':\n- 'uri': http://x.example.com/\n'responses':\n- 'body': {}\n"), 'langchain-gz');
    assert.equal(formatOf('then:\n  status: 200\nwhen:\n  path: /a\n'), 'httpmock');
    assert.equal(formatOf("'when':\n  'path': /a\n'then':\n  'status': 200\n"), 'httpmock');
    assert.equal(
      formatOf("'version': 2\n'interactions':\n- 'request':\n    'url': http://x\n    'content_length': 0\n"),
      'go-vcr',
    );
  });
});
