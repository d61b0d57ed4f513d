/**
 * Lists the conversations of a storage folder as a fresh process, and prints the time. Arguments: the folder, and `save`
 * to leave a cache of the listings for the next process.
 */

import { join } from "node:path";
import { systemClock } from "../../../src/adapters/node/clock.ts";
import { listedConversations } from "../../../src/host/conversations/list/listedConversations.ts";
import { SearchIndex } from "../../../src/host/search/searchIndex.ts";

const [, , storage = "", saves] = process.argv;
const index = new SearchIndex({ storage, dist: "", clock: systemClock, log: { info: console.error } });

const began = performance.now();
const cache = await index.readListings();
const listed = await listedConversations(join(storage, "conversations"), new Set(), cache);
const ms = performance.now() - began;
if (saves === "save") await index.saveListings(cache);
console.log(JSON.stringify({ ms, count: listed.ok ? listed.value.length : 0, isCached: !cache.isOutdated }));
