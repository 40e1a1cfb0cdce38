import * as vscode from 'vscode';
import { type Api, RpcPeer } from '../../protocol/rpc';
import {
  type Chosen,
  TRANSCRIPT_CHANGED,
  TRANSCRIPT_FOCUS,
  TRANSCRIPT_GREW,
  type TranscriptHost,
  type TranscriptState,
  transcriptGuards,
} from '../../protocol/transcript';
import { TRANSCRIPT_DRIFTED } from '../../protocol/transcriptDrift';
import { type EarlierTold, TRANSCRIPT_EARLIER } from '../../protocol/transcriptEarlier';
import { type Playing, TRANSCRIPT_PLAYING } from '../../protocol/transcriptPlaying';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import { webviewChannel } from '../base/webviewChannel';
import { webviewHtml, webviewOptions } from '../base/webviewHtml';
import type { TapeDrift } from '../stores/driftStore';
import type { TapeEntry } from '../stores/tapeStore';
import { DocumentSource, type StartReading } from './documentSource';
import { type AskEarlier, EarlierTelling } from './earlierTelling';
import { openLink } from './openLink';
import { projectPrices } from './projectPrices';
import { openBesides, revealLine, revealPlace } from './revealSource';
import type { TapeDocument } from './tapeDocument';
import { mendDrift, showDrift } from './tapeDrifts';
import { tapeEditing } from './tapeEditing';
import { growAll } from './transcriptSource';

/** Typing settles before the page is sent a new transcript. */
const SETTLE_MS = 50;
/** Under which is remembered what was chosen last, for all tapes. */
const CHOSEN = 'transcript.chosen';

type ShownTape = Pick<TapeEntry, 'format' | 'formatLabel' | 'interactions'>;

