// Monaco's worker, which computes diffs. esbuild bundles it into one script; `startEditorWorker` starts it.
import 'monaco-editor/editor/editor.worker';
import { WORKER_READY } from './startEditorWorker';

self.postMessage(WORKER_READY);
