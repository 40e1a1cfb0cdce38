import { randomFrom } from '../../core/tapes/mutations';

/** Secrets in every shape, made up as the tests run: no file of the project holds anything that looks like one. */
export interface SeededSecret {
  readonly rule: string;
  readonly secret: string;
  /** What stands before it where it is a header. */
  readonly scheme?: string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHABETS = {
  any: LOWER + LOWER.toUpperCase() + DIGITS,
  capital: LOWER.toUpperCase() + DIGITS,
  hex: 'abcdef0123456789',
  url: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`,
};

type Shape = readonly [rule: string, before: string, alphabet: keyof typeof ALPHABETS, length: number];

const SHAPES: readonly Shape[] = [
  ['openai-key', 'sk-proj-', 'url', 156],
  ['openai-key', 'sk-', 'any', 48],
  ['anthropic-key', 'sk-ant-api03-', 'url', 95],
  ['openrouter-key', 'sk-or-v1-', 'hex', 64],
  ['google-key', 'AIza', 'url', 35],
  ['aws-key-id', 'AKIA', 'capital', 16],
  ['github-token', 'ghp_', 'any', 36],
  ['github-token', 'github_pat_', 'any', 82],
  ['slack-token', 'xoxb-', 'any', 40],
  ['groq-key', 'gsk_', 'any', 52],
  ['huggingface-token', 'hf_', 'any', 34],
  ['xai-key', 'xai-', 'any', 80],
  ['perplexity-key', 'pplx-', 'any', 48],
];

/** As many secrets as are asked for, of all shapes in turn; the same for the same seed. */
export function* seededSecrets(seed: number): Generator<SeededSecret> {
  const random = randomFrom(seed);
  for (;;) {
    for (const [rule, before, alphabet, length] of SHAPES)
      yield { rule, secret: before + letters(random, alphabet, length) };
    yield {
      rule: 'jwt',
      secret: [36, 80, 43].map((length, part) => (part < 2 ? 'eyJ' : '') + letters(random, 'any', length)).join('.'),
    };
    yield { rule: 'bearer-token', secret: letters(random, 'any', 40), scheme: 'Bearer ' };
    yield {
      rule: 'private-key',
      secret: `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${letters(random, 'any', 64)}\n${letters(random, 'any', 64)}`,
    };
    yield { rule: 'named-secret', secret: letters(random, 'any', 40), scheme: 'aws_secret_access_key=' };
  }
}

/** A stand-in is found in the letters of chance now and then: `xxxx`, `test`. */
function letters(random: () => number, alphabet: keyof typeof ALPHABETS, length: number): string {
  const chars = ALPHABETS[alphabet];
  const edge = ALPHABETS.any;
  return Array.from({ length }, (_, at) => {
    const from = at === 0 || at === length - 1 ? (alphabet === 'url' ? edge : chars) : chars;
    return from.charAt(Math.floor(random() * from.length));
  }).join('');
}
