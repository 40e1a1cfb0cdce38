// node --import tsx test/soak/codeColours.ts [LANGUAGE…]   Colours texts that grammars like least, as long as the page colours any: the
// slowest of each language, in milliseconds. Exit code 1 where one takes more than a second of a processor, or loses text.

import type { CodeLanguage } from '../../webview-ui/base/code/codeLanguage';
import { isColourable } from '../../webview-ui/base/code/codeToken';
import { codeTokens } from '../../webview-ui/base/code/highlighter';

const LANGUAGES = (
  'bash c cpp css diff dockerfile go ini java javascript kotlin lua makefile php python ruby rust scss sql swift ' +
  'typescript xml yaml'
).split(' ') as readonly Exclude<CodeLanguage, 'json'>[];
const PIECES = [
  ...'(<"\'`\\{[/*#= \n\ta0@$!_&%})]>:;|-+~^?.,',
  ...['<a ', '</', '${', '((a', 'a.', 'a:', '::', '<<', '//', '/*', '"""', '- ', '| ', 'a b ', 'a(', '_a', '=>', 'a<'],
  ...['(a,', '\\n', 'r"', '1e', '0x', '{{', '<?', '?>', 'a=', '"a', '"\\', '---\n', '#{', '<a>', 'a<b<', 'a\n', ' \n'],
  ...['@a(', 'fn a<', 'SELECT ', 'template<', 'using ', 'function ', 'class a', 'def ', 'if (', 'const a = (', '"${'],
];
const [CHARACTERS, LINE] = [10_000, 200];
const MOST_MS = 1000;

function textOf(piece: string): string {
  const line = `${piece.repeat(LINE).slice(0, LINE)}\n`;
  return line.repeat(CHARACTERS).slice(0, CHARACTERS);
}

let failed = false;
const named = process.argv.slice(2);
for (const language of LANGUAGES.filter((one) => named.length === 0 || named.includes(one))) {
  let slowest = { piece: '', ms: 0 };
  for (const piece of PIECES) {
    const text = textOf(piece);
    if (!isColourable(text)) throw new Error(`${JSON.stringify(piece)} is not coloured: the limits have changed`);
    const before = process.cpuUsage();
    const tokens = codeTokens(text, language);
    const ms = Math.round(process.cpuUsage(before).user / 1000);
    if (ms > slowest.ms) slowest = { piece, ms };
    if (tokens.map((token) => token.text).join('') !== text) {
      failed = true;
      console.log(`${language}: loses text of ${JSON.stringify(piece)}`);
    }
  }
  failed ||= slowest.ms > MOST_MS;
  console.log(
    `${slowest.ms > MOST_MS ? 'SLOW  ' : 'ok    '}${language}: ${slowest.ms} ms for ${JSON.stringify(slowest.piece)}`,
  );
}
process.exitCode = failed ? 1 : 0;
