import * as vscode from 'vscode';
import { isUnchecked, UNCHECKED_WORDS } from '../../../core/runs/caseState';
import { t } from '../../../core/text/l10n';
import { caseFileOf } from '../../base/caseUri';
import { isEnabled } from '../../base/settings';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';

/** Of cases whose agent is a program of the user. */
export const DEBUGGABLE = new vscode.TestTag('own-agent');

/** The cases as test items, grouped by folder. The id of an item is the URI of its case. */
export class CaseTestItems {
  constructor(
    private readonly controller: vscode.TestController,
    private readonly cases: CaseStore,
    private readonly states: Pick<CaseStates, 'last'>,
  ) {}

  of(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.controller.items.get(folderOf(uri).toString())?.children.get(uri.toString());
  }

  /** The cases of a request: those of its folders as well, without its exclusions. */
  chosen({ include, exclude }: vscode.TestRunRequest): readonly CaseEntry[] {
    const excluded = new Set(exclude);
    const leaves = (item: vscode.TestItem): vscode.TestItem[] => {
      if (excluded.has(item)) return [];
      return item.children.size === 0 ? [item] : collect(item.children).flatMap(leaves);
    };
    const items = (include ?? collect(this.controller.items)).flatMap(leaves);
    return items.flatMap(({ id }) => this.cases.get(vscode.Uri.parse(id)) ?? []);
  }

  /** Adds, updates or removes the items of cases. New ones are added together: there may be thousands. */
  update(uris: readonly vscode.Uri[]): void {
    this.#update(uris, placeOf);
  }

  /** Takes the icons of cases out of the gutter, until their items are updated. */
  displace(uris: readonly vscode.Uri[]): void {
    this.#update(uris, () => undefined);
  }

  #update(uris: readonly vscode.Uri[], place: typeof placeOf): void {
    const added = new Map<string, vscode.TestItem[]>();
    for (const uri of uris) {
      const entry = this.cases.get(uri);
      if (entry === undefined || !this.cases.isCase(entry)) {
        this.#remove(uri);
        continue;
      }
      const range = place(entry);
      const known = this.#reusable(uri, entry, range);
      const item = known ?? this.controller.createTestItem(uri.toString(), entry.name, entry.file);
      describe(item, entry);
      item.range = range;
      this.#note(item, entry);
      const folder = folderOf(uri).toString();
      if (known !== undefined) continue;
      const items = added.get(folder);
      if (items === undefined) added.set(folder, [item]);
      else items.push(item);
    }
    for (const [folder, items] of added) this.#add(vscode.Uri.parse(folder), items);
  }

  /**
   * The item of a case, unless it has to be added anew: its window never learns that an item has no place any more, and keeps the error of
   * one that was mended in its list.
   */
  #reusable(uri: vscode.Uri, entry: CaseEntry, range: vscode.Range | undefined): vscode.TestItem | undefined {
    const item = this.of(uri);
    const losesError = item?.error !== undefined && errorOf(entry) === undefined;
    const losesPlace = item?.range !== undefined && range === undefined;
    if (!losesError && !losesPlace) return item;
    item?.parent?.children.delete(item.id);
    return undefined;
  }

  /** Shows of a case what the icon does not tell of its last run. */
  note(uri: vscode.Uri): void {
    const item = this.of(uri);
    const entry = this.cases.get(uri);
    if (item !== undefined && entry !== undefined) this.#note(item, entry);
  }

  #note(item: vscode.TestItem, { uri, relativePath }: CaseEntry): void {
    const state = this.states.last(uri)?.state;
    const file = relativePath.slice(relativePath.lastIndexOf('/') + 1);
    item.description = state !== undefined && isUnchecked(state) ? `${file} · ${t(UNCHECKED_WORDS)}` : file;
  }

  #add(uri: vscode.Uri, items: readonly vscode.TestItem[]): void {
    const known = this.controller.items.get(uri.toString());
    const folder = known ?? this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    if (folder.children.size === 0) folder.children.replace(items);
    else for (const item of items) folder.children.add(item);
    if (known === undefined) this.controller.items.add(folder);
  }

  #remove(uri: vscode.Uri): void {
    const folder = this.controller.items.get(folderOf(uri).toString());
    folder?.children.delete(uri.toString());
    if (folder?.children.size === 0) this.controller.items.delete(folder.id);
  }
}

function describe(item: vscode.TestItem, entry: CaseEntry): void {
  const { name, listed, kind } = entry;
  item.label = name;
  item.error = errorOf(entry);
  const tags = [...new Set([kind.id, ...(listed?.tags ?? [])])].map((tag) => new vscode.TestTag(tag));
  // The agent of a case may also be a service, which is named by its address.
  const isProgram = listed?.ownAgent !== undefined && !/^https?:/.test(listed.ownAgent);
  item.tags = isProgram ? [...tags, DEBUGGABLE] : tags;
}

/** Where the icon of a case is in the gutter. */
function placeOf({ file, headLine }: CaseEntry): vscode.Range | undefined {
  return isEnabled('gutter.enabled', file) ? new vscode.Range(headLine, 0, headLine, 0) : undefined;
}

function errorOf({ problems, listed }: CaseEntry): string | undefined {
  return problems.find(({ severity }) => severity === 'error')?.message ?? listed?.lacks;
}

function folderOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(caseFileOf(uri), '..');
}

function collect(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}
