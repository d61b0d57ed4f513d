import type { Plugin } from "esbuild";

/** Leaves what the page never calls out of the Markdown library; fails where that is not written as it was. */
export const markdownReader: Plugin;
