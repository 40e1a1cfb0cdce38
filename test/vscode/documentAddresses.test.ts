import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takeOf, takeUri } from '../../src/host/base/takeUri';
import { TAKE_SCHEME } from '../../src/host/base/transcriptViews';
import { CHANGE_SCHEME, changeAddressOf } from '../../src/host/review/changeDiff';
import { gitRefOf } from '../../src/host/review/gitVersion';
import { comparisonOf, readReviewAddress, writeReviewAddress } from '../../src/host/stores/reviews/reviewAddress';

const uri = vscode.Uri.file('/project/tapes/a.tape.json');
const documentOf = (scheme: string, query: string) => vscode.Uri.from({ scheme, path: '/a', query });
/** What anyone can open. */
const STRANGE = ['', '{', 'null', '[]', '"a"', '{}', '{"__proto__":{"ref":"HEAD"}}', '['.repeat(10_000)];

describe('the address of a document', () => {
  it('of a take names a file of the folder of takes', () => {
    const take = '2026-01-02T03-04-05.678Z.json';
    const found = takeOf(takeUri({ tape: uri, take }));
    assert.deepEqual([found?.tape.toString(), found?.take], [uri.toString(), take]);
    const others = ['../../secret.json', 'x.json', `a/${take}`].map((one) => ({ tape: uri.toString(), take: one }));
    for (const query of [...STRANGE, ...others.map((one) => JSON.stringify(one)), JSON.stringify({ tape: 1, take })])
      assert.equal(takeOf(documentOf(TAKE_SCHEME, query)), undefined, query.slice(0, 40));
  });

  it('of a version in git names it', () => {
    assert.equal(gitRefOf(documentOf('git', '{"path":"/a","ref":"HEAD"}')), 'HEAD');
    for (const query of [...STRANGE, '{"ref":1}']) assert.equal(gitRefOf(documentOf('git', query)), undefined, query);
    assert.equal(gitRefOf(documentOf('file', '{"ref":"HEAD"}')), undefined);
  });

  it('of a side of a change names the review, the change, and the side', () => {
    const address = { review: '{}', id: 'a', side: 'before' };
    assert.deepEqual(changeAddressOf(documentOf(CHANGE_SCHEME, JSON.stringify(address))), address);
    for (const query of [...STRANGE, JSON.stringify({ ...address, id: 3 })])
      assert.equal(changeAddressOf(documentOf(CHANGE_SCHEME, query)), undefined, query.slice(0, 40));
  });

  it('of a review reads as it was written', () => {
    const other = vscode.Uri.file('/project/tapes/b.tape.json');
    const reviews = [
      { about: 'run', uri } as const,
      { about: 'file', uri } as const,
      comparisonOf({ uri, revision: 'HEAD' }, { uri: other, take: 'x.json' }),
    ];
    for (const review of reviews) {
      const written = writeReviewAddress(review);
      const read = readReviewAddress(written);
      assert.equal(read && writeReviewAddress(read), written);
    }
    const file = { uri: uri.toString() };
    const others = [
      { about: 'other', ...file },
      { about: 'run' },
      { about: 'comparison', before: file },
      { about: 'comparison', before: file, after: { ...file, revision: 3 } },
      { about: 'run', before: file, after: file },
    ];
    for (const address of [...STRANGE, ...others.map((one) => JSON.stringify(one))])
      assert.equal(readReviewAddress(address), undefined, address.slice(0, 80));
  });
});
