/**
 * The user's tool rules: which tools a conversation uses, and which calls need no approval. They are stored in records
 * of the conversation or in the editor's storage, where no model and no workspace can write.
 */

import { GRANT_PREFIX } from "../../../core/history/records.ts";
import type { ApprovalScope, ApprovalContext } from "../../../core/tools/approvals.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

export class ToolRules {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
  }

  /** The conversation's own setting, else the global one. */
  get areToolsEnabled(): boolean {
    const own = this.#setting(TOOLS_SETTING);
    return own === undefined ? this.#services.settings.current.tools.enabled : own === "on";
  }

  isEnabled(name: string): boolean {
    return this.areToolsEnabled && this.#setting(TOOL_SETTING_PREFIX + name) !== "out";
  }

  /** Enables exactly `chosen` of the tools `all`; choosing none turns tools off. */
  async enableOnly(chosen: ReadonlySet<string>, all: readonly string[]): Promise<void> {
    const isAny = all.some((name) => chosen.has(name));
    if (isAny !== this.areToolsEnabled && !(await this.#store(TOOLS_SETTING, isAny ? "on" : "off"))) return;
    for (const name of isAny ? all : []) {
      const isIn = chosen.has(name);
      if (isIn !== this.isEnabled(name) && !(await this.#store(TOOL_SETTING_PREFIX + name, isIn ? "in" : "out")))
        return;
    }
  }

  /** The facts that decide whether a call of `tool` needs approval. */
  situationOf({ definition: { name }, approvalName, effect }: Tool): ApprovalContext {
    const { tools } = this.#services;
    const remembered = this.approvedScope(approvalName ?? name);
    return {
      effect,
      isTrusted: tools.isTrusted(),
      readsOnlyConversation: tools.readsOnlyConversation(name),
      ...(remembered === undefined ? {} : { remembered }),
    };
  }

  /** Tools allowed for longer than one call, including tools that are absent now. */
  get remembered(): readonly { readonly name: string; readonly scope: Exclude<ApprovalScope, "once"> }[] {
    const { tools } = this.#services;
    const here = [...this.#opened.conversation.history.settings.keys()].filter((name) =>
      name.startsWith(APPROVAL_SETTING_PREFIX),
    );
    const names = new Set([
      ...tools.alwaysAllowed(),
      ...here.map((name) => name.slice(APPROVAL_SETTING_PREFIX.length)),
    ]);
    return [...names].flatMap((name) => {
      const scope = this.approvedScope(name);
      return scope === undefined ? [] : [{ name, scope }];
    });
  }

  /** The facts that decide whether a call that needs the permission of `tool` may run without a question. */
  permissionOf({ permission = "" }: Tool): Pick<ApprovalContext, "isTrusted" | "remembered"> {
    // Holds in an untrusted folder, too, where one for every conversation does not.
    const isHere = this.#setting(APPROVAL_SETTING_PREFIX + permission) === "conversation";
    const remembered = isHere ? "conversation" : this.approvedScope(permission);
    return { isTrusted: this.#services.tools.isTrusted(), ...(remembered === undefined ? {} : { remembered }) };
  }

  /** True if the user has refused what is stored by this name for good, in this conversation. */
  isRefused(name: string): boolean {
    return this.#setting(APPROVAL_SETTING_PREFIX + name) === "never";
  }

  /** The widest scope that the user has allowed the tool `name` for. */
  approvedScope(name: string): Exclude<ApprovalScope, "once"> | undefined {
    if (this.isRefused(name)) return undefined;
    if (this.#services.tools.alwaysAllowed().includes(name)) return "always";
    return this.#setting(APPROVAL_SETTING_PREFIX + name) === "conversation" ? "conversation" : undefined;
  }

  /** Calls of the tool need no approval within `scope` from now on. */
  async allow(name: string, scope: Exclude<ApprovalScope, "once">): Promise<void> {
    if (scope === "conversation") await this.#store(APPROVAL_SETTING_PREFIX + name, "conversation");
    else await this.#services.tools.allowAlways(name);
  }

  /** The user is not asked again in this conversation. */
  async refuse(name: string): Promise<void> {
    await this.#store(APPROVAL_SETTING_PREFIX + name, "never");
  }

  /** The user is asked again, whatever they answered. */
  async revokeApproval(name: string): Promise<void> {
    await this.#services.tools.revokeAlwaysAllowed(name);
    if ((this.#setting(APPROVAL_SETTING_PREFIX + name) ?? "ask") !== "ask")
      await this.#store(APPROVAL_SETTING_PREFIX + name, "ask");
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

/** Setting with value `on` or `off`. Has the grant prefix: an imported document must not turn tools on. */
const TOOLS_SETTING = `${GRANT_PREFIX}tools`;
/** Prefix of a tool's name; value `out` when the conversation does not use it. */
const TOOL_SETTING_PREFIX = "tools.";
/** Prefix of a tool's or a permission's name; value `conversation` when it is allowed here, `never` when it is refused. */
const APPROVAL_SETTING_PREFIX = `${GRANT_PREFIX}tool.`;
