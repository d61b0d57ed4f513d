/** Parameters of single strategies, with the defaults of spec §6: for all conversations, or for one. */

/** A parameter is a whole number. The bounds are those that the editor shows beside its setting, `forge.context.<name>`. */
export const STRATEGY_PARAMETERS = {
  /** Messages at the beginning that are sent unchanged. */
  "sandwich.top": { standard: 5, least: 0, most: 100 },
  /** Messages at the end that are sent unchanged. */
  "sandwich.bottom": { standard: 5, least: 0, most: 100 },
  /** Use of the budget from which the middle is summarized. */
  "sandwich.thresholdPercent": { standard: 70, least: 30, most: 100 },
  /** Use of the budget from which everything but the newest messages is summarized. */
  "archive.thresholdPercent": { standard: 85, least: 50, most: 100 },
  /** Most tokens that one summary stands for. */
  "tree.chunkTokens": { standard: 20_000, least: 1_000, most: 200_000 },
  /** Levels of summaries; 1: no summaries of summaries. */
  "tree.levels": { standard: 3, least: 1, most: 10 },
  /** Number of newest messages that are sent. */
  "slidingWindow.last": { standard: 20, least: 1, most: 10_000 },
} as const satisfies Readonly<Record<string, ParameterBounds>>;

export interface ParameterBounds {
  readonly standard: number;
  readonly least: number;
  readonly most: number;
}

export type StrategyParameterName = keyof typeof STRATEGY_PARAMETERS;
export type StrategyParameters = Readonly<Record<StrategyParameterName, number>>;

export const STRATEGY_PARAMETER_NAMES = Object.keys(STRATEGY_PARAMETERS) as readonly StrategyParameterName[];

export function isParameterValue(name: StrategyParameterName, value: unknown): value is number {
  const { least, most } = STRATEGY_PARAMETERS[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}

/** The defaults with the valid values of `read`; invalid ones are ignored. */
export function readStrategyParameters(read: (name: StrategyParameterName) => unknown): StrategyParameters {
  const entries = STRATEGY_PARAMETER_NAMES.map((name) => {
    const value = read(name);
    return [name, isParameterValue(name, value) ? value : STRATEGY_PARAMETERS[name].standard] as const;
  });
  return Object.fromEntries(entries) as Record<StrategyParameterName, number>;
}

/** Name of a conversation's own setting for a parameter; an empty value follows the user's settings. */
export function parameterSetting(name: StrategyParameterName): string {
  return `${STRATEGY_SETTING}.${name}`;
}

/** Name of a conversation's own setting for its strategy. */
export const STRATEGY_SETTING = "strategy";

/** True if a conversation's setting decides how it is summarized. */
export function isStrategySetting(name: string): boolean {
  return name === STRATEGY_SETTING || STRATEGY_PARAMETER_NAMES.some((each) => parameterSetting(each) === name);
}

/** A conversation's own value of a parameter; `undefined`: it follows the user's settings. */
export function ownParameter(
  name: StrategyParameterName,
  setting: (name: string) => string | undefined,
): number | undefined {
  const stored = setting(parameterSetting(name));
  const value = stored === undefined || stored === "" ? undefined : Number(stored);
  return isParameterValue(name, value) ? value : undefined;
}

/** `parameters` with a conversation's own values; the same object where it has none. */
export function withOwnParameters(
  parameters: StrategyParameters,
  setting: (name: string) => string | undefined,
): StrategyParameters {
  const own = STRATEGY_PARAMETER_NAMES.flatMap((name) => {
    const value = ownParameter(name, setting);
    return value === undefined ? [] : [[name, value] as const];
  });
  return own.length === 0 ? parameters : { ...parameters, ...Object.fromEntries(own) };
}
