/** A row that is drawn without its components, and what may still change about it before anybody touches it. */
import { effect } from "@preact/signals";
import type { VNode } from "preact";
import type { KnownFiles } from "../knownFiles.ts";
import { drawTokens } from "./codeBlock.tsx";
import { drawStill, type StillDrawing } from "./still.ts";
import { stillForms } from "./stillForms.ts";
import type { Services } from "./useStore.ts";

/** To be ended when it gets its components, or goes away. */
export interface StillRow {
  end(): void;
}

/**
 * Draws `view` into `element`, which is empty; null where that needs its components, and it is empty again. `redraw` is
 * called when a file that is named in it turns out to be there.
 */
export function drawStillRow(
  element: HTMLElement,
  view: VNode,
  services: Services,
  redraw: () => void,
): StillRow | null {
  const drawing: StillDrawing = { services, missingFiles: new Set(), plainCodes: [], plainLength: 0 };
  if (!drawStill(element, view, stillForms, drawing)) {
    element.replaceChildren();
    return null;
  }
  const { missingFiles, plainCodes } = drawing;
  const ends: (() => void)[] = [];
  if (missingFiles.size > 0) ends.push(watchFiles([...missingFiles], services.store.files, redraw));
  if (plainCodes.length > 0) ends.push(colourLater(drawing));
  return {
    end: () => {
      for (const end of ends) end();
    },
  };
}

function watchFiles(paths: readonly string[], files: KnownFiles, redraw: () => void): () => void {
  const missing = paths.map((path) => files.isThere(path));
  for (const path of paths) files.ask(path);
  let isEnded = false;
  const end = effect(() => {
    if (!missing.some((isThere) => isThere.value)) return;
    queueMicrotask(() => {
      if (!isEnded) redraw();
    });
  });
  return () => {
    isEnded = true;
    end();
  };
}

/** Colours the code when there is time, block by block. */
function colourLater(drawing: StillDrawing): () => void {
  let isEnded = false;
  for (const { language, text, pre } of drawing.plainCodes)
    void drawing.services.highlighter.tokens(language, text).then((tokens) => {
      const place = pre.current?.firstElementChild;
      if (isEnded || tokens === null || place == null) return;
      place.replaceChildren();
      drawStill(place, drawTokens(tokens), stillForms, drawing);
    });
  return () => {
    isEnded = true;
  };
}
