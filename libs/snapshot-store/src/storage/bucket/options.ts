import { S3Client } from '@aws-sdk/client-s3';

/** A bucket in AWS S3 or on another server that implements the S3 protocol. */
export interface BucketOptions {
  readonly bucket: string;
  /**
   * Folder of the archives in the bucket, such as `staging/understudy`, with or without a final `/`. Default:
   * no folder.
   */
  readonly prefix?: string;
  /** Default: the region that the SDK finds (AWS_REGION or the profile). */
  readonly region?: string;
  /** URL of a server other than AWS. */
  readonly endpoint?: string;
  /**
   * Whether URLs contain the bucket's name in the path instead of the host name. Most servers other than AWS
   * need true. Default false.
   */
  readonly forcePathStyle?: boolean;
  /** Default: the credentials that the SDK finds (environment, profile, container and instance roles). */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /**
   * When to send a CRC32 checksum with an upload. Use `when_required` for servers that reject the checksum.
   * Default `when_supported`.
   */
  readonly checksums?: 'when_supported' | 'when_required';
  /** Maximum time until a response begins, and between two of its bytes. Default 60 s. */
  readonly requestTimeoutMs?: number;
  /** Number of attempts at one request, including the first. Default 4. */
  readonly maxAttempts?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;

/**
 * @returns the prefix of all keys: empty, or with a final `/`
 * @throws RangeError if the prefix is longer than 512 characters or contains a folder name that is not
 * allowed
 */
export function keyPrefix({ prefix = '' }: BucketOptions): string {
  if (prefix === '') return '';
  const folders = prefix.replace(/\/$/, '').split('/');
  const isPlain = (folder: string): boolean => /^(?!\.{1,2}$)[A-Za-z0-9._=-]{1,200}$/.test(folder);
  if (prefix.length > 512 || !folders.every(isPlain))
    throw new RangeError(
      'expected a bucket prefix of folders with letters, digits, . _ = - and with / between them',
    );
  return `${folders.join('/')}/`;
}

export function createS3Client(options: BucketOptions): S3Client {
  const { region, endpoint, credentials, forcePathStyle = false } = options;
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  return new S3Client({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    forcePathStyle,
    maxAttempts: options.maxAttempts ?? MAX_ATTEMPTS,
    requestChecksumCalculation: options.checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    // Content that is read is authenticated block by block instead.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
  });
}
