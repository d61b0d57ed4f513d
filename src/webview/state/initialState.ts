/** State before anything is received from the host. */
import { emptyComposer } from "../composer/composerState.ts";
import { emptyMemory } from "../composer/viewMemory.ts";
import { windowAtTail } from "../transcript/rowWindow.ts";
import type { AppState } from "./state.ts";

export const initialState: AppState = {
  phase: "waiting",
  conversationId: "",
  rows: [],
  window: windowAtTail([]),
  hasOlder: false,
  loadingOlder: false,
  status: {
    title: "",
    model: { label: "", providerLabel: "" },
    usage: { usedTokens: 0, budgetTokens: 0, text: "", severity: 0, measured: false, segments: [] },
    connection: { kind: "connected", why: "" },
    unreachableServers: [],
    activity: "loading",
    progress: null,
    banner: null,
    draftTokens: null,
  },
  composer: emptyComposer,
  unrestored: emptyMemory,
  mentions: { requestId: -1, mentions: [] },
  context: null,
  openRows: new Set(),
  rowKeys: new Map(),
  summaryDetails: new Map(),
  summaryOriginals: new Map(),
  callDetails: new Map(),
  sourceStates: new Map(),
  revealedRow: null,
  focusRequests: 0,
  font: { sizePx: null, family: null },
  readOut: { amount: "all", silent: [] },
};
