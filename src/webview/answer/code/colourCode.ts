/** Entry of what colours code, a file of its own: 170 KB that the first picture does not need. */
import { adoptLook } from "../adoptLook.ts";
import type { HighlightCode } from "./codeTokens.ts";
import { highlight } from "./highlight.ts";
import look from "./look.css";

adoptLook(look);

/** {@link highlight}, on a page that has the colours. */
export const colourCode: HighlightCode = highlight;
