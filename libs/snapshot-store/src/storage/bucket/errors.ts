import { SnapshotStoreError, type SnapshotStoreCode } from '../../store-error.js';

interface RequestFailure {
  readonly name: string;
  /** A system error such as `ECONNREFUSED` if the connection failed. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const CODES: readonly (readonly [RegExp, SnapshotStoreCode])[] = [
  [
    /^(NoSuchBucket|InvalidBucketName|PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'store_missing',
  ],
  [/Quota|StorageFull|InsufficientStorage|InsufficientCapacity|EntityTooLarge/, 'store_full'],
  [
    /AccessDenied|Forbidden|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|Credential|AccountProblem/,
    'store_denied',
  ],
];

/** Converts the error of a failed request to a SnapshotStoreError. Returns any other error unchanged. */
export function bucketError(error: unknown): unknown {
  if (error instanceof SnapshotStoreError || !isRequestFailure(error)) return error;
  const reason = protocolWord(error.name === 'Error' ? error.code : error.name);
  return new SnapshotStoreError(codeOfFailure(error), reason === undefined ? {} : { reason });
}

/** @returns whether the error is a SnapshotStoreError with one of these reasons */
export function hasReason(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof SnapshotStoreError && names.includes(error.details.reason ?? '');
}

function codeOfFailure({ name, $metadata }: RequestFailure): SnapshotStoreCode {
  const named = CODES.find(([pattern]) => pattern.test(name))?.[1];
  if (named !== undefined) return named;
  switch ($metadata?.httpStatusCode) {
    case 401:
    case 403:
      return 'store_denied';
    case 301:
    case 307:
    case 404:
      return 'store_missing';
    case 413:
    case 507:
      return 'store_full';
    default:
      return 'store_unreachable';
  }
}

function isRequestFailure(error: unknown): error is RequestFailure {
  if (typeof error !== 'object' || error === null || isAbort(error)) return false;
  const { name, code, $metadata } = error as Partial<RequestFailure>;
  return (
    typeof name === 'string' &&
    ($metadata !== undefined || typeof code === 'string' || /^(TimeoutError|Credentials.*Error)$/.test(name))
  );
}

function isAbort(error: object): boolean {
  return (error as Partial<Error>).name === 'AbortError';
}

/**
 * Returns the value if it is a code of the protocol or the system. Returns undefined for sentences, because
 * they may contain names and addresses.
 */
function protocolWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value) ? value : undefined;
}
