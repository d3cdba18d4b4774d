import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** The files of a TLS certificate, in PEM. */
export interface CertificateFiles {
  /** The certificate of the server, followed by those of intermediate authorities. */
  readonly certFile: string;
  /** The private key, without a password. */
  readonly keyFile: string;
}

export interface ServerCertificate extends CertificateFiles {
  /** Interval in milliseconds at which the files are checked for changes. */
  readonly checkMs: number;
}

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** The certificate or its key cannot be used. The message names the variable, but not the path. */
export class CertificateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CertificateError';
  }
}

/**
 * Reads a certificate and its private key, at most 1 MiB each, and checks that they belong together. Does not
 * check the time of validity.
 * @throws CertificateError
 */
export function readCertificatePair({ certFile, keyFile }: CertificateFiles): CertificatePair {
  const cert = readText('UNDERSTUDY_TLS_CERT_FILE', certFile);
  const key = readText('UNDERSTUDY_TLS_KEY_FILE', keyFile);
  const parsed = attempt(
    'UNDERSTUDY_TLS_CERT_FILE must contain a certificate in PEM',
    () => new X509Certificate(cert),
  );
  const privateKey = attempt(
    'UNDERSTUDY_TLS_KEY_FILE must contain a private key in PEM, without a password',
    () => createPrivateKey(key),
  );
  if (!parsed.checkPrivateKey(privateKey))
    throw new CertificateError(
      'UNDERSTUDY_TLS_KEY_FILE does not contain the key of the first certificate in UNDERSTUDY_TLS_CERT_FILE',
    );
  return { cert, key, validFrom: new Date(parsed.validFrom), validTo: new Date(parsed.validTo) };
}

/** Returns a text that changes when one of the files is written or replaced. */
export function versionOf({ certFile, keyFile }: CertificateFiles): string {
  return [certFile, keyFile]
    .map((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'missing';
    })
    .join(', ');
}

/** Returns a warning if the certificate is not valid now, otherwise undefined. */
export function validityWarning({ validFrom, validTo }: CertificatePair, now: Date): string | undefined {
  if (now > validTo)
    return `the certificate in UNDERSTUDY_TLS_CERT_FILE expired at ${validTo.toISOString()}; clients and agents refuse it`;
  if (now < validFrom)
    return `the certificate in UNDERSTUDY_TLS_CERT_FILE is not valid before ${validFrom.toISOString()}; clients and agents refuse it`;
  return undefined;
}

function readText(variable: string, path: string): string {
  try {
    if (statSync(path).size > LARGEST_FILE)
      throw new CertificateError(`${variable} must name a file of at most 1 MiB`);
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof CertificateError) throw error;
    const code = (error as { code?: string }).code ?? 'unknown reason';
    throw new CertificateError(`${variable} must name a readable file: it cannot be read (${code})`);
  }
}

function attempt<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new CertificateError(problem); // the error of OpenSSL does not help, and could quote the file
  }
}

const LARGEST_FILE = 1024 * 1024;
