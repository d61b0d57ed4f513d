/**
 * What the user has said of tools: which of them a conversation uses, and which calls need no question. It lies in the
 * conversation's own records or in the editor's storage, where no model and no workspace can write.
 */

import { GRANT_PREFIX } from "../../../core/history/records.ts";
import type { ApprovalScope, ApprovalSituation } from "../../../core/tools/approvals.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

/** The rules of one conversation. */
export class ToolRules {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
  }

  /** Whether this conversation uses tools at all: its own word, else the setting. */
  get isSwitchedOn(): boolean {
    const own = this.#setting(SWITCH);
    return own === undefined ? this.#services.settings.current.tools.enabled : own === "on";
  }

  /** Whether this conversation uses the tool `name`. */
  isChosen(name: string): boolean {
    return this.isSwitchedOn && this.#setting(TAKEN_OUT + name) !== "out";
  }

  /** Has this conversation use `chosen` of the tools `all`, and no other of them; none of them turns tools off. */
  async choose(chosen: ReadonlySet<string>, all: readonly string[]): Promise<void> {
    const isAny = all.some((name) => chosen.has(name));
    if (isAny !== this.isSwitchedOn && !(await this.#store(SWITCH, isAny ? "on" : "off"))) return;
    for (const name of isAny ? all : []) {
      const isIn = chosen.has(name);
      if (isIn !== this.isChosen(name) && !(await this.#store(TAKEN_OUT + name, isIn ? "in" : "out"))) return;
    }
  }

  /** What decides about a call of `tool`. */
  situationOf({ definition: { name }, effect }: Tool): ApprovalSituation {
    const { tools } = this.#services;
    const remembered = this.rememberedFor(name);
    return {
      effect,
      isTrusted: tools.isTrusted(),
      staysInConversation: tools.staysInConversation(name),
      ...(remembered === undefined ? {} : { remembered }),
    };
  }

  /** Which tools the user has allowed for longer than one call, also such as are not there now. */
  get remembered(): readonly { readonly name: string; readonly scope: Exclude<ApprovalScope, "once"> }[] {
    const { tools } = this.#services;
    const here = [...this.#opened.conversation.history.settings.keys()].filter((name) => name.startsWith(APPROVAL));
    const names = new Set([...tools.allowedAlways(), ...here.map((name) => name.slice(APPROVAL.length))]);
    return [...names].flatMap((name) => {
      const scope = this.rememberedFor(name);
      return scope === undefined ? [] : [{ name, scope }];
    });
  }

  /** The longest scope that the user has allowed the tool `name` for. */
  rememberedFor(name: string): Exclude<ApprovalScope, "once"> | undefined {
    if (this.#services.tools.allowedAlways().includes(name)) return "always";
    return this.#setting(APPROVAL + name) === "conversation" ? "conversation" : undefined;
  }

  /** The tool needs no question from now on, as far as `scope` says. */
  async allow(name: string, scope: Exclude<ApprovalScope, "once">): Promise<void> {
    if (scope === "conversation") await this.#store(APPROVAL + name, "conversation");
    else await this.#services.tools.allowAlways(name);
  }

  /** Asks about a tool again from now on. */
  async forget(name: string): Promise<void> {
    await this.#services.tools.askAgain(name);
    if (this.#setting(APPROVAL + name) === "conversation") await this.#store(APPROVAL + name, "ask");
  }

  #setting(name: string): string | undefined {
    return this.#opened.conversation.history.setting(name);
  }

  async #store(name: string, value: string): Promise<boolean> {
    const record = { kind: "setting", name, value, atMs: this.#services.clock.nowMs() } as const;
    const changed = await this.#opened.conversation.change([record]);
    if (!changed.ok) this.#model.showFailure(changed.error);
    return changed.ok;
  }
}

/** The conversation's own word on tools: `on` or `off`. A document that is imported must not turn them on. */
const SWITCH = `${GRANT_PREFIX}tools`;
/** In front of a tool's name: `out` when the conversation does not use it. */
const TAKEN_OUT = "tools.";
/** In front of a tool's name: `conversation` when its calls are allowed here. */
const APPROVAL = `${GRANT_PREFIX}tool.`;
