import type { VNode } from 'preact';
import type { Overview, TapeCount, TapeList } from '../../../src/core/search/overview';
import { counted, plural } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import type { OverviewActions } from './actions';
import { TapeRows } from './tapeRows';

interface AttentionProps {
  readonly overview: Overview;
  readonly names: Readonly<Record<string, string>>;
  readonly actions: OverviewActions;
}

/** Tapes to look at: with secrets, with problems, without a user, and what could not be read. */
export function Attention({ overview, names, actions }: AttentionProps): VNode {
  const { secrets, problems, orphans, skipped } = overview;
  const rest = { names, actions };
  const isFine = [secrets, problems, orphans, skipped].every(({ tapes }) => tapes === 0);
  if (isFine)
    return (
      <section class="card">
        <h2 class="icon-passed">
          <Icon name="check" />
          {t('Nothing needs attention')}
        </h2>
        <p class="note">{t('No tape has secrets or problems, and each is used by a case or a test.')}</p>
      </section>
    );
  return (
    <>
      <TapeCard
        {...rest}
        list={secrets}
        icon="warning"
        title={counted(secrets.tapes, '{0} tape with secrets', '{0} tapes with secrets')}
        note={t('Redact secrets before you share a tape: open it, and choose Redact in the menu of an interaction.')}
        about={({ value }) => plural(value, 'secret')}
      />
      <TapeCard
        {...rest}
        list={problems}
        icon="warning"
        title={counted(problems.tapes, '{0} tape with problems', '{0} tapes with problems')}
        about={({ value }) => plural(value, 'problem')}
      />
      <TapeCard
        {...rest}
        list={orphans}
        icon="question"
        title={counted(orphans.tapes, '{0} tape that nothing uses', '{0} tapes that nothing uses')}
        note={t('Not used by any case or known test.')}
      />
      <TapeCard
        {...rest}
        list={skipped}
        icon="error"
        title={counted(skipped.tapes, '{0} file that could not be read', '{0} files that could not be read')}
      />
    </>
  );
}

interface TapeCardProps extends Pick<AttentionProps, 'names' | 'actions'> {
  readonly list: TapeList;
  readonly icon: 'warning' | 'question' | 'error';
  readonly title: string;
  readonly note?: string;
  readonly about?: (tape: TapeCount) => string;
}

/** The first tapes of a list; all of them are found by a search. */
function TapeCard({ list, icon, title, note, about, names, actions }: TapeCardProps): VNode | null {
  const { tapes, first, query } = list;
  if (tapes === 0) return null;
  return (
    <section class="card">
      <h2 class={icon === 'error' ? 'icon-failed' : 'icon-warning'}>
        <Icon name={icon} />
        {title}
      </h2>
      {note !== undefined && <p class="note">{note}</p>}
      <TapeRows tapes={first} names={names} onOpen={actions.openTape} {...(about && { about })} />
      {query !== undefined && (
        <button type="button" class="link" title={query} onClick={() => actions.search(query)}>
          {t('Search for them')}
        </button>
      )}
    </section>
  );
}
