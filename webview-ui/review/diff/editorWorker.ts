// Monaco's worker, which computes the diffs. esbuild makes one self-contained script of it, see `startEditorWorker`.
import 'monaco-editor/editor/editor.worker';
import { WORKER_READY } from './startEditorWorker';

self.postMessage(WORKER_READY);
