import type { Disposable } from 'vscode';
import { tapeUris } from './cases/caseEntry';
import { CaseStates } from './cases/caseStates';
import { CaseStore, type ReadDisk } from './cases/caseStore';
import { FolderChanges } from './files/folderChanges';
import { type ListTracked, OwnState } from './files/ownState';
import { ReviewStore } from './reviews/reviewStore';
import { RunStore } from './runs/runStore';
import type { TakeStore } from './takes/takeStore';
import { type KnownSecrets, ProjectSecrets } from './tapes/projectSecrets';
import { type ListerThread, TapeLister } from './tapes/tapeLister';
import { type OpenListings, TapeStore } from './tapes/tapeStore';
import { TapeTestStore } from './tapes/tapeTestStore';

/** The parts that exist on a desktop but not in a browser. */
interface DesktopParts {
  readonly secrets?: KnownSecrets;
  readonly readDisk?: ReadDisk;
  readonly startLister?: () => ListerThread;
  readonly openListings?: OpenListings;
  readonly takes?: TakeStore;
}

/** The stores that the extension has both on the desktop and in the browser. */
export class WorkspaceStores implements Disposable {
  readonly folders = new FolderChanges();
  readonly cases: CaseStore;
  readonly secrets: ProjectSecrets;
  readonly tapes: TapeStore;
  readonly takes: TakeStore | undefined;
  readonly tapeTests: TapeTestStore;
  readonly runs = new RunStore();
  readonly own: OwnState;
  readonly reviews: ReviewStore;
  readonly states: CaseStates;

  readonly #lister: TapeLister;

  constructor(listTracked: ListTracked, { secrets, readDisk, startLister, openListings, takes }: DesktopParts = {}) {
    this.cases = new CaseStore(this.folders, readDisk);
    this.own = new OwnState(listTracked);
    this.reviews = new ReviewStore(this.own);
    this.states = new CaseStates(this.cases, this.runs, this.reviews, this.own);
    this.secrets = new ProjectSecrets(secrets);
    this.#lister = new TapeLister(this.secrets, startLister);
    this.tapes = new TapeStore(this.folders, this.#lister, openListings);
    this.tapeTests = new TapeTestStore(this.folders, this.tapes);
    this.takes = takes;
    this.cases.onDidChange(() => this.tapes.name('cases', this.cases.all().flatMap(tapeUris)));
  }

  dispose(): void {
    const { states, reviews, own, runs, tapeTests, tapes, cases, folders, secrets } = this;
    for (const store of [states, reviews, own, runs, tapeTests, tapes, cases, folders, this.#lister, secrets])
      store.dispose();
  }
}
