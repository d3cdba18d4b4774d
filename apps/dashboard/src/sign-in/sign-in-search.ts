/** The part of the sign-in's address that only this page of the dashboard uses. */
export interface SignInSearch {
  /** The page to which the sign-in leads, as a path after `/dashboard`. */
  readonly return_to?: string | undefined;
  /** Why a sign-in by a provider failed. */
  readonly error?: string | undefined;
}

/** Reads the address. A page of another server, and every other value that is wrong, is undefined. */
export function readSignInSearch({ return_to, error }: Record<string, unknown>): SignInSearch {
  return {
    return_to: typeof return_to === 'string' && isOwnPath(return_to) ? return_to : undefined,
    error: typeof error === 'string' ? error : undefined,
  };
}

/** Refuses addresses of other servers, such as `//example.com`, because anybody can write the address. */
function isOwnPath(path: string): boolean {
  return path.length <= 2_000 && /^\/(?!\/)[^\s\\]*$/.test(path);
}
