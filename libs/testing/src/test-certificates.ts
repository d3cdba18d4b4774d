import 'reflect-metadata';

import { webcrypto } from 'node:crypto';

import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key in PEM, for a TLS server. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A private certificate authority that exists only in this process. */
export class TestAuthority {
  private constructor(
    readonly name: string,
    private readonly keys: webcrypto.CryptoKeyPair,
    /** The authority's own certificate in PEM. */
    readonly ca: string,
  ) {}

  static async create(name = 'Test authority'): Promise<TestAuthority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        name: `CN=${name}`,
        keys,
        signingAlgorithm: ALGORITHM,
        ...validity(-1, 1),
        extensions: [new BasicConstraintsExtension(true, undefined, true)],
      },
      webcrypto as Parameters<typeof X509CertificateGenerator.create>[1],
    );
    return new TestAuthority(name, keys, certificate.toString('pem'));
  }

  /**
   * Issues a certificate for a server.
   * @param names host names, and addresses such as `127.0.0.1`
   * @param fromDays first day of validity, counted from now
   * @param toDays last day of validity, counted from now
   */
  async issue(names: readonly string[], { fromDays = -1, toDays = 1 } = {}): Promise<TestCertificate> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create(
      {
        subject: `CN=${names[0] ?? 'none'}`,
        issuer: `CN=${this.name}`,
        publicKey: keys.publicKey,
        signingKey: this.keys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...validity(fromDays, toDays),
        extensions: [
          new SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
          ),
          await AuthorityKeyIdentifierExtension.create(
            this.keys.publicKey,
            false,
            webcrypto as Parameters<typeof X509CertificateGenerator.create>[1],
          ),
        ],
      },
      webcrypto as Parameters<typeof X509CertificateGenerator.create>[1],
    );
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    const pem = `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;
    return { cert: certificate.toString('pem'), key: pem };
  }
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

function validity(fromDays: number, toDays: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(Date.now() + fromDays * DAY_MS),
    notAfter: new Date(Date.now() + toDays * DAY_MS),
  };
}
