import type { Action, Banner, NoticeRow } from "../../protocol/toView.ts";
import { words } from "../words/words.ts";
import { Countdown } from "./countdown.tsx";
import { Icon } from "./icon.tsx";
import { IconButton } from "./iconButton.tsx";
import { Offer } from "../summary/offer.tsx";
import { useStore } from "../state/useStore.ts";

/** Buttons chosen by the host; the first one helps most. */
export function Actions({ actions, leading }: { readonly actions: readonly Action[]; readonly leading: boolean }) {
  const store = useStore();
  if (actions.length === 0) return null;
  return (
    <div class="actions">
      {actions.map((action, index) => (
        <button
          key={action.command}
          type="button"
          class={leading && index === 0 ? "button" : "button quiet"}
          onClick={() => {
            store.command(action.command);
          }}
        >
          {action.label}
        </button>
      ))}
    </div>
  );
}

/** Problem of the whole conversation. Notes, and problems without actions, can be closed unless `lasting`. */
export function BannerView({ banner, lasting }: { readonly banner: Banner; readonly lasting: boolean }) {
  const store = useStore();
  return (
    <div class={`banner tone-${banner.tone}`}>
      <p>
        <Icon name={banner.tone} />
        <span>{banner.text}</span>
        {lasting || (banner.tone !== "info" && banner.actions.length > 0) ? null : (
          <IconButton
            icon="close"
            label={words.closeBanner}
            onPress={() => {
              store.command("closeBanner");
            }}
          />
        )}
      </p>
      <Actions actions={banner.actions} leading={banner.tone !== "info"} />
    </div>
  );
}

/** Event in the conversation: one quiet line, with its actions. */
export function Notice({ row }: { readonly row: NoticeRow }) {
  return (
    <div class={`row notice tone-${row.tone}`} data-row-id={row.rowId}>
      <p>
        <Icon name={row.tone} />
        <span>{row.text}</span>
      </p>
      {row.retryAtMs === undefined ? null : <Countdown atMs={row.retryAtMs} />}
      {row.offer === undefined ? null : <Offer key={String(row.offer.offerId)} offer={row.offer} />}
      <Actions actions={row.actions} leading={false} />
    </div>
  );
}
