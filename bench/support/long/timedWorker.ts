/** The storage worker as shipped, with a probe of how long it holds its thread. */

import { LoopProbe, PROBE_CHANNEL } from "./loopProbe.ts";
import "../../../src/host/opening/storageWorker.ts";

const probe = new LoopProbe();
const channel = new BroadcastChannel(PROBE_CHANNEL);
channel.onmessage = ({ data }: { readonly data: unknown }): void => {
  if (data === "reset") probe.reset();
  else if (data === "report") channel.postMessage(probe.longestMs);
};
channel.unref();
