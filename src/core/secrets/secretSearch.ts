import type { Pattern } from '../text/compilePattern';
import { message, t } from '../text/l10n';
import { type FoundLiterals, LiteralFinder, type LiteralMatch } from '../text/literalFinder';
import { findByRules, RULE_LITERALS } from './findSecrets';
import { KnownValues } from './knownValues';
import { findParameters } from './namedSecrets';
import { findProxyPorts } from './proxyAddress';
import type { SearchedText } from './searchedText';
import { MASK, type SecretHit } from './secretHit';
import { SpellingSearch } from './spellingSearch';

interface SecretKnowledge {
  /** Known secrets, such as keys in the environment. */
  readonly values?: readonly string[];
  /** The ports of proxies. */
  readonly ports?: readonly number[];
  /** The project's own patterns: `[redact] patterns`. */
  readonly patterns?: readonly Pattern[];
}

const ACCOUNT_RANK = 1000;
const PATTERN_RANK = 3000;
/** The account ids of providers. */
const ACCOUNT = /\b(?:org|proj|user|acct)[-_](?=[a-z]*[A-Z\d])[A-Za-z0-9]{16,64}\b/y;
const ACCOUNT_STARTS = ['org', 'proj', 'user', 'acct'].flatMap((kind) => [`${kind}-`, `${kind}_`]);

type SoughtKind = keyof typeof RULE_LITERALS | 'accounts' | 'values' | 'ports';

/** Finds secrets in texts in every spelling: by their shapes, by names, by values, and by the patterns of a project. */
export class SecretSearch extends SpellingSearch {
  override readonly hasWideValues: boolean;
  override readonly dependsOnWholeText: boolean;
  readonly #values: KnownValues;
  readonly #ports: readonly string[];
  readonly #patterns: readonly Pattern[];
  #finder: LiteralFinder<SoughtKind> | undefined;

  constructor({ values = [], ports = [], patterns = [] }: SecretKnowledge = {}) {
    super();
    this.#values = new KnownValues(values);
    this.#ports = ports.map(String);
    this.#patterns = patterns;
    this.hasWideValues = this.#values.hasWide;
    this.dependsOnWholeText = patterns.length > 0;
  }

  protected override plain(searched: SearchedText, isUrl: boolean): SecretHit[] {
    const { text } = searched;
    const found = this.#literals(searched);
    const hits = [
      ...findByRules(searched, found),
      ...this.#values.find(text, found.values),
      ...findAccounts(text, found.accounts),
      ...findProxyPorts(text, found.ports),
    ];
    if (isUrl) hits.push(...findParameters(text, true));
    for (const pattern of this.#patterns) {
      for (const { index, text: match } of pattern.matchAll(text))
        if (match !== '') hits.push(patternHit(index, index + match.length));
    }
    return hits;
  }

  /** One pass over a text for all that may be a secret. */
  #literals({ text, bytes }: SearchedText): FoundLiterals<SoughtKind> {
    this.#finder ??= new LiteralFinder({
      ...RULE_LITERALS,
      accounts: { literals: ACCOUNT_STARTS },
      values: this.#values.literals,
      ports: { literals: this.#ports },
    });
    return this.#finder.find(text, bytes);
  }
}

function findAccounts(text: string, starts: readonly LiteralMatch[]): SecretHit[] {
  return starts.flatMap(({ index }) => {
    ACCOUNT.lastIndex = index;
    const [id] = ACCOUNT.exec(text) ?? [];
    return id === undefined ? [] : [accountHit(index, index + id.length)];
  });
}

function accountHit(start: number, end: number): SecretHit {
  return {
    rule: 'account',
    what: message('the id of an account'),
    excerpt: t('… ({0} characters)', end - start),
    start,
    end,
    placeholder: '[redacted:account]',
    rank: ACCOUNT_RANK,
    isDoubtful: true,
  };
}

function patternHit(start: number, end: number): SecretHit {
  const what = message('text that matches a pattern in [redact]');
  const excerpt = t('… ({0} characters)', end - start);
  return { rule: 'pattern', what, excerpt, start, end, placeholder: MASK, rank: PATTERN_RANK };
}
