import type { Uri, Webview, WebviewOptions } from 'vscode';
import type { Channel } from '../../contracts/rpc/rpc';
import { currentTranslation } from '../../core/text/l10n';

export type WebviewName = 'transcript' | 'review' | 'summary' | 'stability' | 'trial' | 'overview';

/** Sources by CSP directive, added to those of every webview. */
type CspSources = Readonly<Record<string, readonly string[]>>;

interface WebviewPage {
  readonly webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>;
  readonly extensionUri: Uri;
  /** The bundle in `dist/webview`: `NAME.js` and `NAME.css`. */
  readonly name: WebviewName;
  /** The title that a screen reader announces. */
  readonly title: string;
  readonly extraCsp?: CspSources;
  /** The initial data of the page, in its `data-begin` attribute. */
  readonly begin?: string;
}

/** Allows scripts, and files from the bundles and `media` only. */
export function webviewOptions(extensionUri: Uri): WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [under(extensionUri, 'dist/webview'), under(extensionUri, 'media')],
  };
}

/** The icon of a page's tab: VS Code's own is white in every theme. */
export function pageIcon(extensionUri: Uri): { readonly light: Uri; readonly dark: Uri } {
  const icon = (theme: string): Uri => under(extensionUri, `media/icons/page-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}

/** The HTML of a webview. It shows recorded model output, so its policy forbids all inline and remote content. */
export function webviewHtml({ webview, extensionUri, name, title, extraCsp = {}, begin = '' }: WebviewPage): string {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const file = (suffix: string): string =>
    escapeHtml(webview.asWebviewUri(under(extensionUri, `dist/webview/${name}${suffix}`)).toString());
  const translation = currentTranslation();
  const csp = contentSecurityPolicy(nonce, webview.cspSource, extraCsp);
  return `<!DOCTYPE html>
<html lang="${escapeHtml(translation.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${file('.css')}">
<script type="module" nonce="${nonce}" src="${file('.js')}"></script>
</head>
<body>
<script type="application/json" id="translation">${JSON.stringify(translation).replaceAll('<', '\\u003c')}</script>
<div id="root" data-begin="${escapeHtml(begin)}"></div>
</body>
</html>`;
}

/** Imported chunks carry no nonce; `cspSource` allows those of the extension. */
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

// Uses `with` instead of Uri.joinPath, so that browser tests can build this page without the vscode module.
function under(base: Uri, path: string): Uri {
  return base.with({ path: `${base.path.replace(/\/$/, '')}/${path}` });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The host's end of a webview's channel. Close the peer with the panel: `send` throws once the webview is disposed. */
export function webviewChannel(webview: Webview): Channel {
  return {
    send: (message) => void webview.postMessage(message),
    onMessage: (listener) => {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => subscription.dispose();
    },
  };
}
