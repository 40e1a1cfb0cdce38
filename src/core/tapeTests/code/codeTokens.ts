import type { Span } from '../../text/source';

/** A token of JavaScript, TypeScript, or Go, in the detail that calls and their arguments need. */
export type CodeToken =
  | (Span & { readonly type: 'name' | 'operator' | 'other'; readonly text: string })
  | (Span & { readonly type: 'string'; readonly value: string })
  /** A template with substitutions: one more piece than there are of these, and their source. */
  | (Span & { readonly type: 'template'; readonly pieces: readonly string[]; readonly holes: readonly string[] });

/** How the languages differ. */
interface CodeSyntax {
  /** Backticks hold templates, and a slash may begin a regular expression; else they hold raw strings. */
  readonly hasTemplates: boolean;
}

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^#![^\n]*)+/y;
const NAME = /[\p{L}_$#@][\p{L}\p{N}_$]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const REGEX = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** The tokens of a text, in one pass, without comments. Never throws: a text in another language gives meaningless ones. */
export function readCodeTokens(text: string, syntax: CodeSyntax): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = matchAt(BLANK, text, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const token = tokenAt(text, at, syntax, tokens.at(-1));
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, start: number, syntax: CodeSyntax, before: CodeToken | undefined): CodeToken {
  const char = text[start] ?? '';
  if (char === '"' || char === "'") return quotedAt(text, start, char);
  if (char === '`') return syntax.hasTemplates ? templateAt(text, start) : rawAt(text, start);
  const name = matchAt(NAME, text, start);
  if (name !== undefined) return { type: 'name', text: name, start, end: start + name.length };
  const other =
    matchAt(NUMBER, text, start) ??
    (syntax.hasTemplates && char === '/' && beginsExpression(before) ? matchAt(REGEX, text, start) : undefined);
  if (other !== undefined) return { type: 'other', text: other, start, end: start + other.length };
  const length = text.startsWith('=>', start) || (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return { type: 'operator', text: text.slice(start, start + length), start, end: start + length };
}

/** Whether an expression may begin after a token, so that a slash is not a division. */
function beginsExpression(before: CodeToken | undefined): boolean {
  if (before === undefined) return true;
  if (before.type === 'operator') return !')]}'.includes(before.text);
  return before.type === 'name' && /^(?:return|typeof|case|in|of|await|yield|void|delete)$/.test(before.text);
}

/** A string in quotes; one that is not closed ends with its line. */
function quotedAt(text: string, start: number, quote: string): CodeToken {
  let at = start + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  const content = Math.min(at, text.length);
  const end = text[content] === quote ? content + 1 : content;
  return { type: 'string', value: unescaped(text.slice(start + 1, content)), start, end };
}

function rawAt(text: string, start: number): CodeToken {
  const closing = text.indexOf('`', start + 1);
  const content = closing === -1 ? text.length : closing;
  return { type: 'string', value: text.slice(start + 1, content), start, end: Math.min(content + 1, text.length) };
}

/** A template, without recursion: what is open is kept in a list. */
function templateAt(text: string, start: number): CodeToken {
  const pieces: string[] = [];
  const holes: string[] = [];
  const open: ('template' | 'brace')[] = ['template'];
  let from = start + 1;
  let at = from;
  while (at < text.length && open.length > 0) {
    const char = text[at];
    const inTemplate = open.at(-1) === 'template';
    if (char === '\\') at += 1;
    else if (inTemplate && char === '`') {
      open.pop();
      if (open.length === 0) pieces.push(unescaped(text.slice(from, at)));
    } else if (inTemplate && char === '$' && text[at + 1] === '{') {
      if (open.length === 1) {
        pieces.push(unescaped(text.slice(from, at)));
        from = at + 2;
      }
      open.push('brace');
      at += 1;
    } else if (!inTemplate && char === '`') open.push('template');
    else if (!inTemplate && char === '{') open.push('brace');
    else if (!inTemplate && char === '}') {
      open.pop();
      if (open.length === 1) {
        holes.push(text.slice(from, at).trim());
        from = at + 1;
      }
    } else if (!inTemplate && (char === '"' || char === "'")) at = quotedAt(text, at, char).end - 1;
    at += 1;
  }
  const end = Math.min(at, text.length);
  const [only] = pieces;
  if (holes.length === 0 && only !== undefined) return { type: 'string', value: only, start, end };
  return { type: 'template', pieces, holes, start, end };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' };

function unescaped(written: string): string {
  if (!written.includes('\\')) return written;
  return written.replace(
    /\\(?:\r?\n|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (
      _whole,
      point: string | undefined,
      unicode: string | undefined,
      byte: string | undefined,
      char: string | undefined,
    ) => {
      const code = Number.parseInt(point ?? unicode ?? byte ?? '', 16);
      if (!Number.isNaN(code)) return code > 0x10ffff ? '' : String.fromCodePoint(code);
      return char === undefined ? '' : (ESCAPES[char] ?? char);
    },
  );
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
