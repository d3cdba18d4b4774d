/** The secret that an address carries after `#`. Browsers send it to no server. */
export type AddressSecret =
  /** The secret of a one-time sign-in link. */
  | { readonly kind: 'link'; readonly secret: string }
  /** The token of an invitation. */
  | { readonly kind: 'invitation'; readonly secret: string };

/** No secret of the server is longer. */
const LONGEST = 512;

/**
 * Finds the secret in the address of a page.
 * @returns undefined if the page takes none, or the fragment is not one
 */
export function readAddressSecret(pathname: string, hash: string): AddressSecret | undefined {
  const fragment = hash.replace(/^#/, '');
  const kind = pathname.endsWith('/dashboard/sign-in')
    ? 'link'
    : pathname.endsWith('/dashboard/accept-invitation')
      ? 'invitation'
      : undefined;
  const secret = kind === 'link' ? /^link=(.*)$/.exec(fragment)?.[1] : fragment;
  if (kind === undefined || !secret || secret.length > LONGEST || !/^[\w.~-]+$/.test(secret))
    return undefined;
  return { kind, secret };
}

let taken: AddressSecret | undefined;

/** Moves the secret from the address and the history into memory. Call it before anything else reads the address. */
export function takeAddressSecret(): void {
  const { pathname, search, hash } = window.location;
  taken = readAddressSecret(pathname, hash);
  if (taken) window.history.replaceState(window.history.state, '', pathname + search);
}

/** @returns the secret of the kind that the page was opened with */
export function addressSecret(kind: AddressSecret['kind']): string | undefined {
  return taken?.kind === kind ? taken.secret : undefined;
}

/** Forgets the secret after its use. It works only once. */
export function dropAddressSecret(): void {
  taken = undefined;
}
