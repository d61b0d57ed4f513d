/**
 * Generates the files of src/core/models/snapshot/ from the data of @pydantic/genai-prices: text models only, and only
 * figures that the source states for exactly these ids on the given day.
 */

import { findProvider, type MatchLogic, type ModelInfo, type ModelPrice } from "@pydantic/genai-prices";
import { format } from "prettier";
import { longestPrefix } from "../../src/core/models/longestPrefix.ts";
import project from "../../package.json" with { type: "json" };

/** Providers with a snapshot. */
const PROVIDERS = ["anthropic", "openai"] as const;

const version = project.devDependencies["@pydantic/genai-prices"];

/** Contents by file name, with the prices of `date`, such as `2026-11-21`. */
export async function snapshotFiles(date: string): Promise<ReadonlyMap<string, string>> {
  const files = PROVIDERS.map(async (provider) => {
    const text = await format(sourceText(provider, date), { parser: "typescript", printWidth: 120 });
    return [`${provider}.ts`, text] as const;
  });
  return new Map(await Promise.all(files));
}

function sourceText(provider: (typeof PROVIDERS)[number], date: string): string {
  const models = (findProvider({ providerId: provider })?.models ?? []).filter(isTextModel);
  if (models.length === 0) throw new Error(`@pydantic/genai-prices ${version} has no models of ${provider}`);
  const windows = [...windowsByPrefix(models)].map(([id, window]) => `${JSON.stringify(id)}: ${digits(window)},`);
  const prices = models.flatMap((model) => {
    const price = priceText(pricesOn(date, model));
    return price === undefined ? [] : exactIds(model).map((id) => `${JSON.stringify(id)}: ${price},`);
  });
  return `
    /** What @pydantic/genai-prices ${version} knew on ${date}. Made by \`npm run models\`; a test compares the two. */

    import { price, type ModelSnapshot } from "./modelSnapshot.ts";

    /** The models of ${provider}. */
    export const ${provider.toUpperCase()}_SNAPSHOT: ModelSnapshot = {
      date: "${date}",
      windows: {
        ${windows.toSorted().join("\n")}
      },
      prices: {
        ${prices.toSorted().join("\n")}
      },
    };
  `;
}

/** The smallest set of id prefixes that determines the window of every model. */
function windowsByPrefix(models: readonly ModelInfo[]): ReadonlyMap<string, number> {
  const windows = new Map<string, number>();
  const shortestFirst = models.toSorted((one, other) => one.id.length - other.id.length);
  for (const { id, context_window } of shortestFirst) {
    if (context_window !== undefined && longestPrefix(windows, id) !== context_window) windows.set(id, context_window);
  }
  return windows;
}

/** Whether it has a window and is billed for text only. */
function isTextModel({ context_window, prices }: ModelInfo): boolean {
  const all = Array.isArray(prices) ? prices.map((conditional) => conditional.prices) : [prices];
  const keys = all.flatMap(Object.keys);
  const isForText = keys.includes("input_mtok") && keys.includes("output_mtok");
  return context_window !== undefined && isForText && !keys.some((key) => /audio|image/.test(key));
}

/** The id and its other spellings, without patterns. */
function exactIds({ id, match }: ModelInfo): readonly string[] {
  const spellings = (logic: MatchLogic): readonly string[] => {
    if ("equals" in logic) return [logic.equals];
    return "or" in logic ? logic.or.flatMap(spellings) : [];
  };
  return [...new Set([id, ...spellings(match)])];
}

/** The newest prices valid on `date`. `undefined` if they depend on the time of day. */
function pricesOn(date: string, { prices }: ModelInfo): ModelPrice | undefined {
  if (!Array.isArray(prices)) return prices;
  let newest: { readonly from: string; readonly prices: ModelPrice } | undefined;
  for (const { constraint, prices: found } of prices) {
    if (constraint !== undefined && constraint.type !== "start_date") return undefined;
    const from = constraint?.start_date ?? "";
    if (from <= date && (newest === undefined || from >= newest.from)) newest = { from, prices: found };
  }
  return newest?.prices;
}

/** Code of the call that creates a price. `undefined` if it has more tiers than Forge supports. */
function priceText(prices: ModelPrice | undefined): string | undefined {
  const [input, output, ...cache] = RATES.map((name) => prices?.[name]);
  if (input === undefined || output === undefined) return undefined;
  // Cache writes have a price only if cache reads have one.
  const known = cache.indexOf(undefined);
  const rates = [input, output, ...cache.slice(0, known < 0 ? undefined : known)].filter((rate) => rate !== undefined);
  const base = rates.map((rate) => (typeof rate === "number" ? rate : rate.base));
  const tiers = rates.map((rate) => (typeof rate === "number" ? [] : rate.tiers));
  const starts = new Set(tiers.map((of) => of.map(({ start }) => start).join()));
  if (starts.size !== 1) return undefined;
  const [first] = tiers[0] ?? [];
  if (first === undefined) return `price([${base.join(", ")}])`;
  if (tiers[0]?.length !== 1) return undefined;
  const long = tiers.map(([tier]) => tier?.price ?? 0);
  return `price([${base.join(", ")}], { aboveTokens: ${digits(first.start)}, rates: [${long.join(", ")}] })`;
}

/** Rates of a price, in the order of that call. */
const RATES = ["input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok"] as const;

function digits(value: number): string {
  return value.toLocaleString("en-US").replaceAll(",", "_");
}
