import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { FILE, messagesIn, pseudo, readMessages, sourceFiles, sourceMessages, untranslatedIn } from '../build/l10n.mjs';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();
/** What a translation keeps: links to commands, icons, and code. */
const kept = (text: string): string[] => (text.match(/\]\([^)]*\)|\$\([a-z-]+\)|`[^`]+`/g) ?? []).sort();

describe('the translations', () => {
  const english = Object.fromEntries(sourceMessages().map((text) => [text, text]));
  const files = [
    ['l10n/bundle.l10n.zh-cn.json', english],
    ['package.nls.zh-cn.json', readMessages('package.nls.json')],
  ] as const;

  for (const [path, originals] of files) {
    const translated = readMessages(path);

    it(`${path}: every message has one, and none is left over`, () => {
      assert.deepEqual(
        Object.keys(originals).filter((key) => !translated[key]),
        [],
        'to be translated: see "npm run l10n"',
      );
      assert.deepEqual(
        Object.keys(translated).filter((key) => originals[key] === undefined),
        [],
      );
    });

    it(`${path}: all keep the placeholders, links and code of the English`, () => {
      const differing = Object.entries(originals).filter(([key, text]) => {
        const other = translated[key] ?? '';
        return placeholders(text).join() !== placeholders(other).join() || kept(text).join() !== kept(other).join();
      });
      assert.deepEqual(differing, []);
    });
  }

  it('the manifest names a message for each text, and has none that is not used', () => {
    const manifest = JSON.stringify(readMessages('package.json'));
    const named = [...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    assert.deepEqual([...new Set(named)].sort(), Object.keys(readMessages('package.nls.json')).sort());
  });

  it('the manifest has no other text that people read', () => {
    const { languageModelTools: _, ...shown } = manifestPart('contributes');
    const texts = textsIn(
      [shown, manifestPart('capabilities')],
      /^(?:title|description|name|label|contents|displayName)$/,
    );
    assert.deepEqual(
      texts.filter((text) => /[a-z]{3} [a-z]/i.test(text)),
      [],
    );
  });

  const translatedFiles = Object.entries(readMessages('package.nls.json'))
    .filter(([, path]) => FILE.test(path))
    .map(([key, path]) => [path, readMessages('package.nls.zh-cn.json')[key] ?? ''] as const);

  it('each picture of the walkthrough has its words in Chinese, and is drawn as in English', () => {
    const english = new Set(files.flatMap(([path, originals]) => translatedWords(originals, readMessages(path))));
    const pictures = translatedFiles.filter(([path]) => path.endsWith('.svg'));
    assert.equal(pictures.length, 5);
    for (const [path, chinese] of pictures) {
      const [original, drawn] = [readProject(path), readProject(chinese)];
      assert.equal(drawnOnly(drawn), drawnOnly(original), chinese);
      const texts = [...drawn.replace(DRAWN_KEY, '').matchAll(/>([^<>\n]+)</g)].flatMap(([, text = '']) =>
        text.split(' · '),
      );
      assert.deepEqual(
        texts.filter((text) => english.has(text)),
        [],
        chinese,
      );
    }
  });

  it('snippets and schemas say the same in Chinese', () => {
    const data = translatedFiles.filter(([path]) => path.endsWith('.json'));
    assert.equal(data.length, 2);
    for (const [path, chinese] of data) {
      const [originals, translated] = [path, chinese].map((file) => textsIn(JSON.parse(readProject(file)), SAID));
      assert.equal(translated?.length, originals?.length, chinese);
      for (const text of translated ?? []) assert.match(text, /\p{Script=Han}/u, chinese);
    }
  });
});

/** What of a schema or of snippets is read. */
const SAID = /^(?:description|enumDescriptions)$/;

function readProject(path: string): string {
  return readFileSync(join(__dirname, '..', path), 'utf8');
}

function manifestPart(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readProject('package.json'))[name];
}

/** The texts at members of a name, at any depth. */
function textsIn(value: unknown, name: RegExp, isNamed = false): readonly string[] {
  if (typeof value === 'string') return isNamed ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name, isNamed));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, name, name.test(key)));
}

/** The English texts that differ in a language, and as the title of a view is drawn. */
function translatedWords(
  originals: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, string>>,
): readonly string[] {
  const words = Object.entries(originals).filter(([key, text]) => text !== translated[key]);
  return words.flatMap(([, text]) => [text, text.toUpperCase()]);
}

/** A key of TOML. */
const DRAWN_KEY = /<tspan fill="[^"]*symbolIcon-property[^>]*>[^<]*/g;

/** A drawing without its words, and without where these begin. */
function drawnOnly(svg: string): string {
  return svg.replace(/>[^<>\n]+</g, '><').replace(/<text x="\d+/g, '<text x="');
}

describe('the search for messages', () => {
  it('finds what is written as one literal, and the two messages of a count', () => {
    const code = `t('a {0}', b); message("it's"); counted(n, '{0} x', '{0} xs', y); plural(list.length, 'tape'); at('no'); x.t('no')`;
    assert.deepEqual(messagesIn(code), ['a {0}', "it's", '{0} x', '{0} xs', '{0} tape', '{0} tapes']);
  });

  it('marks a message so that it stands out, and keeps what is no text of it', () => {
    assert.equal(pseudo('Open {0} [now](command:open)'), '⟦Öpén {0} [nöw](command:open)⟧');
  });
});

/** Collects what is asked for of a translation. */
const LISTEN = `
  import { useTranslation } from './src/core/text/l10n';
  export const asked = [];
  const getOwnPropertyDescriptor = (_, message) => void asked.push(message);
  useTranslation({ language: 'und', messages: new Proxy({}, { getOwnPropertyDescriptor }) });`;

describe('a message', () => {
  it('is asked for where it is shown, and not while the modules of core load', () => {
    const load = sourceFiles(['src/core']).map(([path]) => `require(${JSON.stringify(`./${path}`)});`);
    const contents = [LISTEN, ...load, 'console.log(JSON.stringify(asked));'].join('\n');
    const bundled = { bundle: true, platform: 'node', format: 'cjs', write: false } as const;
    const { outputFiles } = buildSync({ stdin: { contents, resolveDir: join(__dirname, '..') }, ...bundled });
    const asked = execFileSync(process.execPath, { input: outputFiles[0]?.contents, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(asked), []);
  });
});

describe('what is said of a file', () => {
  const TEXT = String.raw`(?:'[^'\n]*[a-z]{2} [^'\n]*'|"[^"\n]*[a-z]{2} [^"\n]*"|\`[^\`]*[a-z]{2} [^\`]*\`)`;
  const MEMBER = String.raw`\b(?:message|fix|refused|problem|description|what|howTo|finaliseTitle|notWritableReason|playedWith): (?:[\w.]+ [=!]== \w+ \? )?`;
  const CALL = String.raw`(?:[rR]eport|records?|expect|texts|required|optional|nullable|read|warning|traceProblem)\((?:[^()'"\`]|'[^' \n]*')*`;
  const DOORS = new RegExp(`${MEMBER}${TEXT}|\\bproblems: \\[${TEXT}|${CALL}${TEXT}`, 'g');
  /** The words of MoFA's and Flakestorm's own programs, which others compare with. */
  const KEPT = /^src\/core\/(?:testDsl|flakestorm\/(?:faults|invariants)\.ts)/;

  it('is a message: the problems of every format, of cases and of settings, and how to mend them', () => {
    const forgotten = sourceFiles(['src/core'])
      .filter(([path]) => !KEPT.test(path))
      .flatMap(([path, code]) =>
        [...code.matchAll(DOORS)].map(
          ({ 0: text, index }) => `${path}:${code.slice(0, index).split('\n').length}: ${text}`,
        ),
      );
    assert.deepEqual(forgotten, []);
  });
});

