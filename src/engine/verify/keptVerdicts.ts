import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Json } from '../../core/json/json';
import { parseJson } from '../../core/json/readJson';
import type { FormatId } from '../../core/model/tape';
import { CONFIG_FILE, STATE_FOLDER } from '../../core/project/layout';
import { isSystemError, unlessUnreadable } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { type FileIdentity, pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readPrivateState, writeUserState } from '../files/userState';
import { OwnState } from '../project/ownState';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';
import { version } from '../version';

/** A tape in which nothing was found, or a file that is none. */
export type Verdict = { readonly format: FormatId; readonly interactions: number } | 'other';

const FILE = `${STATE_FOLDER}/cache/verified.json`;
const KEY_FILE = 'verify.key';
const KEY_BYTES = 32;
/** A file that changed more recently may change again without a trace in its times. */
const SETTLED_MS = 2_000;
/** Files that are gone stay until others need the room. */
const MOST_KEPT = 100_000;

/**
 * The files of a project in which nothing was found, with their state at that time: unchanged files are not read again. Findings are
 * not kept, because they quote tapes.
 *
 * The secrets of the environment decide what is found. So the verdicts are sealed with a key that only this user has, derived from
 * these secrets among others: they count only in the same environment and version, for the same user, and not if somebody else
 * wrote them into a project.
 */
export class KeptVerdicts {
  readonly #root: string;
  readonly #recorder: Recorder;
  readonly #key: Buffer;
  readonly #verdicts: Map<string, Json>;
  #hasNew = false;

  private constructor(root: string, recorder: Recorder, key: Buffer, verdicts: Map<string, Json>) {
    this.#root = root;
    this.#recorder = recorder;
    this.#key = key;
    this.#verdicts = verdicts;
  }

  /** Undefined in a folder that is not a Tapedeck project, which gets no files, and if no key can be stored. */
  static async open(root: string, recorder: Recorder): Promise<KeptVerdicts | undefined> {
    if (![CONFIG_FILE, STATE_FOLDER].some((name) => pathExists(join(root, name)))) return undefined;
    const userKey = await keyOfUser();
    if (userKey === undefined) return undefined;
    const key = seal(userKey, `${version}\n${root}\n${recorder.identity}`);
    const content = await unlessUnreadable(new OwnState(root).readText(FILE, FILE_LIMITS.artifact));
    return new KeptVerdicts(root, recorder, key, sealedVerdicts(content ?? '', key));
  }

  find(path: string, identity: FileIdentity): Verdict | undefined {
    const kept = this.#verdicts.get(fromRoot(this.#root, path));
    if (!Array.isArray(kept) || kept[0] !== stateOf(identity)) return undefined;
    const [, format, interactions] = kept;
    if (format === undefined) return 'other';
    return typeof format === 'string' && typeof interactions === 'number' ? { format, interactions } : undefined;
  }

  keep(path: string, identity: FileIdentity, verdict: Verdict): void {
    if (Number(identity.changed) / 1e6 > Date.now() - SETTLED_MS) return;
    const said = verdict === 'other' ? [] : [verdict.format, verdict.interactions];
    const name = fromRoot(this.#root, path);
    const [oldest = ''] = this.#verdicts.keys();
    if (this.#verdicts.size >= MOST_KEPT) this.#verdicts.delete(oldest);
    this.#verdicts.set(name, [stateOf(identity), ...said]);
    this.#hasNew = true;
  }

  /** A project that cannot be written to keeps none. */
  async save(): Promise<void> {
    if (!this.#hasNew) return;
    // The name of a file may be a secret.
    const text = this.#recorder.text(JSON.stringify([...this.#verdicts]));
    const content = this.#recorder.textReport(`${seal(this.#key, text).toString('hex')}\n${text}`);
    try {
      await writeRecorded(this.#root, join(this.#root, FILE), content, { durable: false });
    } catch (error) {
      if (!isSystemError(error) && !(error instanceof UserError)) throw error;
    }
  }
}

/** The verdicts in a file, if they are sealed with this key. */
function sealedVerdicts(content: string, key: Buffer): Map<string, Json> {
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  const expected = seal(key, text);
  const written = Buffer.from(content.slice(0, Math.max(0, end)), 'hex');
  if (written.length !== expected.length || !timingSafeEqual(written, expected)) return new Map();
  const entries = parseJson(text);
  if (!Array.isArray(entries)) return new Map();
  return new Map(
    entries.flatMap((entry): [string, Json][] =>
      Array.isArray(entry) && typeof entry[0] === 'string' ? [[entry[0], entry[1] ?? null]] : [],
    ),
  );
}

function stateOf({ size, modified, changed, inode }: FileIdentity): string {
  return [size, modified, changed, inode].join(' ');
}

function seal(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** A random key of this user, made when it is first needed. */
async function keyOfUser(): Promise<Buffer | undefined> {
  try {
    const known = Buffer.from((await readPrivateState(KEY_FILE)) ?? '', 'hex');
    if (known.length === KEY_BYTES) return known;
    const key = randomBytes(KEY_BYTES);
    await writeUserState(KEY_FILE, key.toString('hex'));
    return key;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
