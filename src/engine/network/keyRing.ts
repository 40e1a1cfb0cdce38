import type { KeyTarget } from '../../contracts/engine/recordingTargets';
import { message, t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { confirmedTargets, isSameTarget } from './confirmations';
import { hostOf, isLoopback, parseHttpUrl } from './hosts';
import { belongsTo, isStandInKey } from './knownKeys';

/** In place of a host: the user's own agent, whose environment gets the variable. No host has this name. */
export const AGENT_PROGRAM = message("the agent's program");
/** The same of a tool of the built-in agent, which is a command or an MCP server. */
export const TOOL_PROGRAM = message("the tool's program");

type Environment = (name: string) => string | undefined;

/** Variables that are no keys: addresses and names. */
type SettingName = 'OLLAMA_BASE_URL' | 'OLLAMA_MODEL' | 'LANGSMITH_ENDPOINT' | 'LANGCHAIN_ENDPOINT';

/** Why a key may go to a host. */
type KeyStanding = 'known' | 'confirmed' | 'refused';

/** The user's variables. The value of a key is only had for a host that it may go to. */
export class KeyRing {
  readonly #environment: Environment;
  readonly #loadConfirmed: () => Promise<readonly KeyTarget[]>;
  #confirmed: Promise<readonly KeyTarget[]> | undefined;

  private constructor(environment: Environment, loadConfirmed: () => Promise<readonly KeyTarget[]>) {
    this.#environment = environment;
    this.#loadConfirmed = loadConfirmed;
  }

  /** The keys of the user who works in the project at `root`, with what they have confirmed for it. */
  static of(root: string, environment: Environment): KeyRing {
    return new KeyRing(environment, () => confirmedTargets(root));
  }

  /** Keys with what is confirmed for them, wherever that is remembered. */
  static confirmed(environment: Environment, targets: readonly KeyTarget[]): KeyRing {
    return new KeyRing(environment, async () => targets);
  }

  setting(name: SettingName): string | undefined {
    return this.#environment(name) || undefined;
  }

  isSet(variable: string): boolean {
    return this.#valueOf(variable) !== undefined;
  }

  /** Whether a variable is set to nothing, which says that no key is needed. */
  isEmpty(variable: string): boolean {
    return this.#environment(variable) === '';
  }

  /** The value of a variable that a case lists for its own agent, which runs on this machine. */
  listedVariable(variable: string): string | undefined {
    return this.#environment(variable);
  }

  /** The value of a variable for a request to `url`; undefined if it has none. Rejects with a `UserError` if it may not go there. */
  async keyFor(variable: string, url: URL): Promise<string | undefined> {
    const value = this.#valueOf(variable);
    if (value === undefined || (await this.standing(variable, url)) !== 'refused') return value;
    throw refusedKey(variable, hostOf(url));
  }

  /** Whether the variable may go to the host of `url`, whatever its value. */
  async standing(variable: string, url: URL): Promise<KeyStanding> {
    if (belongsTo(variable, url, this.#environment)) return 'known';
    const value = this.#valueOf(variable);
    if (isLoopback(url) && (value === undefined || isStandInKey(variable, value))) return 'known';
    return (await this.#isConfirmed({ host: hostOf(url), variable })) ? 'confirmed' : 'refused';
  }

  /** Whether the user has confirmed that a key of the editor is passed to the project's own agents, or its tools. */
  async isConfirmedFor(program: typeof AGENT_PROGRAM | typeof TOOL_PROGRAM, variable: string): Promise<boolean> {
    return this.#isConfirmed({ host: program, variable });
  }

  /** Whether the user has confirmed the host, without any key. */
  async isConfirmedHost(url: URL): Promise<boolean> {
    return this.#isConfirmed({ host: hostOf(url) });
  }

  /**
   * The values of each `${NAME}` in the address of a request, and in other texts of it. Rejects with a `UserError` if one
   * may not go to the host of that address. Only at its beginning, a variable may name the host.
   */
  async valuesFor(address: string, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const url = this.addressOf(address);
    if (url === undefined)
      throw new UserError(
        () => t('{0} is not the address of an agent: it has no valid host', address),
        () =>
          t(
            'Write the host, or put the whole beginning of the address, such as http://127.0.0.1:8000, into one variable.',
          ),
      );
    const values = new Map<string, string>();
    for (const name of new Set([address, ...texts].flatMap(variablesIn))) {
      const value = this.namesHost(address, name) ? this.#environment(name) : await this.keyFor(name, url);
      if (value !== undefined) values.set(name, value);
    }
    return values;
  }

  /** An address with the values of its `${NAME}`; undefined if these change its host, or it is no address. */
  addressOf(written: string): URL | undefined {
    const url = this.#filled(written);
    if (variablesIn(written).some((name) => this.namesHost(written, name))) return url;
    return url?.host === parseHttpUrl(written.replace(VARIABLE, 'any'))?.host ? url : undefined;
  }

  /** Whether an address begins with this variable, and its value with the host: then the user has named it. */
  namesHost(written: string, variable: string): boolean {
    if (!written.startsWith(`\${${variable}}`)) return false;
    const own = parseHttpUrl(this.#environment(variable) ?? '');
    return own !== undefined && own.host === this.#filled(written)?.host;
  }

  #filled(written: string): URL | undefined {
    return parseHttpUrl(written.replace(VARIABLE, (_, name: string) => this.#environment(name) ?? 'unset'));
  }

  #valueOf(variable: string): string | undefined {
    return this.#environment(variable)?.trim() || undefined;
  }

  async #isConfirmed(target: KeyTarget): Promise<boolean> {
    this.#confirmed ??= this.#loadConfirmed();
    return (await this.#confirmed).some((one) => isSameTarget(one, target));
  }
}

const VARIABLE = /\$\{(\w+)\}/g;

export function variablesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(VARIABLE), ([, name = '']) => name);
}

/** The error for a key that may not go to a host, with the way out. */
export function refusedKey(variable: string, host: string): UserError {
  return new UserError(
    () => t('the value of {0} would be sent to {1}, which it does not belong to', variable, host),
    () =>
      t(
        'If you trust {0} with it, allow that for this project: --allow-key {1}={0}. In VS Code, Re-record asks.',
        host,
        variable,
      ),
  );
}
