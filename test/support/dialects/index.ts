import type { DialectCase } from "./dialectCase.ts";
import { streams } from "./streams.ts";
import { thoughts } from "./thoughts.ts";
import { toolCalls } from "./toolCalls.ts";

/** All cases, of all kinds. */
export const DIALECT_CASES: readonly DialectCase[] = [toolCalls, thoughts, streams].flat();