/** One editor of a tape: the page, and its connection with the document. */
export class TranscriptPanel implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #source: DocumentSource;
  readonly #peer: RpcPeer<TranscriptHost, Api>;
  readonly #settled: Debouncer<TapeDocument>;
  readonly #earlier: EarlierTelling | undefined;
  readonly #read = this.#owned.add(new vscode.EventEmitter<void>());
  readonly onDidRead = this.#read.event;
  #shown: ShownTape | undefined;
  #sentVersion = -1;
  #isOpen = false;
  #focus: number | undefined;
  #playing: Playing | undefined;
  #drifts: readonly TapeDrift[] = [];

  constructor(
    readonly document: TapeDocument,
    private readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    private readonly memory: vscode.Memento,
    askEarlier: AskEarlier | undefined,
    startReading: StartReading | undefined,
  ) {
    const { webview } = panel;
    this.#source = this.#owned.add(new DocumentSource(document, () => projectPrices(document.uri), startReading));
    this.#peer = new RpcPeer<TranscriptHost, Api>(webviewChannel(webview), transcriptGuards, this.#api());
    this.#owned.add({ dispose: () => this.#peer.close('the transcript was closed') });
    this.#settled = this.#owned.add(new Debouncer(SETTLE_MS, () => void this.#send()));
    this.#owned.add(document.onDidChange(() => this.#onChange()));
    if (askEarlier !== undefined) {
      const tell = (told: EarlierTold): void => {
        if (this.#isOpen) this.#peer.emit(TRANSCRIPT_EARLIER, told);
      };
      this.#earlier = this.#owned.add(new EarlierTelling(document, askEarlier, tell));
    }
    // A hidden page is gone. The next one asks anew, and must not be taken for the one that was here.
    this.#owned.add(panel.onDidChangeViewState(() => panel.visible || this.#leave()));
    webview.options = webviewOptions(extensionUri);
    webview.html = webviewHtml({
      webview,
      extensionUri,
      name: 'transcript',
      title: `Transcript of ${this.#source.name}`,
      begin: JSON.stringify(memory.get<Chosen>(CHOSEN, {})),
    });
  }

  /** What the page shows; undefined before it was read, and for what is no tape. */
  get shown(): ShownTape | undefined {
    return this.#shown;
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** Shows an interaction, as soon as there is a page to show it. */
  focus(interaction: number): void {
    this.#focus = interaction;
    if (this.#isOpen) this.#sendFocus();
  }

  /** Tells the page what a run is doing with the tape; undefined when nothing is done any more. */
  play(playing: Playing | undefined): void {
    this.#playing = playing;
    if (this.#isOpen) this.#peer.emit(TRANSCRIPT_PLAYING, { playing: playing ?? null });
  }

  /** Tells the page where the last runs have drifted from the tape. */
  drift(drifts: readonly TapeDrift[] = []): void {
    this.#drifts = drifts;
    if (this.#isOpen) void this.#sendDrifts();
  }

  dispose(): void {
    this.#leave();
    this.#owned.dispose();
  }

  #api(): TranscriptHost {
    return {
      open: () => this.#open(),
      bodies: async ({ interactions }) => (await this.#source.now()).bodies(interactions),
      more: async (place) => (await this.#source.now()).more(place),
      search: async (query) => (await this.#source.now()).search(query),
      playback: async ({ interaction }) => (await this.#source.now()).playback(interaction),
      raw: async ({ interaction }) => (await this.#source.now()).raw(interaction),
      revealSource: async ({ interaction }) => revealPlace(this.document, await this.#startOf(interaction)),
      revealLine: ({ line }) => revealLine(this.document, line),
      openAsText: () => openBesides(this.document.uri, this.panel.viewColumn),
      openLink: ({ url }) => openLink(url),
      remember: async (chosen) => this.memory.update(CHOSEN, { ...this.memory.get<Chosen>(CHOSEN), ...chosen }),
      ...tapeEditing(this.document),
      readOnlyReason: async () => (await (await this.#source.now()).readOnlyReason()) ?? null,
      mend: (params) => mendDrift(this.#drifts, params),
    };
  }

  async #open(): Promise<TranscriptState> {
    this.#isOpen = true;
    this.#sentVersion = this.document.version;
    this.#sendFocus();
    this.play(this.#playing);
    void this.#sendDrifts();
    this.#earlier?.refresh();
    return this.#sent(await (await this.#source.now()).state());
  }

  /** What a page is sent is the beginning; the rest follows. */
  #sent(state: TranscriptState): TranscriptState {
    this.#shown = shownIn(state);
    this.#read.fire();
    const version = this.#sentVersion;
    setTimeout(() => void this.#grow(() => this.#isOpen && version === this.document.version), 0);
    return state;
  }

  async #grow(isWanted: () => boolean): Promise<void> {
    try {
      const source = await this.#source.now();
      await growAll(source, isWanted, (growth) => this.#peer.emit(TRANSCRIPT_GREW, growth));
    } catch (error) {
      if (!isWanted()) return;
      const message = error instanceof Error ? error.message : String(error);
      this.#peer.emit(TRANSCRIPT_CHANGED, { type: 'unreadable', message } satisfies TranscriptState);
    }
  }

  #leave(): void {
    this.#isOpen = false;
    this.#source.rest();
  }

  #onChange(): void {
    if (this.document.version !== this.#sentVersion) this.#settled.add('document', this.document);
  }

  async #startOf(interaction: number): Promise<number> {
    return (await (await this.#source.now()).span(interaction)).start;
  }

  async #send(): Promise<void> {
    if (!this.#isOpen || this.document.version === this.#sentVersion) return;
    this.#sentVersion = this.document.version;
    this.#peer.emit(TRANSCRIPT_CHANGED, this.#sent(await (await this.#source.now()).state()));
  }

  async #sendDrifts(): Promise<void> {
    const told = this.#drifts;
    const drifts = await Promise.all(told.map(showDrift));
    if (told === this.#drifts) this.#peer.emit(TRANSCRIPT_DRIFTED, { drifts });
  }

  #sendFocus(): void {
    if (this.#focus === undefined) return;
    this.#peer.emit(TRANSCRIPT_FOCUS, { interaction: this.#focus });
    this.#focus = undefined;
  }
}

function shownIn(state: TranscriptState): ShownTape | undefined {
  if (state.type !== 'transcript') return undefined;
  const { format, formatLabel, length } = state.transcript;
  return { format, formatLabel, interactions: length };
}
