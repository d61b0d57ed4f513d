/** Sets the user's language. Imported first, since modules read their strings when they are loaded. */
import { type Translations, setTranslations } from "../../protocol/localize.ts";

/** Set by an earlier script, if there is one for the language; see `host/view/webviewHtml.ts`. */
declare const forgeTranslations: Translations | undefined;

if (typeof forgeTranslations !== "undefined") setTranslations(forgeTranslations, document.documentElement.lang);
