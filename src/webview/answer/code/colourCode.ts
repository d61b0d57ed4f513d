/** Entry point of the highlighter, a bundle of its own: 170 KB that the first paint does not need. */
import { adoptStyleSheet } from "../adoptStyleSheet.ts";
import type { HighlightCode } from "./codeTokens.ts";
import { highlight } from "./highlight.ts";
import look from "./look.css";

adoptStyleSheet(look);

/** {@link highlight}; importing this module also adds the colours. */
export const colourCode: HighlightCode = highlight;
