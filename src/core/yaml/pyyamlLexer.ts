import { Lexer } from 'yaml';

/** The members of the package's lexer that its types leave out. */
interface LexerState {
  /** The least indentation of a scalar's further lines; 0 checks only for the marker of a document. */
  indentNext: number;
  lex(source: string): Generator<string, void>;
  parseQuotedScalar(): Generator<string, unknown>;
}

const OpenLexer = Lexer as unknown as new () => LexerState;

/**
 * The package's lexer, except that the further lines of a quoted scalar may have any indentation, as in libyaml and PyYAML:
 * people wrap long bodies at the indentation of their key.
 */
export class PyyamlLexer extends OpenLexer {
  override *parseQuotedScalar(): Generator<string, unknown> {
    const indent = this.indentNext;
    this.indentNext = 0;
    const next = yield* super.parseQuotedScalar();
    this.indentNext = indent;
    return next;
  }
}
