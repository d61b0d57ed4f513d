import { assertNever } from "../../core/result.ts";
import type { OfferAction } from "../../protocol/toHost.ts";
import type { Connection } from "../connections/connections.ts";
import { showRefusal } from "../commands/useOffer.ts";
import type { ModelPicker } from "../pickers/modelPicker.ts";
import type { Session } from "../session/session.ts";
import type { Presenter } from "../view/presenter.ts";

/** Percent of the size that was asked for before. */
const SHORTER_PERCENT = 50;

type Notices = Pick<Presenter, "showBanner" | "dropNote">;

/** Changes a summary that is offered, before it is used. */
export async function handleOfferAction(
  session: Session,
  { offerId, ask }: { readonly offerId: number; readonly ask: OfferAction },
  modelPicker: Pick<ModelPicker, "pickOtherSummarizer">,
  presenter: Notices,
): Promise<void> {
  const { automatic } = session.summaries;
  const rewrite = async (wanted: { readonly sizePercent?: number; readonly writer?: Connection }): Promise<void> => {
    presenter.dropNote();
    showRefusal(await automatic.rewriteOffer(offerId, wanted), session, presenter);
  };
  switch (ask.what) {
    case "edit":
      automatic.editOffer(offerId, ask.index, ask.text);
      return;
    case "revert":
      automatic.revertOffer(offerId);
      return;
    case "write":
      presenter.dropNote();
      showRefusal(await automatic.writeOffer(offerId), session, presenter);
      return;
    case "shorter":
      await rewrite({ sizePercent: SHORTER_PERCENT });
      return;
    case "otherModel": {
      const writer = await modelPicker.pickOtherSummarizer(session);
      if (writer !== undefined) await rewrite({ writer });
      return;
    }
    default:
      assertNever(ask);
  }
}
