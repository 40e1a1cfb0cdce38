import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { FormatId } from '../../core/model/tape';
import { CONFIG_FILE, STATE_FOLDER } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { count, either, list, text, tuple, type Value } from '../../core/schema/schema';
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

/** The state of a file, and what it is; nothing more of a file that is no tape. */
const KEPT = either(tuple(text()), tuple(text(), text(), count()));
type Kept = Value<typeof KEPT>;
const ENTRIES = list(tuple(text(), KEPT));

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
export class VerdictCache {
  readonly #root: string;
  readonly #recorder: Recorder;
  readonly #key: Buffer;
  readonly #verdicts: Map<string, Kept>;
  #hasNew = false;

  private constructor(root: string, recorder: Recorder, key: Buffer, verdicts: Map<string, Kept>) {
    this.#root = root;
    this.#recorder = recorder;
    this.#key = key;
    this.#verdicts = verdicts;
  }

  /** Undefined in a folder that is not a Tapedeck project, which gets no files, and if no key can be stored. */
  static async open(root: string, recorder: Recorder): Promise<VerdictCache | undefined> {
    if (![CONFIG_FILE, STATE_FOLDER].some((name) => pathExists(join(root, name)))) return undefined;
    const userKey = await keyOfUser();
    if (userKey === undefined) return undefined;
    const key = seal(userKey, `${version}\n${root}\n${recorder.identity}`);
    const content = await unlessUnreadable(new OwnState(root).readText(FILE, FILE_LIMITS.artifact));
    return new VerdictCache(root, recorder, key, sealedVerdicts(content ?? '', key));
  }

  find(path: string, identity: FileIdentity): Verdict | undefined {
    const kept = this.#verdicts.get(fromRoot(this.#root, path));
    if (kept === undefined || kept[0] !== stateOf(identity)) return undefined;
    return kept.length === 1 ? 'other' : { format: kept[1], interactions: kept[2] };
  }

  keep(path: string, identity: FileIdentity, verdict: Verdict): void {
    if (Number(identity.changed) / 1e6 > Date.now() - SETTLED_MS) return;
    const state = stateOf(identity);
    const name = fromRoot(this.#root, path);
    const [oldest = ''] = this.#verdicts.keys();
    if (this.#verdicts.size >= MOST_KEPT) this.#verdicts.delete(oldest);
    this.#verdicts.set(name, verdict === 'other' ? [state] : [state, verdict.format, verdict.interactions]);
    this.#hasNew = true;
  }

  /** A project that cannot be written to keeps none. */
  async save(): Promise<void> {
    if (!this.#hasNew) return;
    // The name of a file may be a secret.
    const entries = this.#recorder.text(JSON.stringify([...this.#verdicts]));
    const content = this.#recorder.textReport(`${seal(this.#key, entries).toString('hex')}\n${entries}`);
    try {
      await writeRecorded(this.#root, join(this.#root, FILE), content, { durable: false });
    } catch (error) {
      if (!isSystemError(error) && !(error instanceof UserError)) throw error;
    }
  }
}

/** The verdicts in a file, if they are sealed with this key. */
function sealedVerdicts(content: string, key: Buffer): Map<string, Kept> {
  const end = content.indexOf('\n');
  const source = content.slice(end + 1);
  const expected = seal(key, source);
  const written = Buffer.from(content.slice(0, Math.max(0, end)), 'hex');
  if (written.length !== expected.length || !timingSafeEqual(written, expected)) return new Map();
  return new Map(parseDocument(ENTRIES, source) ?? []);
}

function stateOf({ size, modified, changed, inode }: FileIdentity): string {
  return [size, modified, changed, inode].join(' ');
}

function seal(key: Buffer, source: string): Buffer {
  return createHmac('sha256', key).update(source).digest();
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
