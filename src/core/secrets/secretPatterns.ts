import { message } from '../text/l10n';
import { composePattern } from '../text/pattern';

/** A kind of secret that is recognised by what surrounds it. */
interface SecretPattern {
  readonly id: string;
  readonly what: string;
  /** Global; the secret is the group `secret`. All quantifiers are bounded, so that a search takes linear time. */
  readonly pattern: RegExp;
  readonly minEntropy: number;
  /** One of these is in every match, in either case: they are faster to find. Or it begins with a long word before a dot. */
  readonly contains: readonly string[] | 'dotted-word';
  /** How many characters from what it contains the secret stands at most; absent if that is somewhere else. */
  readonly within?: number;
  /** Whether the secret has to look drawn by chance, since words may stand there as well. */
  readonly isDrawn?: true;
  /** Whether the secret consists of words, among which those of placeholders may be. */
  readonly isOfWords?: true;
}

/** White space, also as an escape in a string. */
const SPACE = String.raw`(?:\s|\\{1,4}[nrt])`;
const TAB = String.raw`(?:\t|\\{1,4}t)`;
/** Words of a sentence, which no mnemonic has. */
const WORDS_OF_PROSE =
  'the|and|for|with|are|was|were|has|had|not|but|who|which|from|your|its|our|their|any|may|must|each';

