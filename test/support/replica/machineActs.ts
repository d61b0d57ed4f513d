/** Acts of persons on machines, and a comparison of what the machines have then. */

import type { Machine, SharedTree } from "./machine.ts";

export const MACHINE_ACTS: Readonly<Record<string, (machine: Machine, number: number) => void>> = {
  ask: (machine) => {
    machine.askAndAnswer();
  },
  question: (machine) => {
    machine.say();
  },
  edit: (machine, number) => {
    machine.edit(number % 3);
  },
  hide: (machine, number) => {
    machine.hideTurn(number % 4);
  },
  switch: (machine, number) => {
    machine.switchVersion(number % 4);
  },
  pin: (machine, number) => {
    machine.pin(number % 4, number % 3 > 0);
  },
  title: (machine) => {
    machine.entitle();
  },
  set: (machine) => {
    machine.set("strategy");
  },
  model: (machine) => {
    machine.chooseModel();
  },
  summarize: (machine) => {
    machine.summarize();
  },
  erase: (machine, number) => {
    machine.eraseShown(number % 4);
  },
  restart: (machine) => {
    machine.reopen(true);
  },
};

/** With those summaries alone that all have: one is only where its messages are side by side. */
export function sharedTrees(machines: readonly Machine[]): readonly SharedTree[] {
  const trees = machines.map((machine) => machine.tree());
  const inAll = (id: string): boolean => trees.every(({ summaries }) => id in summaries);
  return trees.map(({ summaries, ...tree }) => ({
    ...tree,
    summaries: Object.fromEntries(Object.entries(summaries).filter(([id]) => inAll(id))),
  }));
}
