import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

import { readCaFile, versionOfCaFile } from './ca-file.js';
import type { OutboundSettings } from './outbound-settings.js';

/** The TLS options of every outgoing connection. */
export interface TrustOptions {
  readonly minVersion: 'TLSv1.2';
  /** Trusted certificates in PEM. If absent, Node.js uses its own and those of NODE_EXTRA_CA_CERTS. */
  readonly ca?: string[];
}

/**
 * The certificate authorities that outgoing connections trust: those of Node.js, and those of
 * UNDERSTUDY_CA_FILE. A file that changes takes effect at the next call.
 */
export class TrustedAuthorities {
  private readonly caFile: string | undefined;
  private readonly nodeCaFile: string | undefined;
  private read: { readonly version: string; readonly ca: readonly string[] } | undefined;
  private reported = '';

  /** @param warn receives the problem of a file that has become unusable, once for each change */
  constructor(
    settings: Pick<OutboundSettings, 'caFile' | 'nodeCaFile'>,
    private readonly warn: (problem: string) => void = () => undefined,
  ) {
    this.caFile = settings.caFile;
    this.nodeCaFile = settings.nodeCaFile;
  }

  /**
   * Returns the options for a new connection. Reads the file again only if it has changed. While the file is
   * unusable, for example because another program is writing it, the last authorities stay trusted.
   * @throws CaFileError if the file was never usable
   */
  options(): TrustOptions {
    if (this.caFile === undefined) return { minVersion: 'TLSv1.2' };
    try {
      const version = versionOfCaFile(this.caFile);
      if (version !== this.read?.version)
        this.read = { version, ca: [...this.defaults(), ...readCaFile(this.caFile)] };
      this.reported = '';
    } catch (error) {
      if (this.read === undefined) throw error;
      this.report(error instanceof Error ? error.message : 'UNDERSTUDY_CA_FILE cannot be read');
    }
    return { minVersion: 'TLSv1.2', ca: [...this.read.ca] };
  }

  private report(problem: string): void {
    if (problem !== this.reported) this.warn(`${problem}; the earlier certificates stay trusted`);
    this.reported = problem;
  }

  /** The option `ca` replaces the authorities of Node.js, so these are added to it. */
  private defaults(): readonly string[] {
    return [...rootCertificates, ...this.extraOfNode()];
  }

  private extraOfNode(): readonly string[] {
    if (this.nodeCaFile === undefined) return [];
    try {
      return [readFileSync(this.nodeCaFile, 'latin1')];
    } catch {
      return []; // Node.js has already printed a warning
    }
  }
}
