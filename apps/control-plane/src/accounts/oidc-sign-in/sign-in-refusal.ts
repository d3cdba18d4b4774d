import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

export const SIGN_IN_ERRORS = [
  /** The provider refused the sign-in, or its response is not valid. */
  'provider_refused',
  /** The provider has not verified the e-mail address of the account. */
  'email_not_verified',
  /** No member who has accepted an invitation belongs to the account. */
  'not_a_member',
  /** The sign-in was not started in this browser, is older than 10 minutes, or has already ended. */
  'expired',
  /** The provider did not respond in time, or not with a response that can be read. */
  'provider_unavailable',
] as const;
export type SignInError = (typeof SIGN_IN_ERRORS)[number];

/** A sign-in that ends without a session. The browser receives only the code. */
export class SignInRefusal extends Error {
  /** @param reason for the server's log, without values of the request or of the provider's response */
  constructor(
    readonly code: SignInError,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
    this.name = 'SignInRefusal';
  }
}

/** Converts an error of openid-client or of its connection. Texts of the provider are not used. */
export function refusalOf(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  if (error instanceof AuthorizationResponseError)
    return new SignInRefusal(
      PROVIDER_DOWN.includes(error.error) ? 'provider_unavailable' : 'provider_refused',
      'the provider redirected with an error',
    );
  if (error instanceof ResponseBodyError)
    return new SignInRefusal(
      error.status >= 500 ? 'provider_unavailable' : 'provider_refused',
      `the provider responded with the error ${KNOWN_ERRORS.find((known) => known === error.error) ?? 'of another kind'}`,
    );
  const code = error instanceof ClientError ? error.code : undefined;
  if (code !== undefined && !UNREADABLE.includes(code)) return new SignInRefusal('provider_refused', code);
  return new SignInRefusal('provider_unavailable', code ?? causeOf(error));
}

/** Returns the code of the connection's error, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
  const code: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
  return typeof code === 'string' ? code : 'the request to the provider failed';
}

/** Codes of openid-client for a response that is late, cut or not what the protocol describes. */
const UNREADABLE: readonly string[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
];
/** Errors in the redirect that RFC 6749, section 4.1.2.1, defines for a server that cannot work. */
const PROVIDER_DOWN: readonly string[] = ['server_error', 'temporarily_unavailable'];
/** Errors of the token endpoint, which help an operator to find a wrong client or secret. */
const KNOWN_ERRORS = ['invalid_client', 'invalid_grant', 'invalid_request', 'unauthorized_client'];
