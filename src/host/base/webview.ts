import type { Uri, Webview, WebviewOptions } from 'vscode';
import type { Channel } from '../../protocol/rpc';

export type WebviewName = 'transcript' | 'review';

/** Sources by CSP directive, added to those of every webview. */
export type CspSources = Readonly<Record<string, readonly string[]>>;

export interface WebviewPage {
  readonly webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>;
  readonly extensionUri: Uri;
  /** The bundle in `dist/webview`: `NAME.js` and `NAME.css`. */
  readonly name: WebviewName;
  /** What a screen reader announces. */
  readonly title: string;
  readonly extraCsp?: CspSources;
  /** What the page begins with, as its `data-begin`. */
  readonly begin?: string;
}

/** Scripts run, and files are read from the bundles and `media` alone. */
export function webviewOptions(extensionUri: Uri): WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [under(extensionUri, 'dist/webview'), under(extensionUri, 'media')],
  };
}

/** The page of a webview. What it shows is recorded model output, so nothing inline and nothing remote can run or load. */
export function webviewHtml({ webview, extensionUri, name, title, extraCsp = {}, begin = '' }: WebviewPage): string {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const file = (suffix: string): string =>
    escapeHtml(webview.asWebviewUri(under(extensionUri, `dist/webview/${name}${suffix}`)).toString());
  const csp = contentSecurityPolicy(nonce, webview.cspSource, extraCsp);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${file('.css')}">
<script type="module" nonce="${nonce}" src="${file('.js')}"></script>
</head>
<body>
<div id="root" data-begin="${escapeHtml(begin)}"></div>
</body>
</html>`;
}

/** A chunk that a module imports carries no nonce: `cspSource` lets those of the extension through. */
function contentSecurityPolicy(nonce: string, cspSource: string, extra: CspSources): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'script-src': [`'nonce-${nonce}'`, cspSource],
    'style-src': [cspSource],
    'font-src': [cspSource],
    'img-src': [cspSource, 'data:'],
    'media-src': ['data:'],
  };
  for (const [name, sources] of Object.entries(extra)) directives[name] = [...(directives[name] ?? []), ...sources];
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

// By `with`, not Uri.joinPath: only types come from vscode, so a browser test builds the very page that ships.
function under(base: Uri, path: string): Uri {
  return base.with({ path: `${base.path.replace(/\/$/, '')}/${path}` });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The host's end of a webview's messages. Close the peer when the panel is disposed: a dead webview throws on `send`. */
export function webviewChannel(webview: Webview): Channel {
  return {
    send: (message) => void webview.postMessage(message),
    onMessage: (listener) => {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => subscription.dispose();
    },
  };
}