const PATTERNS: readonly SecretPattern[] = [
  {
    // `https://name:password@host`, where the name may be missing.
    id: 'url-password',
    contains: ['://'],
    what: message('a password in a URL'),
    pattern: /:\/\/[^\s/:@"'\\?#]{0,100}:(?<secret>[^\s/@"'\\?#]{3,200})@(?=[A-Za-z0-9[])/g,
    minEntropy: 2,
  },
  {
    id: 'basic-auth',
    contains: ['basic'],
    what: message('a user name and password'),
    pattern: /[Aa]uthorization\W{1,30}[Bb]asic[ \t]{1,3}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9_+/=-])/g,
    minEntropy: 2.5,
  },
  {
    id: 'telegram-token',
    contains: [':aa'],
    what: message('a Telegram bot token'),
    pattern: /(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))(?:bot)?(?<secret>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/g,
    minEntropy: 3,
  },
  {
    id: 'discord-token',
    contains: 'dotted-word',
    what: message('a Discord bot token'),
    pattern:
      /(?:(?<![A-Za-z0-9_.-])|(?<=\\[nrtbf]))(?<secret>[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_.-])/g,
    minEntropy: 3,
  },
  {
    id: 'braintree-token',
    contains: ['access_token$'],
    what: message('a token of PayPal'),
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$(?<secret>[0-9a-f]{32})(?![0-9a-z])/g,
    minEntropy: 3,
  },
  {
    id: 'azure-key',
    contains: ['key=', 'secretvalue='],
    what: message('an Azure account key'),
    pattern:
      /(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})(?![A-Za-z0-9+/=])/gi,
    minEntropy: 3,
  },
  {
    // What Microsoft's services mark as theirs.
    id: 'azure-key',
    contains: ['jqqj9', '+ast', '+aba', 'acdb', 'azfu', 'azse', '+acr', 'azca', 'aiot', '+aeh'],
    within: 120,
    what: message('an Azure account key'),
    pattern:
      /(?:(?<![A-Za-z0-9_+\\-])|(?<=\\[nrtbf]))(?<secret>[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9][A-L][A-Za-z0-9]{16}[A-Za-z][A-Za-z0-9]{7}(?:[A-Za-z0-9]{2}==)?|(?:[A-Za-z0-9+/]{76}(?:\+ASt|\+ABa|ACDb)|[A-Za-z0-9_-]{44}AzFu|[A-Za-z0-9]{42}(?:AzSe|\+ACR)|[A-Za-z0-9+/]{33}(?:AzCa|AIoT|\+AEh))[A-Za-z0-9+/]{6}={0,2})(?![A-Za-z0-9_+=-])/g,
    minEntropy: 3,
  },
  {
    id: 'azure-devops-token',
    contains: ['azdo'],
    within: 120,
    what: message('an Azure DevOps token'),
    pattern: /(?:(?<![A-Za-z0-9_+\\-])|(?<=\\[nrtbf]))(?<secret>[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9_+=-])/g,
    minEntropy: 3,
  },
  {
    id: 'azure-signature',
    contains: ['sig='],
    what: message('a shared access signature of Azure'),
    pattern: /[?&;\s"']sig=(?<secret>[A-Za-z0-9+/%_-]{40,140}(?:=|%3D){0,2})(?![A-Za-z0-9+/%=_-])/gi,
    minEntropy: 3,
  },
  {
    // Passwords in the parts of connection strings and forms, which end with `;` or `&`.
    id: 'connection-password',
    contains: ['password=', 'pwd='],
    what: message('a password in a connection string'),
    pattern: /(?:^|[;&\s"']|\\[nrt])(?:password|pwd)=\{?(?<secret>[^\s"'\\;&<>{}[\]$*]{6,200})\}?[;&]/gi,
    minEntropy: 2,
  },
  {
    // `https://key@host`, as a DSN of Sentry or a remote of git have it.
    id: 'url-key',
    contains: ['://'],
    what: message('a key in a URL'),
    pattern: /:\/\/(?<secret>[A-Za-z0-9_-]{20,255})(?::[^\s/@"'\\?#]{0,200})?@(?=[A-Za-z0-9[])/g,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    id: 'newrelic-key',
    contains: ['nral'],
    within: 60,
    what: message('a New Relic key'),
    pattern:
      /(?:(?<![A-Za-z0-9\\])|(?<=\\[nrtbf]))(?<secret>(?:[a-z]{2}\d{2}xx)?[0-9a-f]{30,40}(?:FFFF)?NRAL)(?![A-Za-z0-9])/g,
    minEntropy: 3,
  },
  {
    id: 'fcm-key',
    contains: ['apa91b'],
    what: message('a key or token of Firebase Cloud Messaging'),
    pattern:
      /(?:(?<![A-Za-z0-9_\\-])|(?<=\\[nrtbf]))(?<secret>[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,200})(?![A-Za-z0-9_-])/g,
    minEntropy: 3,
  },
  {
    id: 'terraform-token',
    contains: ['.atlasv1.'],
    what: message('a Terraform Cloud token'),
    pattern: /(?:(?<![A-Za-z0-9\\])|(?<=\\[nrtbf]))(?<secret>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80})/g,
    minEntropy: 3,
  },
  {
    id: 'azure-client-secret',
    contains: ['7q~', '8q~'],
    what: message('a client secret of Microsoft Entra'),
    pattern:
      /(?:(?<![A-Za-z0-9_~.\\-])|(?<=\\[nrtbf]))(?<secret>[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~-])/g,
    minEntropy: 3,
  },
  {
    // The private members of a JSON web key.
    id: 'jwk',
    contains: ['kty"', 'kty\\', "kty'"],
    within: 4000,
    what: message('a private JSON web key'),
    pattern:
      /["'](?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,4}:\s{0,20}\\{0,8}["'](?<secret>[A-Za-z0-9_-]{22,1400})(?=\\{0,8}["'])/g,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    id: 'command-password',
    contains: ['curl'],
    what: message('a password in a command'),
    pattern:
      /\bcurl(?:\.exe)?\b[^\r\n|;]{0,400}?[\s"'](?:-u|-U|--user|--proxy-user)[ =,"'\\]{0,8}[^\s:"'\\]{1,80}:(?<secret>[^\s"'\\]{3,200})/g,
    minEntropy: 2,
  },
  {
    id: 'command-password',
    contains: ['docker login', 'podman login', 'registry login', 'az login', 'oc login', 'sshpass'],
    what: message('a password in a command'),
    pattern:
      /\b(?:login|sshpass)\b[^\r\n|;]{0,200}?[ "'](?:-p|--password)(?:[ =]{1,4}|\\{0,8}["'],\s{0,60}\\{0,8}["'])["'\\]{0,4}(?<secret>[^\s"'\\]{6,200})/g,
    minEntropy: 2,
  },
  {
    id: 'command-password',
    contains: ['mysql', 'mariadb'],
    what: message('a password in a command'),
    pattern:
      /\b(?:mysql|mariadb)[a-z]{0,8}\b[^\r\n|;]{0,200}? -p(?!\d+[\s:]|\d+$)["'\\]{0,4}(?<secret>[^\s"'\\]{6,200})/g,
    minEntropy: 2,
  },
  {
    id: 'sql-password',
    contains: ['identified by', "password '", "password \\'"],
    what: message('a password in SQL'),
    pattern:
      /\b(?:identified\s{1,4}by|with\s{1,4}(?:encrypted\s{1,4})?password|role\s{1,4}\S{1,80}\s{1,4}password)\s{1,4}\\{0,8}'(?<secret>[^'\s\\]{6,200})\\{0,8}'/gi,
    minEntropy: 2.5,
  },
  {
    // As people tell it.
    id: 'told-secret',
    contains: ['key is', 'key:', 'key |', 'password is', 'passphrase is', 'token is', 'secret is'],
    what: message('a secret, judging by its name and randomness'),
    pattern:
      /\b(?:(?:api|access|secret|auth|license|private)[ -]key|password|passphrase|token|secret)(?:\s{1,3}is:?|:|\s{1,20}\|)\s{1,3}[`"'*]{0,3}(?<secret>[A-Za-z0-9+/_~-]{16,512}={0,2})(?![A-Za-z0-9+/_=-])/gi,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    id: 'netrc-password',
    contains: ['login'],
    what: message('a password in a .netrc'),
    pattern: composePattern(
      `\\b(?:machine${SPACE}{1,8}[\\w.*-]{1,200}|default)${SPACE}{1,8}login${SPACE}{1,8}[^\\s\\\\]{1,200}${SPACE}{1,8}password${SPACE}{1,8}(?<secret>[^\\s"'\\\\]{3,200})`,
      'g',
    ),
    minEntropy: 2,
  },
  {
    id: 'pgpass-password',
    contains: [':5432:', ':5433:', ':6432:', ':*:'],
    what: message('a password in a .pgpass'),
    pattern:
      /(?:(?<![\w.:/@-])|(?<=\\[nrt]))[\w.*-]{1,120}:(?:5432|5433|6432|\*):[\w*.-]{1,80}:[\w*.@-]{1,80}:(?<secret>[^\s"'\\:]{3,200})/g,
    minEntropy: 2,
  },
  {
    id: 'digest-auth',
    contains: ['digest'],
    what: message('the response of a Digest authentication'),
    pattern: /\bDigest\s[^\r\n]{0,800}?\bresponse=\\{0,8}"?(?<secret>[0-9a-f]{32,128})(?![0-9a-f])/gi,
    minEntropy: 3,
  },
  {
    // The two halves, as consoles and files of credentials have them.
    id: 'aws-secret-key',
    contains: ['akia', 'asia'],
    what: message('an AWS secret access key'),
    pattern: /(?:AKIA|ASIA)[A-Z0-9]{16}["'\s,:;|\\nt]{1,12}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    // The values of a secret of Kubernetes, which are base64.
    id: 'kubernetes-secret',
    contains: ['kind: secret', 'kind":"secret', 'kind": "secret', 'kind\\":\\"secret', 'kind\\": \\"secret'],
    within: 4000,
    what: message('a value of a Kubernetes secret'),
    pattern:
      /(?:(?:^|\\{1,4}n)[ \t]{2,8}[\w.-]{1,80}:[ \t]{1,4}["']?|\\{0,8}"[\w.-]{1,80}\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}")(?<secret>[A-Za-z0-9+/]{12,8000}={0,2})(?=[\s,}"'\\]|$)/gm,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    id: 'terraform-secret',
    contains: ['variable "', 'variable \\"'],
    what: message('the value of a secret variable'),
    pattern:
      /\bvariable\s{1,4}\\{0,8}"[\w-]{0,60}(?:password|passwd|secret|token|key)[\w-]{0,20}\\{0,8}"\s{0,4}\{[^}]{0,600}?\bdefault\s{0,12}=\s{0,4}\\{0,8}"(?<secret>[^"\s\\]{8,512})/gi,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    // What Terraform made, in its state.
    id: 'terraform-secret',
    contains: ['random_password'],
    within: 3000,
    what: message('the value of a secret variable'),
    pattern: /"(?:result|bcrypt_hash)\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"(?<secret>[^"\s\\]{8,512})/g,
    minEntropy: 3,
  },
  {
    id: 'command-password',
    contains: ['redis-cli', 'sqlcmd', 'ldap', 'kinit', 'http ', 'https '],
    what: message('a password in a command'),
    pattern:
      /\b(?:redis-cli\b[^\r\n|;]{0,200}? (?:-a|--pass)|sqlcmd\b[^\r\n|;]{0,200}? -P|ldap[a-z]{3,8}\b[^\r\n|;]{0,200}? -w|https? [^\r\n|;]{0,200}?(?:-a|--auth))[ =]["'\\]{0,4}(?<secret>(?=[^\s"'\\]{0,80}\d)(?=[^\s"'\\]{0,80}[A-Za-z])[^\s"'\\]{8,200})/g,
    minEntropy: 2.5,
  },
  {
    // The options of a mount, and other lists without spaces.
    id: 'connection-password',
    contains: [',password=', ',pass=', ',pwd='],
    what: message('a password in a connection string'),
    pattern:
      /,(?:password|pass|pwd)=(?<secret>(?=[^\s,"'\\;&<>{}[\]$*()]{0,80}\d)[^\s,"'\\;&<>{}[\]$*()]{8,200})(?=,\w|[\s"'\\]|$)/gi,
    minEntropy: 2.5,
  },
  {
    id: 'masked-value',
    contains: ['::add-mask::'],
    what: message('a value that a workflow masks'),
    pattern: /::add-mask::(?<secret>[^\s"'\\]{6,400})/g,
    minEntropy: 2.5,
  },
  {
    // A file of cookies, as curl and browsers write it.
    id: 'session-cookie',
    contains: ['true\t', 'false\t', 'true\\t', 'false\\t'],
    what: message('the cookie of a session'),
    pattern: composePattern(
      `${TAB}(?:TRUE|FALSE)${TAB}/[^\\s\\\\]{0,200}${TAB}(?:TRUE|FALSE)${TAB}\\d{1,12}${TAB}[^\\s\\\\]{0,40}(?:sess|sid|auth|token|jwt|login|remember)[^\\s\\\\]{0,40}${TAB}(?<secret>[^\\s"'\\\\]{16,4000})`,
      'gi',
    ),
    minEntropy: 3,
    isDrawn: true,
  },
  {
    // Whoever opens such a link is let in.
    id: 'link-token',
    contains: ['reset', 'magic', 'invit', 'verif', 'confirm', 'activat'],
    what: message('the token of a link'),
    pattern:
      /\/(?:(?:password[-_]?)?reset(?:[-_]?password)?|magic(?:[-_]?link)?|invit(?:e|es|ation|ations)|verif(?:y|ication)(?:[-_]?email)?|confirm(?:ation)?(?:[-_]?email)?|activat(?:e|ion))\/(?:[a-z]{2,12}\/)?(?<secret>[A-Za-z0-9_-]{20,400})(?=[\s"'<>\\)\]?#&.,]|$)/g,
    minEntropy: 3,
    isDrawn: true,
  },
  {
    id: 'mnemonic',
    contains: ['mnemonic', 'phrase'],
    what: message('the words of a wallet'),
    pattern: composePattern(
      `(?:mnemonic|(?:seed|recovery|backup|secret)[ _-]?phrase)[^A-Za-z]{1,12}(?:(?:is|words)[^A-Za-z]{1,4})?(?<secret>(?:(?!(?:${WORDS_OF_PROSE})\\b)[a-z]{3,8}[ ,]{1,2}){11,23}(?!(?:${WORDS_OF_PROSE})\\b)[a-z]{3,8}\\b)`,
      'gi',
    ),
    minEntropy: 3,
    isOfWords: true,
  },
];

/** Patterns that begin at a word. In a string, the letter of an escape such as `\n` may stand before it. */
export const SECRET_PATTERNS: readonly SecretPattern[] = PATTERNS.map((one) => {
  const { source, flags } = one.pattern;
  return source.startsWith('\\b')
    ? { ...one, pattern: composePattern(`(?:\\b|(?<=\\\\[nrt]))${source.slice(2)}`, flags) }
    : one;
});
