import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestFields, publishedText } from '../build/publishing.mjs';
import { readFilm } from './harness/film/animatedWebp';

const project = resolve(__dirname, '..');
const bytes = (path: string) => readFileSync(join(project, path));
const text = (path: string) => bytes(path).toString('utf8');
const REPOSITORY = 'https://example.invalid/team/tapedeck';
const RELATIVE_LINK = /(?<!!)\]\((?![a-z]+:|#)/g;
const RELATIVE_PICTURE = /!\[[^\]]*\]\((?!https:)/g;

/** Those that marketplaces know, of which we use some. */
const CATEGORIES = ['AI', 'Chat', 'Debuggers', 'Machine Learning', 'SCM Providers', 'Testing', 'Visualization'];

describe('the page on a marketplace', () => {
  const manifest = JSON.parse(text('package.json'));

  it('has categories, keywords, a banner, and an icon of its size', () => {
    assert.ok(manifest.categories.length > 0);
    for (const category of manifest.categories) assert.ok(CATEGORIES.includes(category), category);
    assert.ok(manifest.keywords.length <= 30, 'a marketplace takes 30 at most');
    assert.match(manifest.galleryBanner.color, /^#[\da-f]{6}$/);
    const icon = bytes(manifest.icon);
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128);
  });

  it('is read in a minute', () => {
    const words = publishedText(text('media/marketplace.md'), {}).split(/\s+/).length;
    assert.ok(words <= 420, `${words} words`);
  });

  it('names no repository, and has no link or picture that leads nowhere, until it is published', () => {
    assert.deepEqual(manifestFields(''), {});
    for (const path of ['media/marketplace.md', 'CHANGELOG.md']) {
      const shown = publishedText(text(path), {});
      assert.deepEqual(shown.match(RELATIVE_LINK) ?? [], [], path);
      assert.deepEqual(shown.match(RELATIVE_PICTURE) ?? [], [], path);
    }
    assert.match(publishedText(text('media/marketplace.md'), {}), /\+ Hello! I can look up orders/);
  });

  it('has the addresses of the repository that it is published from', () => {
    assert.deepEqual(manifestFields(`${REPOSITORY}.git`), {
      repository: { type: 'git', url: `${REPOSITORY}.git` },
      homepage: `${REPOSITORY}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
    });
    assert.equal(
      manifestFields('https://gitlab.invalid/team/tapedeck/').bugs?.url,
      'https://gitlab.invalid/team/tapedeck/-/issues',
    );
    assert.throws(() => manifestFields('http://example.invalid/x'), /is no https address/);
    const at = (markdown: string, places: object) => publishedText(markdown, { repository: REPOSITORY, ...places });
    assert.equal(
      at('[`a`](src/README.md#b) [c](#c) [d](https://d.invalid)', {}),
      `[\`a\`](${REPOSITORY}/blob/HEAD/src/README.md#b) [c](#c) [d](https://d.invalid)`,
    );
    assert.equal(at('![a](media/pictures/a.webp)\n', {}), `![a](${REPOSITORY}/raw/HEAD/media/pictures/a.webp)\n`);
    const elsewhere = at('![a](media/pictures/a.webp)\n', { pictures: 'https://files.invalid/media' });
    assert.equal(elsewhere, '![a](https://files.invalid/media/pictures/a.webp)\n');
  });

  it('has a film of 15 to 25 seconds and at most 1.5 MB', () => {
    const film = bytes('media/pictures/film.webp');
    const { width, height, frames, milliseconds } = readFilm(film);
    assert.ok(film.length <= 1_500_000, `${film.length} bytes`);
    assert.ok(milliseconds >= 15_000 && milliseconds <= 25_000, `${milliseconds} ms`);
    assert.ok(width >= 900 && height >= 600 && frames > 40, `${width}×${height}, ${frames} frames`);
  });
});
