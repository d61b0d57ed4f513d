import type { ForgeError } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import { isProviderName, PROVIDER_LABELS } from "../connections/providerCatalog.ts";
import type { Session } from "../session/session.ts";
import type { Presenter } from "../view/presenter.ts";
import { explain } from "../words/explain.ts";

type Notices = Pick<Presenter, "showBanner" | "dropNote">;

/** Uses the offered summary; says why a text of the user's cannot be used. */
export async function useOffer(session: Session, presenter: Notices): Promise<void> {
  presenter.dropNote();
  showRefusal(await session.summaries.automatic.useOffer(), session, presenter);
}

/** Names the service that failed: summaries may be written elsewhere than answers. */
export function showRefusal(done: Result<void, ForgeError>, session: Session, presenter: Notices): void {
  if (done.ok || done.error.code === "CANCELLED") return;
  const { error } = done;
  const named = "provider" in error && isProviderName(error.provider) ? PROVIDER_LABELS[error.provider] : undefined;
  const isUnchanged = session.model.whileUnchanged();
  const { offer } = session.summaries.automatic;
  const isOffered = (): boolean => offer === undefined || session.summaries.automatic.offer !== undefined;
  presenter.showBanner(explain(error, named ?? session.connection.provider.label), () => isUnchanged() && isOffered());
}
