import { isRecord, type Json } from '../json/json';
import { parseJson } from '../json/readJson';
import { SHORTEST_VALUE } from './knownValues';
import { entropy, isOrdinaryValue, isPlaceholder, isRandom, mixesCharacterClasses } from './randomness';
import { nameKind, parameterKind, snakeCase } from './secretNames';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of an environment that must not be written to a file: every value that looks as if it was drawn by chance,
 * unless its variable is known to hold something else, and every value whose name says that it is a secret. Parts of
 * values count by themselves, such as the password of a URL.
 */
export function environmentSecrets(environment: Environment): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST_VALUE) continue;
    for (const secret of secretsOf(name, value)) secrets.add(secret);
  }
  return [...secrets].filter((secret) => secret.length >= SHORTEST_VALUE);
}

/** Values that are secrets, with their parts: a secret storage may hold a URL or JSON with a password. */
export function partsOfSecrets(values: readonly string[]): string[] {
  return values
    .flatMap((value) => [...new Set([value, value.trim(), ...partsOf(value)])])
    .filter((value) => value !== '');
}

function secretsOf(name: string, value: string): readonly string[] {
  const kind = variableKind(name);
  if (kind === 'never') return [];
  const parts = partsOf(value, kind !== 'program');
  if (parts.length > 0) return isCompound(value) && !ONE_SECRET.test(snakeCase(name)) ? parts : [value, ...parts];
  if (isReference(value)) return [];
  if (kind === 'secret') return isSecretValue(name, value) ? [value] : [];
  return kind === 'unknown' && looksDrawn(value) ? [value] : [];
}

/** Names of which the whole value is one secret, even if it looks like several. */
const ONE_SECRET = /(?:^|_)(?:[a-z\d]*(?:password|passphrase|secret|token|key)|pass|pwd|pw)$/;

type VariableKind = 'secret' | 'ordinary' | 'program' | 'unknown' | 'never';

/** Words at the end of a name that make the value a secret. */
const SECRET_VARIABLE =
  /(?:^|_)(?:[a-z\d]*key|keys|[a-z\d]*tokens?|[a-z\d]*secrets?|[a-z\d]*passwords?|passwd|passphrase|pass|pwd|pw|pat|credentials?|creds|auth|cookies?|jwt|bearer|dsn|sas|webhook|webhook_url|connection_?string|org|org_id|organi[sz]ation|organi[sz]ation_id|account_id|project_id|salt|pin|otp|seed|mnemonic|license)$/;

/** Ids of sessions, terminals and machines, and what programs tell each other: paths of sockets, versions, colours. */
const NEVER =
  /^(?:path|home|pwd|oldpwd|shell|user|logname|hostname|host|term|term_.*|colorterm|lang|language|lc_.*|tz|display|wayland_display|xauthority|ssh_auth_sock|ssh_agent_pid|ssh_connection|ssh_client|ssh_tty|gpg_tty|gpg_agent_info|ls_colors|lscolors|grep_colou?rs?|tmpdir|tmp|temp|editor|visual|pager|less.*|manpath|infopath|shlvl|_|ps\d|prompt_command|mail|windowid|sty|tmux|tmux_pane|session_manager|desktop_session|desktop_startup_id|gdmsession|invocation_id|journal_stream|systemd_exec_pid|memory_pressure_.*|managerpid|xdg_.*|dbus_.*|gnome_.*|gtk_.*|gdk_.*|kde_.*|qt_.*|im_config_phase|wt_.*|iterm_.*|kitty_.*|wezterm_.*|alacritty_.*|konsole_.*|vte_version|gjs_.*|bash_.*|zsh.*|starship_.*|direnv_.*|path_?ext|comspec|systemroot|windir|os|processor_.*|number_of_processors|allusersprofile|appdata|localappdata|programdata|programfiles.*|commonprogramfiles.*|userprofile|userdomain.*|username|computername|logonserver|homedrive|homepath|psmodulepath|onedrive.*|wsl.*|container_id|container|lima_.*|securityse(?:ssion|curity)id|commandmode|apple_.*|xpc_.*|__cf.*|launch_.*|orig(?:inal)?_xdg_.*|chrome_desktop|electron_.*|snap.*|flatpak_.*|appimage|appdir|machine_id|boot_id)$/;

