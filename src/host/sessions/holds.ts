import * as vscode from 'vscode';
import type { SessionMode } from '../../contracts/engine/proxySessions';
import type { HeldEvent } from '../../contracts/engine/sessionEvents';
import type { HeldRelease, HeldRequest, ReleaseHeldParams } from '../../contracts/holds';
import type { ShownHeld } from '../../contracts/transcript/transcriptHolds';
import { t } from '../../core/text/l10n';
import type { CommandId } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { HumanError, reportError } from '../base/humanError';
import type { Log } from '../base/log';
import { TRANSCRIPT_VIEW_TYPE } from '../base/transcriptViews';
import type { EngineClient } from '../engine/engineClient';
import type { HeldRequests, HoldStore } from '../stores/runs/holdStore';
import { type LiveTapes, liveUri } from './liveTapes';
import { transcriptTabs } from './transcriptTabs';

interface HoldParts {
  readonly engine: Pick<EngineClient, 'call' | 'onHeldEvent'>;
  readonly holds: HoldStore;
  readonly log: Log;
  live(): Promise<LiveTapes>;
}

/** An open proxy session whose requests can be held. */
interface HeldSession {
  readonly session: string;
  readonly tape: vscode.Uri;
  readonly mode: SessionMode;
  /** Ends the program. */
  stop(): void;
}

interface Followed extends HeldSession {
  /** The last request that was brought into view. */
  shown: number;
  held: readonly HeldRequest[];
}

/** Brings breakpoints to the sessions of programs, and shows what they hold in the transcript of their tape. */
export class Holds implements HeldRequests, vscode.Disposable {
  readonly #sessions = new Map<string, Followed>();
  readonly #following: vscode.Disposable;
  readonly #isHeld = new ContextKey<boolean>('tapedeck.isHeld');

  constructor(private readonly parts: HoldParts) {
    const { engine, holds, log } = parts;
    this.#following = engine.onHeldEvent((event) => {
      this.#show(event).catch((error: unknown) => void reportError(error, log));
    });
    holds.requests = this;
  }

  /** Has a session hold what has a breakpoint, until it ends. Call it before its program starts. */
  async follow(opened: HeldSession): Promise<void> {
    this.#sessions.set(opened.session, { ...opened, shown: -1, held: [] });
    await this.#set(opened, false);
  }

  /** Call it before the session is closed, which lets everything go. */
  end(session: string): void {
    const ended = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (ended !== undefined && ended.held.length > 0) this.#tell(ended);
  }

  /** Has every open session hold its next request. */
  async holdNext(): Promise<void> {
    if (this.#sessions.size === 0)
      throw new HumanError(
        t('No program runs on a tape. Start one with "tapedeck" in its launch configuration, or record one.'),
      );
    for (const opened of this.#sessions.values()) await this.#set(opened, true);
    void vscode.window.setStatusBarMessage(t('Tapedeck holds the next request'), 5000);
  }

  /** Releases the request that the active transcript shows, or else the first one. */
  async releaseFirst(type: HeldRelease['type']): Promise<void> {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const active = activeTab?.input instanceof vscode.TabInputCustom ? activeTab.input.uri : undefined;
    const [first] = [...(active ? this.held(active) : []), ...this.#all(() => true)];
    if (first !== undefined) await this.release({ session: first.session, held: first.id, release: { type } });
  }

  dispose(): void {
    this.parts.holds.requests = undefined;
    this.#following.dispose();
  }

  held(tape: vscode.Uri): readonly ShownHeld[] {
    return this.#all((opened) => shownIn(opened).toString() === tape.toString());
  }

  async release(params: ReleaseHeldParams): Promise<void> {
    await this.parts.engine.call('releaseHeld', params);
    if (params.release.type === 'stop') this.#sessions.get(params.session)?.stop();
  }

  async update(tape: vscode.Uri): Promise<void> {
    for (const opened of this.#sessions.values())
      if (opened.tape.toString() === tape.toString()) await this.#set(opened, false);
  }

  #all(isWanted: (opened: HeldSession) => boolean): readonly ShownHeld[] {
    return [...this.#sessions.values()]
      .filter(isWanted)
      .flatMap(({ session, held }) => held.map((request) => ({ ...request, session })));
  }

  #tell(opened: HeldSession): void {
    this.#isHeld.set(this.#all(() => true).length > 0);
    this.parts.holds.fire(shownIn(opened));
  }

  async #set({ session, tape }: HeldSession, next: boolean): Promise<void> {
    await this.parts.engine.call('setHolds', { session, interactions: this.parts.holds.breakpoints(tape), next });
  }

  async #show({ session, held }: HeldEvent): Promise<void> {
    const opened = this.#sessions.get(session);
    if (opened === undefined) return;
    opened.held = held;
    this.#tell(opened);
    const fresh = held.find(({ id }) => id > opened.shown);
    if (fresh === undefined) return;
    opened.shown = fresh.id;
    if (opened.mode === 'record') await this.#showLive(opened);
    else await openBeside(opened.tape);
    await vscode.commands.executeCommand(
      'tapedeck.openTranscript' satisfies CommandId,
      shownIn(opened),
      opened.mode === 'record' ? undefined : fresh.interaction,
    );
  }

  async #showLive({ session, tape }: HeldSession): Promise<void> {
    const text = await this.parts.engine.call('sessionTape', { session });
    await (await this.parts.live()).show(session, tape, text);
  }
}

/** The transcript that shows what is held: of a recording, the one of the take so far. */
function shownIn({ session, tape, mode }: HeldSession): vscode.Uri {
  return mode === 'record' ? liveUri(session, tape) : tape;
}

/** Opens a transcript that is not open yet beside the active editor, which may be the one of a debugger. */
async function openBeside(tape: vscode.Uri): Promise<void> {
  const { activeTabGroup } = vscode.window.tabGroups;
  if (transcriptTabs(tape).length > 0 || activeTabGroup.tabs.length === 0 || !/\.tape\.jsonl?$/.test(tape.path)) return;
  await vscode.commands.executeCommand('vscode.openWith', tape, TRANSCRIPT_VIEW_TYPE, vscode.ViewColumn.Beside);
}