describe('the doors to the user', () => {
  const NO_MESSAGE: readonly RegExp[] = [
    // The names of keys, of languages of code, of elements, and of programs.
    /^(?:Enter|Escape|Esc|Home|End|Delete|Menu|Tab|Ctrl|Alt|Shift)$/,
    /^(?:[a-z0-9+]+ )+[a-z0-9+-]+$/,
    /^<!DOCTYPE html>|^input\[|textarea, |^ins, del$|^\(prefers-reduced-motion/,
    /^(?:Tapedeck|Ollama|Pipfile)$/,
    // The names of members, which are messages where they are shown.
    /^(?:Interactions|Files|Context|Numbers|Tools|Responses|Tool calls|Tokens in|Tokens out)$/,
    // Told to a model.
    /^The user did not allow coding agents/,
    // Stored with the result of a run: the engine asks the editor, and what it answers is a value of a message.
    /^Debug Replay starts agents|^To debug Python|^The debugger could not be attached/,
    /^this editor has no language model|^\{\} did not respond|^Tapedeck was not allowed|^\{\} is currently blocked/,
    // For whoever reads the log, or mends a bug.
    /^not everything could be disposed|is ready \(process|^the engine stopped|has no git repository|without its previous totals/,
    /^the page has no root element|^its worker does not|above this component$|^no text at|^\{\} bytes of/,
  ];

  it('are only gone through with a message: the host and the pages have no other text of words', () => {
    const forgotten = sourceFiles(['src/host', 'webview-ui']).flatMap(([path, code]) =>
      untranslatedIn(path, code)
        .filter((text) => !NO_MESSAGE.some((allowed) => allowed.test(text)))
        .map((text) => `${path}: ${text}`),
    );
    assert.deepEqual(forgotten, []);
  });

  it('are found in any shape', () => {
    const code = `
      // Said by nobody.
      const quoted = /it's "no text"/.test(t('a message')) ? 'two words' : \`\${t('{0} of ours', \`\${n} / \${m}\`)}, \${n} are not\`;
      label(t('of {0}', named('a value here')), 'Re-record');
      const node = <p class="not this"><b title="Not translated">{t('yes')}</b> but this</p>;`;
    assert.deepEqual(untranslatedIn('a.tsx', code), [
      'two words',
      '{}, {} are not',
      'a value here',
      'Re-record',
      'Not translated',
      ' but this',
    ]);
  });

  /** The command line's own texts, and those for models, are English; MoFA's and Flakestorm's words are theirs. */
  const ENGLISH_ROOMS = /^src\/engine\/(?:commands|reporters|testDsl|agentTools|preload|main\.ts)/;
  const ERRORS =
    /\bnew (?:User|Case|Agent|Provider|Transient)Error\(|\b(?:caseFailure|noRecording|onNotice|onProblem)(?:\?\.)?\(/g;
  const TOLD =
    /\b(?:(?:message|fix|says|advice|headline|refused|notice)(?:: string)? =|(?:fix|says|lacks|explanation|headline|advice|refused|failure):)(?=\s)/g;
  const TEXT = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\``;
  /** Two words beside each other: more than a kind, a name, or "${path}: ${reason}". */
  const WORDS = /[a-z]{2,}[,;:]? [a-z]/i;
  const EXCEPT = /Call list_cases|Correct --mcp-config/;

  it('of the engine are only gone through with a message', () => {
    const forgotten = sourceFiles(['src/engine', 'src/reader'])
      .filter(([path]) => !ENGLISH_ROOMS.test(path))
      .flatMap(([path, code]) => {
        const errors = [...code.matchAll(ERRORS)].map(({ 0: door, index }) => [
          index,
          callAt(code, index + door.length),
        ]);
        const told = [...code.matchAll(TOLD)].map(({ 0: door, index }) => [index, valueAt(code, index + door.length)]);
        return [...errors, ...told].flatMap(([index, given]) =>
          literalsIn(String(given)).map(
            (text) => `${path}:${code.slice(0, Number(index)).split('\n').length}: ${text}`,
          ),
        );
      });
    assert.deepEqual(forgotten, []);
  });

  it('are found where a text is forgotten', () => {
    const given = `t('a word'), isNew ? 'two words' : \`\${name} has \${n} words\`, message(x), \`\${a}: \${b}\`, 'kind'`;
    assert.deepEqual(literalsIn(callAt(`${given}) 'not here'`, 0)), ["'two words'", `\`\${name} has \${n} words\``]);
  });

  /** What is between a parenthesis and its end. */
  function callAt(code: string, start: number): string {
    const inside = new RegExp(`${TEXT}|[()]`, 'g');
    inside.lastIndex = start;
    let depth = 1;
    for (let found = inside.exec(code); found !== null; found = inside.exec(code)) {
      if (found[0] === '(') depth++;
      if (found[0] === ')' && --depth === 0) return code.slice(start, found.index);
    }
    return code.slice(start);
  }

  /** A literal, or a choice of two. */
  function valueAt(code: string, start: number): string {
    const value = new RegExp(String.raw`\s*(?:[\w.#() =!]+\?\s*)?(?:${TEXT})(?:\s*:\s*(?:${TEXT}))?`, 'y');
    value.lastIndex = start;
    return value.exec(code)?.[0] ?? '';
  }

  /** Texts of words that are given to none of the functions that translate. */
  function literalsIn(given: string): string[] {
    const translates = /(?<![\w.])(?:t|message|counted|plural)\(/g;
    let left = given;
    for (let found = translates.exec(left); found !== null; found = translates.exec(left)) {
      const end = found.index + found[0].length;
      left = left.slice(0, found.index) + left.slice(end + callAt(left, end).length);
      translates.lastIndex = found.index;
    }
    return [...left.matchAll(new RegExp(TEXT, 'g'))]
      .map(([text]) => text)
      .filter((text) => WORDS.test(text.replace(/\$\{[^}]*\}/g, '')) || /\} [a-z]{2,}/.test(text))
      .filter((text) => !EXCEPT.test(text));
  }
});
