import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Formulas } from "../answer/math/formulas.ts";
import type { Highlighter } from "../answer/code/highlighter.ts";
import type { Store } from "./store.ts";

/** What every part of the page may use. */
export interface Services {
  readonly store: Store;
  readonly highlighter: Highlighter;
  readonly formulas: Formulas;
}

/** Holds the services; `main` puts them in. */
export const ServicesContext = createContext<Services | null>(null);

/** Returns the services; a component outside of the page is a bug. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("a component was rendered outside of the page");
  return services;
}

/** Returns the store. */
export function useStore(): Store {
  return useServices().store;
}
