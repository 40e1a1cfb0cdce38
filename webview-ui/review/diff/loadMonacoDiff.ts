import { t } from '../../../src/core/text/l10n';
import type { DiffView } from './diffView';

type MonacoDiff = typeof import('./monacoDiff');

let loading: Promise<MonacoDiff> | undefined;

/**
 * Monaco's diff editor, loaded on the first call because it is most of this page's code. Its script, styles and worker are
 * beside this script. Rejects when any of them cannot be loaded; `onFailure` is called when it stops working later.
 */
export async function loadMonacoDiff(container: HTMLElement, onFailure: (reason: string) => void): Promise<DiffView> {
  loading ??= loadParts();
  const { createMonacoDiff } = await loading;
  return createMonacoDiff(container, { workerUrl: beside('editor.worker.js'), onFailure });
}

/** Loads Monaco while the host still looks for changes. A failure is reported when Monaco is needed. */
export function preloadMonacoDiff(): void {
  loading ??= loadParts();
  loading.catch(() => undefined);
}

async function loadParts(): Promise<MonacoDiff> {
  // By its URL: esbuild would add Monaco's styles to those of the page if it were imported by name.
  const script: Promise<MonacoDiff> = import(beside('monacoDiff.js').href);
  const [module] = await Promise.all([script, loadStyles(beside('monacoDiff.css'))]);
  return module;
}

function beside(name: string): URL {
  return new URL(name, import.meta.url);
}

function loadStyles({ href }: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(t('its styles cannot be loaded')));
    document.head.append(link);
  });
}
