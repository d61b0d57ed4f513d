import { accessScenes } from "./accessScenes.ts";
import { codeScenes } from "./codeScenes.ts";
import { composerScenes } from "./composerScenes.ts";
import { contextScenes } from "./contextScenes.ts";
import { formulaScenes } from "./formulaScenes.ts";
import { type Scene, scenes } from "./scenes.ts";
import { summaryScenes } from "./summaryScenes.ts";
import { toolScenes } from "./toolScenes.ts";

export const allScenes: Readonly<Record<string, Scene>> = {
  ...scenes,
  ...toolScenes,
  ...composerScenes,
  ...codeScenes,
  ...formulaScenes,
  ...contextScenes,
  ...summaryScenes,
  ...accessScenes,
};
