/** Style sheets for content that not every conversation has: added with the first such content. */

export function adoptStyleSheet(cssText: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(cssText);
  document.adoptedStyleSheets.push(sheet);
}