/** Programs whose variables hold settings, except those with the name of a secret. */
const PROGRAM =
  /^(?:npm|vscode|code|node|nvm|fnm|volta|yarn|pnpm|bun|deno|corepack|python|py|pip|pipenv|poetry|uv|conda|mamba|virtual|pyenv|rbenv|gem|bundle|ruby|java|jdk|gradle|maven|sdkman|go|cargo|rust|rustup|cc|cxx|ld|cmake|make|homebrew|git|docker|podman|kube|github|gitlab|runner|actions|image|imageos|ci|build|circle|buildkite|travis|jenkins|teamcity|azure_http|system|agent|codespaces?|codespace|gitpod|devcontainer|remote_containers|jest|vitest|mocha|pytest|cypress|playwright|dotnet|nuget|android|chromewebdriver|edgewebdriver|geckowebdriver|selenium|vcpkg|ant|leiningen|perflog|pipx|ghcup|bootstrap_haskell|accept|debian|force|no|log|debug|otel|sentry_release|vercel_git|netlify|heroku_slug|heroku_release|render_git|railway_git|source|commit|tapedeck)(?:_|$)/;

/** Ends of names whose values are no secrets, however they look. */
const ORDINARY_VARIABLE =
  /(?:^|_)(?:versions?|model|model_name|models|engine|deployment|sha|sha1|sha256|hash|digest|checksum|commit|revision|rev|ref|branch|tag|tags|release|build|build_id|build_number|run_id|run_number|job|job_id|job_name|step|workflow|pipeline_id|attempt|dir|directory|folder|path|paths|root|home|file|files|filename|cache|sock|socket|bin|exe|host|hostname|hosts|port|ports|ip|address|addr|endpoint|url|urls|uri|base|base_url|origin|domain|proxy|region|zone|cluster|namespace|environment|env|stage|locale|timezone|date|time|timestamp|epoch|name|names|title|label|email|mail|username|user|users|uid|gid|pid|session_id|trace_id|traceparent|tracestate|span_id|request_id|correlation_id|device_id|machine|uuid|guid|arch|platform|os|level|mode|flags|options|opts|args|command|cmd|script|features?|theme|colou?rs?|format|type|kind|size|count|limit|timeout|ttl|interval|public_key|publishable_key|cert|certs|ca_bundle|image|images)$/;

function variableKind(variable: string): VariableKind {
  const name = snakeCase(variable);
  if (NEVER.test(name)) return 'never';
  if (SECRET_VARIABLE.test(name) || nameKind(variable) !== undefined) {
    return /(?:^|_)(?:public|publishable|primary|foreign|cache|sort|partition|route|object)_key$/.test(name)
      ? 'ordinary'
      : 'secret';
  }
  if (PROGRAM.test(name)) return 'program';
  return ORDINARY_VARIABLE.test(name) ? 'ordinary' : 'unknown';
}

