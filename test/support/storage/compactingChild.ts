/**
 * Opens the conversation in a folder, summarizes it as on a user's command, and kills itself at one moment: before it,
 * at the model request, at a file call that changes something, or after it. Prints where. Arguments: folder; moment
 * from 0.
 */

import { writeSync } from "node:fs";
import { FaultyCalls } from "./faultyCalls.ts";
import { asynchronous, LocalStores } from "./localStore.ts";
import type { Script } from "../models/scriptedModel.ts";
import { SpokenConversation } from "../session/spokenConversation.ts";

const [, , folder = "", nth = "0"] = process.argv;
/** Calls that change files. A kill at any other call leaves the same as one at the call before it. */
const CHANGES: ReadonlySet<string> = new Set(["write", "sync", "truncate", "unlink", "rename", "syncFolder"]);
let left = Infinity;

const moment = (where: string): undefined => {
  if (left-- !== 0) return undefined;
  writeSync(1, `killed at ${where}\n`); // synchronous, so that a kill cannot lose it
  process.kill(process.pid, "SIGKILL");
  return undefined;
};
const faults = new FaultyCalls();
const stores = await LocalStores.load(faults);
const opened = stores.open(folder);
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const conversation = await new SpokenConversation({ store: asynchronous(opened.value) }).fold();
const script: Script = () => {
  moment("the request");
  return { text: "## Goal\nFaster orders.\n## Open items\n- none" };
};
faults.restart(({ name }) => (CHANGES.has(name) ? moment(`a ${name}`) : undefined));
left = Number(nth);
moment("the beginning");
const { done } = await conversation.compact("manual", script);
moment("the end");
left = Infinity;
writeSync(1, `${done.ok && done.value !== undefined ? "summarized" : "failed"}\n`);
await conversation.store.close();
