import { t } from '../../../src/core/text/l10n';
/** The first message of the worker, once its script has run. Monaco itself would wait for one forever. */
export const WORKER_READY = 'tapedeck-worker-ready';

const START_TIMEOUT_MS = 10_000;

/**
 * Starts a worker from the script at `url` and waits until the script has run. Rejects when it cannot be loaded or fails.
 * The blob is needed because a webview may not start workers from another origin, not even the extension's.
 */
export async function startEditorWorker(url: URL): Promise<Worker> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(t('its worker cannot be loaded ({0})', response.status));
  const script = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'text/javascript' }));
  try {
    return await ready(new Worker(script, { name: 'tapedeck-diff' }));
  } finally {
    URL.revokeObjectURL(script);
  }
}

function ready(worker: Worker): Promise<Worker> {
  return new Promise<Worker>((resolve, reject) => {
    const giveUp = (reason: string): void => {
      worker.terminate();
      reject(new Error(reason));
    };
    const timer = setTimeout(() => giveUp(t('its worker did not start in time')), START_TIMEOUT_MS);
    worker.onerror = ({ message }) => {
      clearTimeout(timer);
      giveUp(message ? t('its worker failed ({0})', message) : t('its worker failed'));
    };
    worker.onmessage = ({ data }) => {
      if (data !== WORKER_READY) return;
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      resolve(worker);
    };
  });
}
