import * as vscode from 'vscode';
import type { Found, FoundInteraction, FoundTape } from '../../core/model/found';
import { foundFacts, foundName } from '../../core/search/foundWords';
import { t } from '../../core/text/l10n';
import type { CommandId } from '../base/commands';

export type FoundNode =
  | { readonly type: 'foundTape'; readonly resource: vscode.Uri; readonly tape: FoundTape }
  | {
      readonly type: 'foundInteraction';
      readonly parent: FoundNode;
      readonly resource: vscode.Uri;
      readonly found: FoundInteraction;
    };

/** The most interactions that are shown at once; beyond that, only the tapes. */
const EXPANDED = 200;

/** The results of a search: tapes, and below them their interactions. */
export class FoundTree implements vscode.TreeDataProvider<FoundNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #tapes: readonly FoundNode[] = [];
  #areExpanded = true;

  show({ tapes }: Pick<Found, 'tapes'>): void {
    const count = tapes.reduce((sum, { interactions }) => sum + interactions.length, 0);
    this.#areExpanded = count <= EXPANDED;
    this.#tapes = tapes.map((tape) => ({ type: 'foundTape', resource: vscode.Uri.file(tape.path), tape }));
    this.#changed.fire(undefined);
  }

  get first(): FoundNode | undefined {
    return this.#tapes[0];
  }

  getChildren(node?: FoundNode): FoundNode[] {
    if (node === undefined) return [...this.#tapes];
    if (node.type !== 'foundTape') return [];
    const { resource, tape } = node;
    return tape.interactions.map((found) => ({ type: 'foundInteraction', parent: node, resource, found }));
  }

  getParent(node: FoundNode): FoundNode | undefined {
    return node.type === 'foundInteraction' ? node.parent : undefined;
  }

  getTreeItem(node: FoundNode): vscode.TreeItem {
    return node.type === 'foundTape'
      ? tapeItem(node.resource, node.tape, this.#areExpanded)
      : interactionItem(node.resource, node.found);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function tapeItem(uri: vscode.Uri, { format, interactions, hasMore }: FoundTape, isExpanded: boolean): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const below = isExpanded ? Expanded : Collapsed;
  const item = new vscode.TreeItem(uri, interactions.length === 0 ? None : below);
  const path = vscode.workspace.asRelativePath(uri);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const count = hasMore ? `${interactions.length}+` : String(interactions.length);
  item.id = uri.toString();
  item.label = name;
  item.description = [...(interactions.length > 0 ? [count] : []), path.slice(0, -name.length - 1)]
    .filter((text) => text !== '')
    .join(' · ');
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = `${path}\n${format}`;
  if (interactions.length === 0) item.command = opening(uri);
  return item;
}

function interactionItem(uri: vscode.Uri, found: FoundInteraction): vscode.TreeItem {
  const { index, excerpt, isFailed } = found;
  const name = `#${index + 1} ${foundName(found)}`;
  const facts = foundFacts(found, Date.now());
  const item = new vscode.TreeItem(
    excerpt === undefined ? name : { label: excerpt.text, highlights: [[excerpt.start, excerpt.end]] },
  );
  item.id = `${uri.toString()}#${index}`;
  item.description = excerpt === undefined ? facts : [name, facts].filter((text) => text !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon(isFailed ? 'error' : 'comment');
  item.tooltip = [excerpt?.text ?? '', name, facts].filter((text) => text !== '').join('\n');
  item.accessibilityInformation = {
    label: [name, excerpt?.text ?? '', facts].filter((text) => text !== '').join(', '),
  };
  item.command = opening(uri, index);
  return item;
}

function opening(uri: vscode.Uri, interaction?: number): vscode.Command {
  const command: CommandId = 'tapedeck.openTranscript';
  return {
    title: t('Open as Transcript'),
    command,
    arguments: [uri, ...(interaction === undefined ? [] : [interaction])],
  };
}
