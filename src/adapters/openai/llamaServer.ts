/**
 * llama.cpp tells about its models outside the standard API: at `/props`, and in the list of a router, which starts a
 * server for each model when it is asked for the first time. Pure.
 */

import { countIn, listIn, member, stringField } from "../../core/json.ts";
import type { ModelFacts } from "../http/listedModels.ts";

/** Rows of a list that name llama.cpp as their owner. */
export function llamaRows(list: unknown): readonly unknown[] {
  return listIn(list, "data").filter((row) => stringField(row, "owned_by").toLowerCase().includes("llama"));
}

/** A router's model that no server runs yet: asking for its `/props` might start one. */
export function isUnloaded(row: unknown): boolean {
  const state = stringField(member(row, "status"), "value");
  return state !== "" && state !== "loaded" && state !== "sleeping";
}

export function isOfRouter(row: unknown): boolean {
  return stringField(member(row, "status"), "value") !== "";
}

/** From `/props`, of a model in memory. Its window is that of one slot. */
export function factsOfProps(props: unknown): ModelFacts {
  const contextWindow = countIn(member(props, "default_generation_settings"), "n_ctx");
  const slots = countIn(props, "total_slots");
  return {
    limits: contextWindow > 0 ? { contextWindow } : {},
    callsTools: flag(member(member(props, "chat_template_caps"), "supports_tools")),
    seesImages: flag(member(member(props, "modalities"), "vision")),
    slots: slots > 0 ? slots : undefined,
  };
}

/** From the command with which a router will start the model. */
export function factsOfUnloaded(row: unknown): ModelFacts {
  const status = member(row, "status");
  const options = new Map([
    ...presetOptions(stringField(status, "preset")),
    ...argumentOptions(listIn(status, "args")),
  ]);
  const numberOf = (...names: readonly string[]): number =>
    Number(names.map((name) => options.get(name)).find((value) => value !== undefined && /^\d{1,9}$/.test(value)) ?? 0);
  const all = numberOf("ctx-size", "c");
  const slots = numberOf("parallel", "np");
  // One cache for all slots leaves each the whole window.
  const isShared = slots <= 1 || options.has("kv-unified") || options.has("kvu");
  const contextWindow = isShared ? all : Math.floor(all / slots);
  return {
    limits: contextWindow > 0 ? { contextWindow } : {},
    callsTools: undefined,
    seesImages: undefined,
    slots: slots > 0 ? slots : undefined,
  };
}

/** `--name value`, `--name=value` and flags, without the dashes. */
function argumentOptions(given: readonly unknown[]): readonly (readonly [string, string])[] {
  return given.flatMap((argument, index) => {
    const named = typeof argument === "string" ? /^--?([a-z][\w-]*)(?:=(.*))?$/i.exec(argument) : null;
    if (named === null) return [];
    const next = given[index + 1];
    return [[named[1] ?? "", named[2] ?? (typeof next === "string" ? next : "")] as const];
  });
}

/** Lines `name = value`, the names also as the environment has them: `LLAMA_ARG_CTX_SIZE`. */
function presetOptions(preset: string): readonly (readonly [string, string])[] {
  return preset.split("\n").flatMap((line) => {
    const at = line.indexOf("=");
    if (at < 0) return [];
    const name = line.slice(0, at).trim();
    const spelled = name.startsWith("LLAMA_ARG_") ? name.slice(10).toLowerCase().replaceAll("_", "-") : name;
    return [[spelled.replace(/^-+/, ""), line.slice(at + 1).trim()] as const];
  });
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
