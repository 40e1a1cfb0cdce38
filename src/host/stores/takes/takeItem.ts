import * as vscode from 'vscode';
import type { ListedTake } from '../../../contracts/engine/takes';
import { t } from '../../../core/text/l10n';
import { shownTime } from '../../base/shownTime';
import { takeFacts, takeName } from './takeWords';

/** A take with its document. */
export interface ShownTake {
  readonly take: ListedTake;
  readonly resource: vscode.Uri;
}

/** The row of a take below its tape. */
export function takeItem({ take, resource }: ShownTake): vscode.TreeItem {
  const name = takeName(take);
  const facts = takeFacts(take);
  const item = new vscode.TreeItem(name);
  item.iconPath = new vscode.ThemeIcon('history');
  item.description = facts.join(' · ');
  item.tooltip = [t('A take, replaced {0}', shownTime(take.time)), facts.join(' · ')].join('\n');
  item.contextValue = 'take';
  item.accessibilityInformation = { label: t('take, replaced {0}', [name, ...facts].join(', ')) };
  item.command = { title: t('Open Take'), command: 'tapedeck.openTake', arguments: [resource] };
  return item;
}
