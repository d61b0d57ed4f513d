import type { ComponentChildren } from "preact";
import { useStore } from "../state/useStore.ts";

interface LinkProps {
  /** Checked already; null for an address that must not be opened. */
  readonly href: string | null;
  /** As the answer has it. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** A link that only the host opens; its title shows where it really leads. What is no link is text with its address. */
export function LinkTo({ href, address, children }: LinkProps) {
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
    event.stopPropagation(); // the editor listens further up and would open it a second time
    store.post({ kind: "openLink", href });
  };
  return (
    <a href={href} title={href} rel="noreferrer noopener" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
