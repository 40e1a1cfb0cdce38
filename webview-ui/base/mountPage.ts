import { render, type VNode } from 'preact';
import { type Connected, type Contract, connect } from '../../src/contracts/contract';
import { type Translation, useTranslation } from '../../src/core/text/l10n';
import { hostChannel } from './vscodeApi';

/** Connects a page to the host, and draws it. */
export function mountPage<const C extends Contract>(contract: C, draw: (page: Connected<C>) => VNode): void {
  usePageTranslation();
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no root element');
  // A page answers nothing.
  render(draw(connect<C>(contract, hostChannel, ...([] as never))), root);
}

/** Sets the language that the host wrote into the page. Called before the page is rendered. */
function usePageTranslation(): void {
  const written = document.getElementById('translation')?.textContent;
  if (written) useTranslation(JSON.parse(written) as Translation);
}
