import type { DiffView } from './diffView';

type MonacoDiff = typeof import('./monacoDiff');

let loading: Promise<MonacoDiff> | undefined;

/**
 * Monaco's diff editor, loaded on the first call: it is the bulk of this page's code. The build puts its script, styles
 * and worker beside this script. Rejects when any of it cannot be had; `onFailure` hears when it stops working later.
 */
export async function loadMonacoDiff(container: HTMLElement, onFailure: (reason: string) => void): Promise<DiffView> {
  loading ??= loadParts();
  const { createMonacoDiff } = await loading;
  return createMonacoDiff(container, { workerUrl: beside('editor.worker.js'), onFailure });
}

/** Fetches it while the host still looks for what changed. What fails is said when it is needed. */
export function preloadMonacoDiff(): void {
  loading ??= loadParts();
  loading.catch(() => undefined);
}

async function loadParts(): Promise<MonacoDiff> {
  // By its address: imported by name, esbuild would put Monaco's styles into those of the page.
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
    link.onerror = () => reject(new Error('its styles cannot be loaded'));
    document.head.append(link);
  });
}
