import type { Plugin } from "esbuild";

/** Removes the unused converter of the Markdown library. Fails if the library's code has changed. */
export const markdownReader: Plugin;
