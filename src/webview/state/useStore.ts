import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Formulas } from "../answer/math/formulas.ts";
import type { Highlighter } from "../answer/code/highlighter.ts";
import type { Store } from "./store.ts";

/** Available to all components. */
export interface Services {
  readonly store: Store;
  readonly highlighter: Highlighter;
  readonly formulas: Formulas;
}

/** Provided by `main`. */
export const ServicesContext = createContext<Services | null>(null);

/** Throws outside of the page, which is a bug. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("a component was rendered outside of the page");
  return services;
}

export function useStore(): Store {
  return useServices().store;
}
