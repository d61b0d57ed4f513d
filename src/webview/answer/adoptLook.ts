/** Style sheets for content that not every conversation has: added with the first such content. */

export function adoptLook(look: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(look);
  document.adoptedStyleSheets.push(sheet);
}
