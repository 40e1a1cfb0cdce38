import type { Uri, Webview } from 'vscode';
import { webviewHtml } from '../base/webviewHtml';

/** The page of a review. Besides what every page may do, it runs Monaco. */
export function reviewHtml(webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>, extensionUri: Uri): string {
  return webviewHtml({
    webview,
    extensionUri,
    name: 'review',
    title: 'Review',
    extraCsp: {
      // Monaco writes the styles of its themes and decorations into <style> elements while it runs.
      'style-src': ["'unsafe-inline'"],
      // Its worker is fetched from the extension and started from a blob: a webview may not start one from elsewhere.
      'worker-src': ['blob:'],
      'connect-src': [webview.cspSource],
    },
  });
}
