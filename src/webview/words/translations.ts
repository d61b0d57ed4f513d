/** Takes the user's language. Imported before everything else, since modules read their words when they are loaded. */
import { type Translations, useTranslations } from "../../protocol/localize.ts";

/** Set by a script in front of this one, where there is one for the language; see `host/view/webviewHtml.ts`. */
declare const forgeTranslations: Translations | undefined;

if (typeof forgeTranslations !== "undefined") useTranslations(forgeTranslations, document.documentElement.lang);
