import { type Translation, useTranslation } from '../../src/core/text/l10n';

/** Sets the language that the host wrote into the page. Called before the page is rendered. */
export function usePageTranslation(): void {
  const written = document.getElementById('translation')?.textContent;
  if (written) useTranslation(JSON.parse(written) as Translation);
}
