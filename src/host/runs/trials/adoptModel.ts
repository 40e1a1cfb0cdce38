import * as vscode from 'vscode';
import type { AdoptedTrial } from '../../../contracts/engine/trials';
import { plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import type { CommandId } from '../../base/commands';
import { confirm, oneLine, type Question } from '../../base/confirm';
import { HumanError } from '../../base/humanError';
import { withCancellableProgress } from '../../base/progress';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import type { TrialSession } from './trialSession';
import { type AdoptionPreview, previewAdoption } from './trialWords';

/** Makes recordings of a model the tapes of the cases, after asking, and opens the review of the first. */
export async function adoptModel(
  session: TrialSession,
  model: string,
  engine: Pick<EngineClient, 'call'>,
): Promise<void> {
  requireTrust();
  const { trial, root } = session;
  if (trial === undefined) throw new HumanError(t('There is no trial to adopt from.'));
  const preview = previewAdoption(trial, model);
  if (preview.casePaths.length === 0)
    throw new HumanError(t('No case can adopt {0}. {1}', model, preview.left.slice(0, 3).join(' ')));
  if (!(await confirm(adoptionQuestion(model, preview)))) return;
  const outcome = await withCancellableProgress(t('Adopting {0}', model), (_, signal) =>
    engine.call('adoptTrial', { root: root.fsPath, model, casePaths: preview.casePaths }, { signal }),
  );
  await session.load();
  void announce(model, outcome);
  const [first] = outcome.adopted;
  if (first !== undefined) await openReview(vscode.Uri.joinPath(root, first.tapePath));
}

function adoptionQuestion(model: string, { taken, left }: AdoptionPreview): Question {
  return {
    title: t('Adopt {0} in {1}?', oneLine(model), plural(taken.length, 'case')),
    action: t('Adopt'),
    isWarning: false,
    sections: [
      { title: t('Tapes:'), lines: taken.map(oneLine) },
      ...(left.length > 0 ? [{ title: t('These keep their tapes:'), lines: left.map(oneLine) }] : []),
      {
        lines: [
          t('Replaced tapes are kept in .tapedeck/takes. Cases that name another model are changed to this one.'),
          t('You review the changes afterwards, as after any recording.'),
        ],
      },
    ],
  };
}

async function announce(model: string, { adopted, refused }: AdoptedTrial): Promise<void> {
  if (refused.length === 0) return;
  const reasons = refused.map(({ casePath, reason }) => `${casePath}: ${reason}`).join(' ');
  await vscode.window.showWarningMessage(
    t('{0} adopted {1}. These keep their tapes: {2}', plural(adopted.length, 'case'), model, reasons),
  );
}

async function openReview(tape: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('tapedeck.refreshReviews' satisfies CommandId);
  await vscode.commands.executeCommand('tapedeck.openReview' satisfies CommandId, tape);
}
