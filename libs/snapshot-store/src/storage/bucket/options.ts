import { S3Client } from '@aws-sdk/client-s3';

/** A bucket of S3, or of a server that speaks its protocol. */
export interface BucketOptions {
  readonly bucket: string;
  /** Folder of the archives in the bucket: `staging/understudy`; a `/` may follow. Default: its top. */
  readonly prefix?: string;
  /** Default: what the SDK finds (AWS_REGION, the profile). */
  readonly region?: string;
  /** Of a server that is not AWS. */
  readonly endpoint?: string;
  /** The bucket in the path instead of the host's name; most servers but AWS want it. Default false. */
  readonly forcePathStyle?: boolean;
  /** Default: the SDK's chain (environment, profile, container and instance roles). */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** `when_required` for servers that refuse the CRC32 that S3 checks on arrival. Default `when_supported`. */
  readonly checksums?: 'when_supported' | 'when_required';
  /** For an answer to begin, and between bytes of one. Default 60 s. */
  readonly requestTimeoutMs?: number;
  /** Of one request, the first included. Default 4. */
  readonly maxAttempts?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;

/** @returns what keys begin with: nothing, or with a `/` at its end @throws RangeError if a prefix is not plain folders */
export function keyPrefix({ prefix = '' }: BucketOptions): string {
  if (prefix === '') return '';
  const folders = prefix.replace(/\/$/, '').split('/');
  const isPlain = (folder: string): boolean => /^(?!\.{1,2}$)[A-Za-z0-9._=-]{1,200}$/.test(folder);
  if (prefix.length > 512 || !folders.every(isPlain))
    throw new RangeError('the prefix of a bucket is folders of letters, digits, . _ = - with / between them');
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
    // What comes back is authenticated here, block by block.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
  });
}
