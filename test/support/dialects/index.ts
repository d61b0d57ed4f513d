import type { DialectCase } from "./dialectCase.ts";
import { errors } from "./errors.ts";
import { models } from "./models.ts";
import { streams } from "./streams.ts";
import { thoughts } from "./thoughts.ts";
import { toolCalls } from "./toolCalls.ts";
import { usage } from "./usage.ts";

/** All cases, of all kinds. */
export const DIALECT_CASES: readonly DialectCase[] = [toolCalls, thoughts, streams, errors, usage, models].flat();
