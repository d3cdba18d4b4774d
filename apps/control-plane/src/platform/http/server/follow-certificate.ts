import { Logger } from '@nestjs/common';
import type { Server } from 'node:https';

import {
  CertificateError,
  readCertificatePair,
  validityWarning,
  versionOf,
  type CertificatePair,
  type ServerCertificate,
} from '../../config/certificate-files.js';

/** The oldest accepted version of TLS. */
export const MIN_TLS_VERSION = 'TLSv1.2';

/**
 * Replaces the certificate of a server when its files change. Open connections keep the old certificate. While the
 * new files cannot be used, the server keeps the old certificate. Logs each problem once. A problem is logged only if
 * it is still there at the next check, because the two files cannot be replaced in one step.
 * @param used the pair that the server uses now
 */
export function followCertificate(server: Server, files: ServerCertificate, used: CertificatePair): void {
  const logger = new Logger('https');
  const warn = (pair: CertificatePair): void => {
    const warning = validityWarning(pair, new Date());
    if (warning !== undefined) logger.warn(warning);
  };
  let known = versionOf(files);
  let broken: { readonly version: string; readonly isLogged: boolean } | undefined;

  const check = (): void => {
    const version = versionOf(files);
    if (version === known) return void (broken = undefined);
    if (broken?.isLogged && broken.version === version) return;
    try {
      const pair = readCertificatePair(files);
      server.setSecureContext({ cert: pair.cert, key: pair.key, minVersion: MIN_TLS_VERSION });
      known = version;
      broken = undefined;
      logger.log(`uses the new certificate, which is valid until ${pair.validTo.toISOString()}`);
      warn(pair);
    } catch (error) {
      const isLogged = broken?.version === version;
      if (isLogged) logger.error(`${reasonOf(error)}. The server keeps the old certificate.`);
      broken = { version, isLogged };
    }
  };
  server.once('listening', () => warn(used));
  const timer = setInterval(check, files.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function reasonOf(error: unknown): string {
  return error instanceof CertificateError ? error.message : 'The new certificate cannot be used';
}
