import type { Span } from '../../text/source';
import type { CodeToken } from './codeTokens';

/** A range of tokens; `to` is the one after the last. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** A call, `a.b.c(…)`. The result of a call is written `a()`, so `it.each(…)(…)` is `it.each()`. */
export interface CodeCall extends Span {
  readonly name: string;
  readonly args: readonly TokenRange[];
  /** The place of its name among the tokens, of its opening parenthesis, and of its closing one. */
  readonly first: number;
  readonly opening: number;
  readonly closing: number;
}

/** The tokens of a file with their brackets and calls. */
export class Code {
  /** In the order of their opening parentheses. */
  readonly calls: readonly CodeCall[];
  readonly #partner: ReadonlyMap<number, number>;
  readonly #byClosing: ReadonlyMap<number, CodeCall>;

  constructor(readonly tokens: readonly CodeToken[]) {
    this.#partner = partners(tokens);
    this.calls = this.#findCalls();
    this.#byClosing = new Map(this.calls.map((call) => [call.closing, call]));
  }

  is(at: number, text: string): boolean {
    const token = this.tokens[at];
    return token !== undefined && 'text' in token && token.type !== 'other' && token.text === text;
  }

  /** The only token of a range. */
  onlyIn(range: TokenRange | undefined): CodeToken | undefined {
    return range?.to === (range?.from ?? 0) + 1 ? this.tokens[range?.from ?? 0] : undefined;
  }

  nameAt(at: number): string | undefined {
    const token = this.tokens[at];
    return token?.type === 'name' ? token.text : undefined;
  }

  /** The index of the other bracket; beyond the end where it is not closed. */
  partnerOf(at: number): number {
    return this.#partner.get(at) ?? this.tokens.length;
  }

  /** The call that is the whole range. */
  callIn({ from, to }: TokenRange): CodeCall | undefined {
    const call = this.#byClosing.get(to - 1);
    return call?.first === from ? call : undefined;
  }

  #findCalls(): CodeCall[] {
    const calls = new Map<number, CodeCall>();
    for (let opening = 1; opening < this.tokens.length; opening += 1) {
      if (!this.is(opening, '(')) continue;
      const callee = this.#calleeBefore(opening, calls);
      const start = callee && this.tokens[callee.first]?.start;
      if (callee === undefined || start === undefined) continue;
      const closing = this.partnerOf(opening);
      const end = this.tokens[closing]?.end ?? this.tokens.at(-1)?.end ?? start;
      calls.set(opening, { ...callee, opening, closing, args: this.splitAt(opening + 1, closing), start, end });
    }
    return [...calls.values()];
  }

  #calleeBefore(opening: number, calls: ReadonlyMap<number, CodeCall>): Pick<CodeCall, 'name' | 'first'> | undefined {
    const before = this.tokens[opening - 1];
    if (before?.type === 'template' || before?.type === 'string') {
      const tagged = this.#chainBefore(opening - 1);
      return tagged && { ...tagged, name: `${tagged.name}()` };
    }
    if (this.is(opening - 1, ')')) {
      const call = calls.get(this.partnerOf(opening - 1));
      return call && { name: `${call.name}()`, first: call.first };
    }
    return this.#chainBefore(opening);
  }

  /** The dotted name that ends before a token. */
  #chainBefore(end: number): Pick<CodeCall, 'name' | 'first'> | undefined {
    let first = end - 1;
    let name = this.nameAt(first);
    if (name === undefined) return undefined;
    while (this.is(first - 1, '.') && this.nameAt(first - 2) !== undefined) {
      first -= 2;
      name = `${this.nameAt(first)}.${name}`;
    }
    // A method of something that is not a name.
    return this.is(first - 1, '.') ? { name: `?.${name}`, first } : { name, first };
  }

  /** Splits tokens at commas outside brackets. */
  splitAt(from: number, to: number): TokenRange[] {
    const parts: TokenRange[] = [];
    let start = from;
    for (let at = from; at < to; at += 1) {
      if (this.is(at, '(') || this.is(at, '[') || this.is(at, '{')) at = Math.min(this.partnerOf(at), to);
      else if (this.is(at, ',')) {
        parts.push({ from: start, to: at });
        start = at + 1;
      }
    }
    if (start < to) parts.push({ from: start, to });
    return parts;
  }
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Brackets by their partners. Unmatched ones, as in a text that is being typed, are left out. */
function partners(tokens: readonly CodeToken[]): Map<number, number> {
  const found = new Map<number, number>();
  const open: { readonly text: string; readonly at: number }[] = [];
  tokens.forEach((token, at) => {
    if (token.type !== 'operator') return;
    if (token.text === '(' || token.text === '[' || token.text === '{') open.push({ text: token.text, at });
    const wanted = CLOSING[token.text];
    if (wanted === undefined || open.at(-1)?.text !== wanted) return;
    const partner = open.pop();
    if (partner === undefined) return;
    found.set(partner.at, at);
    found.set(at, partner.at);
  });
  return found;
}
