/** Entry point of the webview: acquires the editor's handle, which is possible once, and renders the page. */
import "./words/translations.ts";
import { effect } from "@preact/signals";
import { render } from "preact";
import type { HostHandle } from "./link/channel.ts";
import { copySelection } from "./transcript/copySelection.ts";
import { createRenderSchedule } from "./transcript/renderSchedule.ts";
import { Formulas } from "./answer/math/formulas.ts";
import { Highlighter } from "./answer/code/highlighter.ts";
import { retainFocus } from "./a11y/retainedFocus.ts";
import { App } from "./app.tsx";
import { applyFont } from "./words/font.ts";
import { ServicesContext } from "./state/useStore.ts";
import { Store } from "./state/store.ts";

declare function acquireVsCodeApi(): HostHandle;

function start(root: HTMLElement): void {
  const address = (name: string): string =>
    document.querySelector<HTMLMetaElement>(`meta[name="forge-${name}"]`)?.content ?? "";
  const store = new Store(acquireVsCodeApi(), createRenderSchedule());
  const highlighter = new Highlighter(address("highlight"));
  const formulas = new Formulas(address("math"));
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    store.accept(event.data);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") store.postDraft();
  });
  document.addEventListener("copy", copySelection);
  for (const kind of ["focus", "blur"] as const) {
    window.addEventListener(kind, () => {
      store.post({ kind: "focus", hasFocus: kind === "focus" });
    });
  }
  render(
    <ServicesContext.Provider value={{ store, highlighter, formulas }}>
      <App />
    </ServicesContext.Provider>,
    root,
  );
  effect(() => {
    applyFont(document.body, store.font.value);
  });
  retainFocus(root, () => root.querySelector(".composer textarea"));
  store.requestSnapshot();
  if (document.hasFocus()) store.post({ kind: "focus", hasFocus: true }); // the focus may be older than the page
}

const root = document.getElementById("forge");
if (root !== null) start(root);
