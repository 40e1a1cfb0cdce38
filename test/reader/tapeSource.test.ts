import * as assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { type TranscriptGrowth, transcriptPage } from '../../src/contracts/transcript/transcript';
import { accepts } from '../../src/core/schema/accepts';
import { nothing, schemaAt } from '../../src/core/schema/schema';
import { tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { DisposableStore } from '../../src/host/base/disposable';
import { webviewHtml, webviewOptions } from '../../src/host/base/webview';
import { readToEnd, TapeSource } from '../../src/reader/tapeSource';
import { guardsOf } from '../harness/contractEnds';
import { longTape, ordersTape } from '../ui/transcriptPageTapes';

const transcriptGuards = guardsOf(transcriptPage.calls);
const transcriptState = schemaAt(transcriptPage.state, ['transcript']) ?? nothing;

function uri(path: string): Uri {
  return {
    path,
    with: (change: { path?: string }) => uri(change.path ?? path),
    toString: () => path,
  } as unknown as Uri;
}

function source(text: string): TapeSource {
  return new TapeSource({
    file: async () => tapeFileFromText(text),
    version: 1,
    uri: uri('/project/orders.tape.json'),
  });
}

describe('a document as a tape', () => {
  it('gives the transcript, and each interaction as it stands in the file', async () => {
    const orders = source(ordersTape());
    const state = await orders.state();
    assert.equal(state.type === 'transcript' && state.transcript.totals.interactions, 3);
    const { start, end } = await orders.span({ interaction: 1 });
    assert.equal(ordersTape().slice(start, end), await orders.source({ interaction: 1 }));
    assert.equal(JSON.parse(await orders.source({ interaction: 1 })).usage.total_tokens, 1780);
  });

  it('says why there is nothing to show', async () => {
    const message = async (text: string) => {
      const state = await source(text).state();
      return state.type === 'unreadable' ? state.message : '';
    };
    assert.match(await message('{}'), /orders\.tape\.json is not in a tape format/);
    assert.match(await message(' \n'), /orders\.tape\.json is empty, or was deleted/);
    await assert.rejects(source('{}').span({ interaction: 0 }), /orders\.tape\.json is not in a tape format/);
  });

  it('names the tape when it has no such interaction', async () => {
    await assert.rejects(
      source(ordersTape()).source({ interaction: 3 }),
      /orders\.tape\.json has no interaction 4: there are 3\./,
    );
  });

  it('reads a new version of the text anew', async () => {
    const document = {
      file: async () => tapeFileFromText(ordersTape()),
      version: 1,
      uri: uri('/project/orders.tape.json'),
    };
    const orders = new TapeSource(document);
    const { start } = await orders.span({ interaction: 2 });
    document.file = async () => tapeFileFromText(`\n\n${ordersTape()}`);
    document.version = 2;
    assert.equal((await orders.span({ interaction: 2 })).start, start + 2);
  });
});

describe('a long document as a tape', () => {
  const document = {
    file: async () => tapeFileFromText(longTape(200)),
    version: 1,
    uri: uri('/project/orders.tape.json'),
  };
  const long = new TapeSource(document);
  const growth: TranscriptGrowth[] = [];

  it('is told from its beginning on, piece by piece', async () => {
    const state = await long.state();
    const begun = state.type === 'transcript' ? state.transcript.interactions.length : 0;
    assert.ok(begun > 0 && begun < 200, `${begun} at first`);
    await readToEnd(
      long,
      () => true,
      (more) => growth.push(more),
    );
    assert.equal(growth[0]?.from, begun);
    assert.equal(growth.at(-1)?.totals.interactions, 200);
    const told = growth.flatMap(({ from, interactions }) => interactions.map((_, at) => from + at));
    assert.deepEqual(told, [...Array(200).keys()].slice(begun));
  });

  it('is read on for whoever asks for an interaction behind what was read', async () => {
    document.file = async () => tapeFileFromText(longTape(201));
    document.version = 2;
    assert.equal((await long.bodies({ interactions: [200] }))[0]?.index, 200);
    assert.deepEqual(await long.bodies({ interactions: [201] }), []);
  });
});

describe("the transcript's calls", () => {
  it('take links of the web and mail, and nothing else', () => {
    for (const url of ['https://a.example', 'http://a.example:8080/x?y#z', 'mailto:a@b.example', 'HTTPS://A.EXAMPLE'])
      assert.ok(transcriptGuards.openLink({ url }), url);
    for (const url of [
      'javascript:x',
      'command:x',
      'file:///x',
      'vscode:x',
      'data:,x',
      '//a.example',
      'a.example',
      '',
      ' https',
      5,
      null,
    ])
      assert.ok(!transcriptGuards.openLink({ url }), String(url));
  });

  it('take places as whole numbers', () => {
    for (const value of [-1, 0.5, Number.NaN, '1', undefined]) {
      assert.ok(!transcriptGuards.source({ interaction: value }));
      assert.ok(!transcriptGuards.revealLine({ line: value }));
    }
    assert.ok(transcriptGuards.source({ interaction: 0 }));
  });

  it('know a state when they see one', () => {
    assert.ok(accepts(transcriptState, { type: 'unreadable', message: '' }));
    for (const odd of [null, {}, { type: 'other' }, []]) assert.ok(!accepts(transcriptState, odd));
  });
});

describe('the page of a webview', () => {
  const page = (extraCsp = {}): string =>
    webviewHtml({
      webview: {
        cspSource: 'https://cdn.example',
        asWebviewUri: (local) => uri(`https://cdn.example${local.path}?a=1&b="`),
      },
      extensionUri: uri('/ext/'),
      name: 'transcript',
      title: '<b>&"',
      extraCsp,
    });
  const policy = (html: string): Map<string, string> => {
    const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    return new Map(
      content.split('; ').map((directive) => [directive.replace(/ .*/, ''), directive.replace(/^\S+ /, '')]),
    );
  };

  it('lets in nothing inline and nothing remote', () => {
    const directives = policy(page());
    assert.equal(directives.get('default-src'), "'none'");
    assert.match(directives.get('script-src') ?? '', /^'nonce-[0-9a-f]{32}' https:\/\/cdn\.example$/);
    assert.equal(directives.get('style-src'), 'https://cdn.example');
    assert.doesNotMatch([...directives.values()].join(), /unsafe|\*|connect|http:/);
  });

  it('has a nonce of its own each time', () => assert.notEqual(page(), page()));

  it('adds what a page needs to what every page has', () => {
    const directives = policy(page({ 'style-src': ["'unsafe-inline'"], 'worker-src': ['blob:'] }));
    assert.equal(directives.get('style-src'), "https://cdn.example 'unsafe-inline'");
    assert.equal(directives.get('worker-src'), 'blob:');
  });

  it('escapes what it is given', () => {
    assert.ok(page().includes('<title>&lt;b&gt;&amp;&quot;</title>'));
    assert.ok(page().includes('src="https://cdn.example/ext/dist/webview/transcript.js?a=1&amp;b=&quot;"'));
  });

  it('reads files from the bundles and the media alone', () => {
    assert.deepEqual(webviewOptions(uri('/ext')).localResourceRoots?.map(String), ['/ext/dist/webview', '/ext/media']);
  });
});

describe('a store of disposables', () => {
  it('disposes everything, last first, once, whatever throws', () => {
    const gone: string[] = [];
    const store = new DisposableStore();
    const item = (name: string) => ({ dispose: () => void gone.push(name) });
    store.add(item('first'));
    store.add({
      dispose() {
        throw new Error('broken');
      },
    });
    store.add(item('last'));
    assert.throws(() => store.dispose(), AggregateError);
    assert.deepEqual(gone, ['last', 'first']);
    store.dispose();
    store.add(item('late'));
    assert.deepEqual(gone, ['last', 'first', 'late']);
  });
});
