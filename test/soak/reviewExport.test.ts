import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { mofaFormat } from '../../src/core/tapes/formats/mofa/index';
import { encodeTapeFile } from '../../src/core/tapes/tapeFile';
import { corpusSuite } from '../corpus';
import { violations } from '../harness/axe';
import { buildEngine, type TestProject } from '../harness/builtEngine';
import { launchBrowser } from '../harness/pages/transcriptPages';
import { git, inRepository } from '../harness/repository';
import { HOSTILE_TEXTS } from '../ui/hostileContent';
import { marksOfContent } from '../ui/inertPage';
import { runSeed } from './random';
import { type EditedPair, editedPair } from './reviewPairs';

const TAPES = 50;
/** How many of them are also written to a page each, from the largest on; all of them take some three minutes more. */
const OWN_PAGES = Number(process.env.TAPEDECK_PAGES ?? 12);
/** In bytes. */
const LARGEST_PAGE = 3_000_000;
const SEED = 18;
/** Some drawn edits have no place in a tape. */
const TRIES = 40;

/** The largest tapes of the corpus, each with known edits: its path and both contents. */
function changedTapes(folder: string): readonly EditedPair[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.map((name) => ({ name, info: statSync(join(folder, name)) })).filter(({ info }) => info.isFile());
  files.sort((left, right) => right.info.size - left.info.size || (left.name < right.name ? -1 : 1));
  const found: EditedPair[] = [];
  for (const { name } of files) {
    if (found.length === TAPES) break;
    const bytes = readFileSync(join(folder, name));
    for (let run = 0; run < TRIES; run += 1) {
      const pair = editedPair(name, bytes, runSeed(SEED, name, run));
      if (pair === undefined || pair.edits.length === 0) continue;
      found.push(pair);
      break;
    }
  }
  return found;
}

async function put(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

interface Written {
  readonly files: number;
  readonly changes: number;
  readonly leftOut: number;
  readonly bytes: number;
}

describe('review --html', function () {
  this.timeout(600_000);
  let browser: Browser;
  before(async function () {
    buildEngine.call(this);
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** Writes the page of a project's changes, and opens it from the disk, without a network. */
  async function opened(project: TestProject, test: (page: Page, written: Written) => Promise<void>): Promise<void> {
    const { code, stdout, stderr } = await project.engine(['review', '--html', 'review.html', '--json']);
    assert.equal(code, 0, stderr);
    const written = JSON.parse(stdout) as Written;
    const path = project.path('review.html');
    assert.equal((await readFile(path)).length, written.bytes);
    assert.ok(written.bytes < LARGEST_PAGE, `${written.bytes} bytes`);
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    try {
      await page.goto(pathToFileURL(path).href);
      await test(page, written);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith('data:')),
        [pathToFileURL(path).href],
      );
    } finally {
      await context.close();
    }
  }

  /** What is left out is counted on the page. */
  async function countedLeftOut(page: Page): Promise<number> {
    const said = await page.getByText(/^To keep this page small, /).allInnerTexts();
    const counts = [...(said[0] ?? '').matchAll(/(\d+)(?= change)/g)].map(([count]) => Number(count));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function inChangedProject(pairs: readonly EditedPair[], test: (project: TestProject) => Promise<void>) {
    await inRepository({}, async (project) => {
      const write = (side: 'before' | 'after') =>
        Promise.all(
          pairs.map((pair) => put(project.path(`tapes/${pair.path}`), encodeTapeFile(pair[side], pair[side].text))),
        );
      await write('before');
      git(project, 'add', '-A');
      git(project, 'commit', '-q', '-m', 'tapes');
      await write('after');
      await test(project);
    });
  }

  corpusSuite('of the largest tapes of the corpus', (folder) => {
    let made: readonly EditedPair[] | undefined;
    const changed = (): readonly EditedPair[] => {
      made ??= changedTapes(folder);
      return made;
    };

    it(`has all ${TAPES} on one page below its limit, with nothing for axe to find`, async () => {
      assert.equal(changed().length, TAPES);
      await inChangedProject(changed(), (project) =>
        opened(project, async (page, written) => {
          assert.equal(written.files, TAPES);
          assert.equal(await page.locator('h2[id^="file-"]').count(), TAPES);
          assert.equal(await countedLeftOut(page), written.leftOut);
          assert.deepEqual(await marksOfContent(page), []);
          assert.deepEqual(await violations(page), []);
          console.log(`      ${TAPES} tapes: ${JSON.stringify(written)}`);
        }),
      );
    });

    it(`has each of the largest ${OWN_PAGES} on a page of its own`, async () => {
      let [bytes, changes, leftOut] = [0, 0, 0];
      for (const pair of changed().slice(0, OWN_PAGES))
        await inChangedProject([pair], (project) =>
          opened(project, async (page, written) => {
            assert.equal(written.files, 1, pair.path);
            assert.equal(await countedLeftOut(page), written.leftOut, pair.path);
            assert.deepEqual(await marksOfContent(page), [], pair.path);
            assert.deepEqual(await violations(page), [], pair.path);
            bytes = Math.max(bytes, written.bytes);
            changes += written.changes;
            leftOut += written.leftOut;
          }),
        );
      console.log(`      ${changes} changes, the largest page has ${bytes} bytes, ${leftOut} changes without texts`);
    });
  });

  it('runs nothing of hostile tapes', async () => {
    const texts = Object.entries(HOSTILE_TEXTS);
    const tape = (name: string, text: string) =>
      mofaFormat.serialise(name.slice(0, 40), [
        {
          request: { messages: [{ role: 'user', content: `${text} asked`, toolCalls: [] }], tools: [], params: {} },
          response: { content: `${text} said`, toolCalls: [{ id: 'c', name: text.slice(0, 60), arguments: { text } }] },
        },
      ]);
    const files = texts.map(([name, text], index) => ({
      path: `tapes/${index}.tape.json`,
      before: tape(name, 'nothing'),
      after: tape(name, text),
    }));
    await inRepository(Object.fromEntries(files.map(({ path, before }) => [path, before])), async (project) => {
      for (const { path, after } of files) await project.write(path, after);
      await opened(project, async (page, written) => {
        assert.equal(written.files, files.length);
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        await page.mouse.move(400, 300);
        assert.deepEqual(await marksOfContent(page), []);
        console.log(`      ${files.length} hostile tapes: ${JSON.stringify(written)}`);
      });
    });
  });
});
