import type { EditorApi } from '../../contracts/engine/engine';

/** What the engine may call of the editor. The code behind each call is loaded by the first one. */
export const editorCalls: EditorApi = {
  chat: async (params, signal) => (await import('./languageModel')).askLanguageModel(params, signal),
  debugCommand: async (params) => (await import('./debugAgent')).debugCommand(params),
  attachDebugger: async (params) => (await import('./debugAgent')).attachDebugger(params),
};
