import type { DiffView } from './diffView';

/**
 * Monaco's diff editor, loaded on the first call: it is the bulk of this page's code. The build puts its script, styles
 * and worker beside this script. Rejects when any of it cannot be had; `onFailure` hears when it stops working later.
 */
export async function loadMonacoDiff(container: HTMLElement, onFailure: (reason: string) => void): Promise<DiffView> {
  const beside = (name: string): URL => new URL(name, import.meta.url);
  // By its address: imported by name, esbuild would put Monaco's styles into those of the page.
  const loading: Promise<typeof import('./monacoDiff')> = import(beside('monacoDiff.js').href);
  const [{ createMonacoDiff }] = await Promise.all([loading, loadStyles(beside('monacoDiff.css'))]);
  return createMonacoDiff(container, { workerUrl: beside('editor.worker.js'), onFailure });
}

function loadStyles({ href }: URL): Promise<void> {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('its styles cannot be loaded'));
    document.head.append(link);
  });
}
