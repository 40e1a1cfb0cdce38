import { posix } from 'node:path';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Unescaped, an attribute would turn these into spaces, and every CR into LF.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
  // Line breaks to some programs that read the text.
  '\u2028': '&#8232;',
  '\u2029': '&#8233;',
};

/** Characters that XML 1.0 cannot hold, escaped or not: control characters, lone surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Escaped text of an element or an attribute. Characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"'\n\r\t\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
}

/** The class of a test in a file, from the project: its folder, as JUnit's readers group tests by packages. */
export function classNameOf(file: string): string {
  return posix.dirname(file).replaceAll('/', '.').replace(/^\.$/, '') || 'tapedeck';
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element, or a text, as lines that its parent indents. */
export interface Xml {
  readonly lines: readonly string[];
  readonly isText?: true;
}

export function xmlText(text: string): Xml {
  return { lines: [escapeXml(text)], isText: true };
}

export function xmlElement(name: string, attributes: Attributes, content: readonly Xml[] = []): Xml {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const opening = `${name}${written.join('')}`;
  const [first] = content;
  if (first === undefined || (first.isText && first.lines.join('') === '')) return { lines: [`<${opening}/>`] };
  if (first.isText) return { lines: [`<${opening}>${first.lines.join('')}</${name}>`] };
  const inside = content.flatMap(({ lines }) => lines).map((line) => `  ${line}`);
  return { lines: [`<${opening}>`, ...inside, `</${name}>`] };
}

/** A report with one suite, as CI systems read it. */
export function junitDocument(name: string, counts: Attributes, cases: readonly Xml[]): string {
  const suite = xmlElement('testsuite', { name, ...counts }, cases);
  const root = xmlElement('testsuites', { name, ...counts }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.lines.join('\n')}\n`;
}

/** A suite that `junitDocument` wrote. */
export interface JunitSuite {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly cases: readonly JunitCase[];
}

interface JunitCase {
  /** Its file, or else its name. */
  readonly key: string;
  /** Its lines, as they are indented. */
  readonly lines: readonly string[];
}

const START = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tapedeck';

/** Reads what `junitDocument` wrote, line by line; undefined for other XML. Line breaks of texts are escaped there. */
export function readJunit(text: string): JunitSuite | undefined {
  if (!text.startsWith(START)) return undefined;
  const [, root = '', ...lines] = text.trimEnd().split('\n');
  const { name = '', ...counts } = attributesOf(root);
  const cases: JunitCase[] = [];
  for (const line of lines) {
    const isCase = line.startsWith('    <testcase');
    const open = cases.at(-1);
    if (isCase) cases.push(caseOf(line));
    else if (line.startsWith('    ') && open !== undefined)
      cases[cases.length - 1] = { ...open, lines: [...open.lines, line] };
  }
  return {
    name,
    counts: Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Number(value)])),
    cases,
  };
}

function caseOf(line: string): JunitCase {
  const { file, name = '' } = attributesOf(line);
  return { key: file ?? name, lines: [line] };
}

const UNESCAPED = new Map(Object.entries(ESCAPES).map(([char, written]) => [written, char]));

function attributesOf(line: string): Record<string, string | undefined> {
  const found = Array.from(line.matchAll(/ (\w+)="([^"]*)"/g), ([, key = '', value = '']) => {
    return [key, value.replace(/&[#\w]+;/g, (written) => UNESCAPED.get(written) ?? written)] as const;
  });
  return Object.fromEntries(found);
}

/** One suite of several, with the sums of their counts. */
export function junitSuites(name: string, suites: readonly JunitSuite[], cases: readonly JunitCase[]) {
  const keys = [...new Set(suites.flatMap(({ counts }) => Object.keys(counts)))];
  const sumOf = (key: string): number => suites.reduce((sum, { counts }) => sum + (counts[key] ?? 0), 0);
  const counts: Record<string, string | number> = Object.fromEntries(
    keys.map((key) => [key, key === 'time' ? sumOf(key).toFixed(3) : sumOf(key)]),
  );
  // Both elements around the cases indent them.
  const written = cases.map(({ lines }) => ({ lines: lines.map((line) => line.slice(4)) }));
  return { counts, text: junitDocument(name, counts, written) };
}
