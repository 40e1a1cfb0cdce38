import assert from 'node:assert/strict';
import { listTape } from '../../../src/core/project/listTape';
import { detectFormat, readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { UNREADABLE } from '../../../src/core/tapes/unreadable';
import { verifyFile } from '../../../src/core/verify/verifyFile';
import { samples } from '../../soak/samples';

/** A text in which a merge left both versions of some lines, from the line at this part of it. */
function conflicted(text: string, part: number, base = ''): { readonly text: string; readonly at: number } {
  const lines = text.split('\n');
  const line = Math.floor((lines.length - 1) * part);
  const own = lines[line] ?? '';
  const marked = ['<<<<<<< HEAD', own, ...(base && [`||||||| ${base}`, own]), '=======', own, '>>>>>>> other'];
  const changed = [...lines.slice(0, line), ...marked, ...lines.slice(line + 1)].join('\n');
  return { text: changed, at: lines.slice(0, line).join('\n').length + (line === 0 ? 0 : 1) };
}

/** `rule: marked text` of what `verify` says. */
function found(text: string, path: string): string[] {
  const { findings = [] } = verifyFile(tapeFileFromText(text, path)) ?? {};
  return findings.map(({ rule, severity, span }) => `${rule} ${severity}: ${text.slice(span.start, span.end)}`);
}

const CASSETTE = `interactions:
- request:
    body: '{"a":
      1}'
    headers: {}
    method: GET
    uri: https://api.example.com/
  response:
    body:
      string: hello
    headers: {}
    status:
      code: 200
      message: OK
version: 1
`;

describe('a tape with an unresolved merge conflict', () => {
  for (const { path, text } of samples) {
    const file = tapeFileFromText(text, path);
    if (text.trim().split('\n').length < 2 || detectFormat(file)?.syntax === 'records') continue;
    it(`is one problem, at its line: ${path}`, () => {
      for (const part of [0, 0.5, 0.9])
        for (const base of ['', 'merged common ancestors']) {
          const { text: changed, at } = conflicted(text, part, base);
          const tape = readTape(tapeFileFromText(changed, path));
          assert.deepEqual([tape?.format, tape?.interactions, tape?.problems.length], ['unreadable', [], 1], changed);
          assert.deepEqual([tape?.problems[0]?.severity, tape?.problems[0]?.span.start], ['error', at]);
          assert.deepEqual(
            found(changed, path).filter((one) => !one.startsWith('secret/')),
            ['conflict error: <<<<<<< HEAD'],
          );
        }
    });
  }

  it('is one inside of a text, with line ends of Windows, and where a line was left behind', () => {
    const inText = CASSETTE.replace('      1}', '<<<<<<< HEAD\n      1}\n=======\n      2}\n>>>>>>> other');
    assert.deepEqual(found(inText, 'a.yaml'), ['conflict error: <<<<<<< HEAD']);
    assert.deepEqual(found(inText.replaceAll('\n', '\r\n'), 'a.yaml'), ['conflict error: <<<<<<< HEAD\r']);
    const left = CASSETTE.replace('      1}', '      1}\n>>>>>>> other\n      ');
    assert.deepEqual(found(left, 'a.yaml'), ['conflict error: >>>>>>> other']);
  });

  it('is one with markers of any length, and without names', () => {
    for (const [ours, between, theirs] of [
      ['<<<<<<<', '=======', '>>>>>>>'],
      ['<<<<<<<<<<<< HEAD', '============', '>>>>>>>>>>>> other'],
    ] as const) {
      const text = CASSETTE.replace("      1}'", `${ours}\n      1}'\n${between}\n      2}'\n${theirs}`);
      assert.deepEqual(found(text, 'a.yaml'), [`conflict error: ${ours}`]);
      assert.deepEqual(found(text.replaceAll('\n', '\r\n'), 'a.yaml'), [`conflict error: ${ours}\r`]);
    }
  });

  it('is none where an agent writes what it edits', () => {
    for (const [from, to] of [
      ['SEARCH', 'REPLACE'],
      ['ORIGINAL', 'UPDATED'],
    ]) {
      const edit = `<<<<<<< ${from}\nx = 1\n=======\nx = 2\n>>>>>>> ${to}\n`;
      const history = `\n# aider chat started at 2026-01-01 10:00:00\n\n#### fix it\n\nSo:\n\n${edit}`;
      const path = 'a.aider.chat.history.md';
      assert.deepEqual(found(history, path), []);
      assert.ok(readTape(tapeFileFromText(history, path))?.interactions[0]?.response?.content?.includes('x = 2'));
      const merged = `${history}\n<<<<<<< HEAD\n#### a\n=======\n#### b\n>>>>>>> other\n`;
      assert.deepEqual(found(merged, path), ['conflict error: <<<<<<< HEAD']);
    }
  });

  it('is none where the signs are content', () => {
    const quoted = CASSETTE.replace('hello', '"<<<<<<< HEAD\\n=======\\n>>>>>>> x"');
    const block = CASSETTE.replace('hello', '|\n        <<<<<<< HEAD\n        =======\n        >>>>>>> x');
    for (const text of [quoted, block]) assert.deepEqual(found(text, 'a.yaml'), []);
    const body = '<<<<<<< HEAD\n=======\n>>>>>>> x\n';
    const sent = `POST /a HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const came = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const records = `httprr trace v1\n${sent.length} ${came.length}\n${sent}${came}`;
    assert.equal(readTape(tapeFileFromText(records, 'a.httprr'))?.interactions.length, 1);
    assert.deepEqual(found(records.replace(body, `${body}${body}`), 'a.httprr'), ['conflict error: <<<<<<< HEAD']);
  });

  it('is listed with the reason, and other files with such lines are none', async () => {
    const { text } = conflicted(CASSETTE, 0.5);
    const listed = await listTape('a.yaml', text.length, async () => tapeFileFromText(text, 'a.yaml'));
    assert.deepEqual([listed?.format, listed?.problems.length], ['unreadable', 1]);
    assert.equal(detectFormat(tapeFileFromText(conflicted('# Notes\n\nOf a merge.\n', 0.5).text, 'a.md')), undefined);
    assert.equal(detectFormat(tapeFileFromText(text, 'a.yaml')), UNREADABLE);
  });
});
