/** The look of what not every conversation shows: it comes with the first of it. */

/** Gives the page one more style sheet. */
export function adoptLook(look: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(look);
  document.adoptedStyleSheets.push(sheet);
}
