import type { Disposable } from 'vscode';
import { CaseStore } from './caseStore';
import { FolderChanges } from './folderChanges';
import type { ListTracked } from './ownDecisions';
import { PytestStore } from './pytestStore';
import { ReviewStore } from './reviewStore';
import { RunStore } from './runStore';
import { TapeStore } from './tapeStore';

/** The stores that the extension has both on the desktop and in the browser. */
export class WorkspaceStores implements Disposable {
  readonly folders = new FolderChanges();
  readonly cases = new CaseStore(this.folders);
  readonly tapes = new TapeStore(this.folders);
  readonly pytests = new PytestStore(this.folders);
  readonly runs = new RunStore();
  readonly reviews: ReviewStore;

  constructor(listTracked: ListTracked) {
    this.reviews = new ReviewStore(listTracked);
  }

  dispose(): void {
    for (const store of [this.reviews, this.runs, this.pytests, this.tapes, this.cases, this.folders]) store.dispose();
  }
}
