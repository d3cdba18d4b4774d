import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** The file of UNDERSTUDY_CA_FILE cannot be used. The message names the variable, but not the path. */
export class CaFileError extends Error {
  constructor(problem: string) {
    super(`UNDERSTUDY_CA_FILE must name a file with certificates in PEM format: ${problem}`);
    this.name = 'CaFileError';
  }
}

/**
 * Reads the certificates of a PEM file of at most 4 MiB. Ignores other blocks, such as keys.
 * @returns at least one certificate in PEM
 * @throws CaFileError
 */
export function readCaFile(path: string): readonly string[] {
  const certificates = readText(path).match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new CaFileError('it contains no certificate');
  if (!certificates.every(isCertificate)) throw new CaFileError('it contains a damaged certificate');
  return certificates;
}

/** Returns a text that changes when the file is written or replaced. @throws CaFileError */
export function versionOfCaFile(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    throw unreadable(error);
  }
}

function readText(path: string): string {
  try {
    if (statSync(path).size > LARGEST_FILE) throw new CaFileError('it is larger than 4 MiB');
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw error instanceof CaFileError ? error : unreadable(error);
  }
}

function unreadable(error: unknown): CaFileError {
  return new CaFileError(`it cannot be read (${(error as { code?: string }).code ?? 'unknown reason'})`);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false; // the caller reports the damage
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const LARGEST_FILE = 4 * 1024 * 1024;
