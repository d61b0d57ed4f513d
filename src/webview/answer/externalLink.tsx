import type { ComponentChildren } from "preact";
import { useStore } from "../state/useStore.ts";

interface LinkProps {
  /** Already checked; null for an address that must not be opened. */
  readonly href: string | null;
  /** As written in the answer. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** Link that only the host opens; its title shows the real target. An unsafe address becomes text with a title. */
export function ExternalLink({ href, address, children }: LinkProps) {
  const store = useStore();
  if (href === null) {
    return (
      <span class="dead-link" title={address.slice(0, 500)}>
        {children}
      </span>
    );
  }
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation(); // the editor's own listener further up would open it again
    store.post({ kind: "openLink", href });
  };
  return (
    <a href={href} title={href} rel="noreferrer noopener" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
