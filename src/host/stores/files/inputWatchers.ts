import * as vscode from 'vscode';
import type { RunRecord, SourcePlace } from '../../../core/model/runRecord';
import { DisposableStore } from '../../base/disposable';
import { watchFiles } from './workspaceFiles';

/** How a file changed: in an editor, by a save there, or on disk, by whatever program. */
export type ChangedBy = 'edit' | 'save' | 'disk';

/** What the last run of one case depends on. */
interface Followed {
  readonly uri: vscode.Uri;
  readonly files: readonly string[];
  /** The folders with its agent's source. */
  readonly sources: readonly (SourcePlace & { readonly folder: string })[];
}

/**
 * Reports changes of the files that runs depend on, whoever writes them. One watcher follows all files of an extension: VS Code watches each
 * folder of the workspace as a whole anyway, and only selects what it reports.
 */
export class InputWatchers implements vscode.Disposable {
  readonly #followed = new Map<string, Followed>();
  /** Those with an agent whose source is known. */
  readonly #withSource = new Map<string, Followed>();
  readonly #users = new Map<string, Set<string>>();
  readonly #globs = new Set<string>();
  readonly #owned = new DisposableStore();

  constructor(private readonly changed: (file: vscode.Uri, by: ChangedBy) => void) {
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changed(document.uri, 'edit');
      }),
    );
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => changed(uri, 'save')));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => changed(uri, 'edit')));
  }

  /** Follows the inputs of the last run of a case, in place of those of its run before. */
  follow(uri: vscode.Uri, root: vscode.Uri, { inputs, sources }: RunRecord): void {
    const key = uri.toString();
    for (const file of this.#followed.get(key)?.files ?? []) this.#users.get(file)?.delete(key);
    const files = inputs.map(({ path }) => vscode.Uri.joinPath(root, path).toString());
    for (const file of files) this.#users.set(file, (this.#users.get(file) ?? new Set()).add(key));
    const places = sources.map((place) => ({
      ...place,
      folder: `${vscode.Uri.joinPath(root, place.path).toString()}/`,
    }));
    const followed = { uri, files, sources: places };
    this.#followed.set(key, followed);
    if (places.length > 0) this.#withSource.set(key, followed);
    else this.#withSource.delete(key);
    for (const { path } of inputs) this.#watch(root, path);
    for (const { path, extension } of sources)
      this.#watch(root, extension === undefined ? `${path}/*` : `x.${extension}`);
  }

  /** The cases whose last run depends on a file. */
  usersOf(file: vscode.Uri): readonly vscode.Uri[] {
    const key = file.toString();
    const users = new Set(this.#users.get(key));
    for (const [user, { sources }] of this.#withSource) {
      const isSource = sources.some(
        ({ folder, extension }) => key.startsWith(folder) && (extension === undefined || key.endsWith(`.${extension}`)),
      );
      if (isSource) users.add(user);
    }
    return [...users].flatMap((user) => this.#followed.get(user)?.uri ?? []);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #watch(root: vscode.Uri, path: string): void {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const [extension] = /\.\w+$/.exec(name) ?? [];
    const glob = path.startsWith('../') ? path : extension === undefined ? `**/${name}` : `**/*${extension}`;
    const key = path.startsWith('../') ? `${root}/${path}` : glob;
    if (this.#globs.has(key)) return;
    this.#globs.add(key);
    const outside = vscode.Uri.joinPath(root, path, '..');
    const pattern = path.startsWith('../') ? new vscode.RelativePattern(outside, name) : glob;
    this.#owned.add(watchFiles([pattern], (file) => this.changed(file, 'disk')));
  }
}
