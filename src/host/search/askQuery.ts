import * as vscode from 'vscode';
import { isQueryProblem, parseQuery } from '../../core/search/parseQuery';
import { QUERY_EXAMPLE, SEARCH_FIELDS } from '../../core/search/query';
import { t } from '../../core/text/l10n';

/** A suggestion while a query is typed: to search, or a completion. */
interface Offer extends vscode.QuickPickItem {
  /** The query with it. */
  readonly query: string;
  readonly isSearch: boolean;
}

/** Asks what to search for, and completes the fields of a query; undefined if it is dismissed. */
export function askQuery(last: string): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<Offer>();
  picker.title = t('Search All Tapes');
  picker.placeholder = QUERY_EXAMPLE;
  picker.value = last;
  const offer = (): void => {
    picker.items = offers(picker.value);
  };
  offer();
  return new Promise((resolve) => {
    picker.onDidChangeValue(offer);
    picker.onDidAccept(() => {
      const [chosen] = picker.activeItems;
      if (chosen === undefined) return;
      if (!chosen.isSearch) {
        picker.value = chosen.query;
        offer();
        return;
      }
      // The list may lag behind the last letters that were typed.
      const { value } = picker;
      if (isQueryProblem(parseQuery(value))) return;
      resolve(value);
      picker.hide();
    });
    picker.onDidHide(() => {
      picker.dispose();
      resolve(undefined);
    });
    picker.show();
  });
}

/** The search, or what is wrong with the query; then the completions of the current word. */
function offers(value: string): Offer[] {
  const [, before = '', typed = ''] = /^(.*?)(\S*)$/s.exec(value) ?? [];
  const query = parseQuery(value);
  const problem = isQueryProblem(query) ? query.message : undefined;
  const search: Offer = {
    label: problem === undefined ? `$(search) ${t('Search for {0}', value.trim())}` : `$(warning) ${problem}`,
    query: value,
    isSearch: true,
    alwaysShow: true,
  };
  const fields = SEARCH_FIELDS.filter(({ name }) => name.startsWith(typed.toLowerCase())).map(
    ({ name, example, about }): Offer => ({
      label: `${name}:`,
      description: `${example}   ${t(about)}`,
      query: `${before}${name}:`,
      isSearch: false,
      alwaysShow: true,
    }),
  );
  return value.trim() === '' ? fields : [search, ...fields];
}
