import type { editor } from 'monaco-editor/editor';
import { readableOnDiff } from './contrast';

/** Monaco's built-in theme for each class that VS Code puts on a webview's body. */
const BASES: readonly (readonly [bodyClass: string, base: editor.BuiltinTheme])[] = [
  ['vscode-high-contrast-light', 'hc-light'],
  ['vscode-high-contrast', 'hc-black'],
  ['vscode-light', 'vs'],
];

/** The tokens of `JSON_LANGUAGE`, and the property of theme.css with the colour of each. */
const TOKEN_COLORS: readonly (readonly [token: string, property: string])[] = [
  ['string.key.json', '--json-key'],
  ['string.value.json', '--json-string'],
  ['number.json', '--json-number'],
  ['keyword.json', '--json-literal'],
];

/** The page's theme for Monaco. VS Code passes its colours to webviews as `--vscode-*` properties of the root. */
export function themeOfPage(): editor.IStandaloneThemeData {
  const { classList } = document.body;
  const base = BASES.find(([bodyClass]) => classList.contains(bodyClass))?.[1] ?? 'vs-dark';
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return { base, inherit: true, rules: [], colors: {} };
  const colors = colorsOf(context, document.documentElement.style);
  // Themes without contrast borders have no line between the texts, without which an empty text cannot be seen.
  const border = colors['diffEditor.border'] ?? colors['editorGroup.border'];
  return {
    base,
    inherit: true,
    rules: tokenRules(context, colors),
    colors: { ...colors, ...(border && { 'diffEditor.border': border }) },
  };
}

/** Colours for JSON that stay readable where a line or a piece of it is marked as removed or added. */
function tokenRules(context: CanvasRenderingContext2D, colors: Record<string, string>): editor.ITokenThemeRule[] {
  const style = getComputedStyle(document.body);
  return TOKEN_COLORS.flatMap(([token, property]) => {
    const color = hexColor(context, style.getPropertyValue(property).trim());
    return color === undefined ? [] : [{ token, foreground: readableOnDiff(color, colors).slice(1) }];
  });
}

function colorsOf(context: CanvasRenderingContext2D, style: CSSStyleDeclaration): Record<string, string> {
  const colors: Record<string, string> = {};
  for (const property of style) {
    const color = property.startsWith('--vscode-') && hexColor(context, style.getPropertyValue(property).trim());
    if (color) colors[colorId(property)] = color;
  }
  return colors;
}

/** `--vscode-diffEditor-insertedLineBackground` → `diffEditor.insertedLineBackground`. */
function colorId(property: string): string {
  return property.slice('--vscode-'.length).replace('-', '.');
}

/** A CSS colour as `#rrggbb` or `#rrggbbaa`, which is all that Monaco's themes take; undefined for other text. */
function hexColor(context: CanvasRenderingContext2D, value: string): string | undefined {
  if (!CSS.supports('color', value)) return undefined;
  context.fillStyle = value;
  const color = context.fillStyle;
  if (color.startsWith('#')) return color;
  const [red, green, blue, alpha] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || green === undefined || blue === undefined || alpha === undefined) return undefined;
  return `#${[red, green, blue, Math.round(alpha * 255)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The user's editor settings that VS Code passes to a page: the font, and whether a screen reader is used. */
export function settingsOfPage(): editor.IEditorOptions {
  const style = getComputedStyle(document.documentElement);
  const fontFamily = style.getPropertyValue('--vscode-editor-font-family').trim();
  const fontSize = Number.parseFloat(style.getPropertyValue('--vscode-editor-font-size'));
  const fontWeight = style.getPropertyValue('--vscode-editor-font-weight').trim();
  const screenReader = document.body.classList.contains('vscode-using-screen-reader');
  return {
    accessibilitySupport: screenReader ? 'on' : 'auto',
    ...(fontFamily && { fontFamily }),
    ...(Number.isFinite(fontSize) && { fontSize }),
    ...(fontWeight && { fontWeight }),
  };
}

/** Calls `listener` when VS Code gives the page another theme or other settings. Returns the unsubscriber. */
export function onPageChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}
