/** How formulas look: put on the page with the first one. */
import look from "./look.css";

/** Gives the page the look of formulas. */
export function showMathLook(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(look);
  document.adoptedStyleSheets.push(sheet);
}