/** A path, a list of paths, a reference to another variable, or a command. */
function isReference(value: string): boolean {
  return (
    /^(?:~|\.{0,2}\/(?:[\w.@ +-]+\/)*[\w.@ +-]*$|[A-Za-z]:[\\/]|\$|\{\{|op:\/\/|vault:|arn:aws:|projects\/)/.test(
      value,
    ) || /^\/[^:\s]+(?::\/[^:\s]+)+$/.test(value)
  );
}

/** Whether the value of a variable with the name of a secret is one: a key is no word, while a password may be. */
function isSecretValue(name: string, value: string): boolean {
  if (isPlaceholder(value) || /^[\d.:-]{1,11}$/.test(value)) return false;
  if (/^[a-z]+(?:[-_. /][a-z]+)*$/i.test(value) && !isRandom(value))
    return /pass|pwd|secret|pw$/i.test(name) && !isPartOf(name, value);
  return true;
}

/** Whether a value repeats its name, as in `POSTGRES_PASSWORD=postgres`. */
function isPartOf(name: string, value: string): boolean {
  return snakeCase(name).includes(snakeCase(value));
}

const SHORTEST_DRAWN = 16;
const PUBLIC =
  /^(?:sha(?:1|256|384|512)[-:]|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|[\w.+-]+@[\w-]+\.[\w.]+$|ssh-(?:rsa|ed25519) |-----BEGIN (?:CERTIFICATE|PUBLIC KEY)|pk_(?:live|test)_|phc_|v?\d+\.\d+)/i;

/** Whether a value of any variable looks drawn by chance: one long word that mixes letters and digits. */
function looksDrawn(value: string): boolean {
  return (
    value.length >= SHORTEST_DRAWN &&
    !/\s/.test(value) &&
    !PUBLIC.test(value) &&
    !isPlaceholder(value) &&
    !isOrdinaryValue(value) &&
    mixesCharacterClasses(value) &&
    entropy(value) >= 3 &&
    isRandom(value)
  );
}

/** Whether only the parts of a value are secrets, while the rest is an address or settings. */
function isCompound(value: string): boolean {
  return URL_VALUE.test(value) || /;/.test(value) || /^\s*[[{]/.test(value) || /\s/.test(value.trim());
}

const URL_VALUE = /^[a-z][a-z\d+.-]{1,30}:\/\//i;

/** The secrets within a value: in a URL, a connection string, or JSON. */
function partsOf(value: string, withPath = true): string[] {
  const text = value.trim();
  if (URL_VALUE.test(text)) return partsOfUrl(text, withPath);
  if (/^[{[]/.test(text)) return partsOfJson(parseJson(text));
  if (/^[\w ]{2,40}=[^;]*(?:;|$)/.test(text) && /[;]/.test(text)) return partsOfPairs(text, /;/);
  if (/(?:^|\s)(?:host|user|dbname|password)=/.test(text)) return partsOfPairs(text, /\s+/);
  return [];
}

/** Up to the host, and, for a password that is not encoded, up to the last `@`. */
const CREDENTIALS = [/^[a-z][a-z\d+.-]{1,30}:\/\/([^/?#@]*)(?=@)/i, /^[a-z][a-z\d+.-]{1,30}:\/\/(\S*)(?=@)/i];

function partsOfUrl(url: string, withPath = true): string[] {
  const parts: string[] = [];
  for (const pattern of CREDENTIALS) {
    const [, credentials = ''] = pattern.exec(url) ?? [];
    const at = credentials.indexOf(':');
    const user = at === -1 ? credentials : credentials.slice(0, at);
    const password = at === -1 ? '' : credentials.slice(at + 1);
    if (password !== '' && !isPlaceholder(decoded(password))) parts.push(password, decoded(password));
    if (looksDrawn(user)) parts.push(user, decoded(user));
  }
  for (const [, name = '', given = ''] of url.matchAll(/[?&#;]([\w.-]{1,60})=([^&#;\s]+)/g)) {
    if (parameterKind(name) !== undefined || looksDrawn(decoded(given))) parts.push(given, decoded(given));
  }
  if (!withPath) return parts;
  const path = url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  for (const segment of path.split('/')) if (looksDrawn(decoded(segment))) parts.push(segment, decoded(segment));
  return parts;
}

function partsOfPairs(text: string, separator: RegExp): string[] {
  return text.split(separator).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^(['"])(.*)\1$/s, '$2');
    if (at === -1 || value === '') return [];
    if (URL_VALUE.test(value)) return partsOfUrl(value);
    const isNamed = parameterKind(name) !== undefined || nameKind(name) !== undefined;
    return (isNamed && !isPlaceholder(value)) || looksDrawn(value) ? [value] : [];
  });
}

function partsOfJson(json: Json | undefined, name = ''): string[] {
  if (typeof json === 'string') return json.length >= SHORTEST_VALUE ? [...secretsOf(name, json)] : [];
  if (Array.isArray(json)) return json.flatMap((item) => partsOfJson(item, name));
  return isRecord(json) ? Object.entries(json).flatMap(([key, member]) => partsOfJson(member, key)) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
