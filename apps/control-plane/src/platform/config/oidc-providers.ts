import { readFileSync, statSync } from 'node:fs';

import { isLoopback } from '@understudy/agent-protocol/nats-trust';
import type { EnvironmentReader } from '@understudy/operator-commands';

import { json } from './forms.js';

/** An issuer of OpenID Connect through which members can sign in. */
export interface OidcProviderSettings {
  /** The part of the redirect URI that identifies the provider. */
  readonly id: string;
  /** The name on the sign-in page. */
  readonly name: string;
  /** The issuer's URL in the form that `URL` prints, so that two texts of one URL are equal. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** Includes `openid`. */
  readonly scopes: readonly string[];
  /** Ids of the organisations whose members can use the provider. Absent: every organisation. */
  readonly organizations?: readonly string[];
}

export const OIDC_VARIABLE = 'UNDERSTUDY_OIDC_PROVIDERS';
const MAX_PROVIDERS = 20;
const MAX_SECRET_BYTES = 4_096;
const KEYS: readonly string[] = [
  ...['id', 'name', 'issuer', 'client_id', 'client_secret', 'client_secret_file', 'scopes', 'organizations'],
];

/**
 * Reads the providers, at most 20. Reads the files with their secrets once. Problems name the field, but
 * never its value.
 */
export function readOidcProviders(reader: EnvironmentReader): readonly OidcProviderSettings[] {
  const expected = `a JSON array of at most ${MAX_PROVIDERS} objects like {"id":"company","name":"Company account","issuer":"https://id.example.com","client_id":"understudy","client_secret":"…"}`;
  const entries = json(expected, arrayOfObjects, []).read(reader, OIDC_VARIABLE);
  const providers = entries.map((entry, index) => readProvider(reader, entry, `${OIDC_VARIABLE}[${index}]`));
  for (const field of ['id', 'issuer'] as const)
    if (new Set(providers.map((provider) => provider[field])).size < providers.length)
      reader.problem(`${OIDC_VARIABLE} must not contain the same ${field} twice`, undefined);
  return Object.freeze(providers);
}

function readProvider(reader: EnvironmentReader, entry: Fields, at: string): OidcProviderSettings {
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    reader.problem(`${at} must contain only the fields ${KEYS.join(', ')}`, undefined);
  const text = (field: string, expected: string, isValid: (value: string) => boolean): string => {
    const value = entry[field];
    if (typeof value === 'string' && isValid(value)) return value;
    return reader.problem(`${at}.${field} must be ${expected}`, '');
  };
  const list = (field: string, expected: string, isValid: (values: readonly string[]) => boolean) => {
    const value = entry[field];
    if (isListOfTexts(value) && isValid(value)) return value;
    return reader.problem(`${at}.${field} must be ${expected}`, []);
  };
  const issuer = text('issuer', ISSUER, isIssuer);
  const clientSecret = readSecret(reader, entry, at);
  return Object.freeze({
    id: text('id', ID, isId),
    name: text('name', 'a text of 1 to 80 characters', (value) => /^[^\p{C}]{1,80}$/u.test(value)),
    issuer: issuer && new URL(issuer).href,
    clientId: text('client_id', 'a text of 1 to 500 characters', (value) => /^[ -~]{1,500}$/.test(value)),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    scopes:
      entry['scopes'] === undefined
        ? DEFAULT_SCOPES
        : list('scopes', 'a list of at most 20 scopes that contains "openid"', isScopes),
    ...(entry['organizations'] === undefined
      ? {}
      : {
          organizations: list('organizations', 'a list of 1 to 100 ids of organisations', isOrganizations),
        }),
  });
}

/** Reads the client's secret from its field or its file. Leading and trailing white space of the file is ignored. */
function readSecret(reader: EnvironmentReader, entry: Fields, at: string): string | undefined {
  const { client_secret: secret, client_secret_file: file } = entry;
  if (secret === undefined && file === undefined) return undefined;
  if (secret !== undefined && file !== undefined)
    return reader.problem(`${at} must have client_secret or client_secret_file, not both`, undefined);
  if (secret !== undefined)
    return isSecret(secret) ? secret : reader.problem(`${at}.client_secret must be ${SECRET}`, undefined);
  const content = typeof file === 'string' ? contentOf(file) : undefined;
  return isSecret(content)
    ? content
    : reader.problem(`${at}.client_secret_file must name a readable file that contains ${SECRET}`, undefined);
}

/** @returns undefined if the file cannot be read or is too large */
function contentOf(file: string): string | undefined {
  try {
    return statSync(file).size <= MAX_SECRET_BYTES ? readFileSync(file, 'utf8').trim() : undefined;
  } catch {
    return undefined; // the caller reports the field, because the system's message contains the path
  }
}

type Fields = Readonly<Record<string, unknown>>;

function arrayOfObjects(value: unknown): readonly Fields[] | undefined {
  const isObject = (entry: unknown) => typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  if (!Array.isArray(value) || value.length > MAX_PROVIDERS || !value.every(isObject)) return undefined;
  return value as Fields[];
}

/** The paths of these names below `/dashboard/oidc/` belong to calls of the page. */
const RESERVED_IDS: readonly string[] = ['providers', 'organizations', 'organization'];
const ID = `at most 40 lower-case letters, digits and hyphens, and none of ${RESERVED_IDS.join(', ')}`;
const DEFAULT_SCOPES: readonly string[] = Object.freeze(['openid', 'email']);
const ISSUER =
  'a URL that starts with https://, or with http:// on loopback, without user, password, query and fragment';
const SECRET = `a text of 1 to ${MAX_SECRET_BYTES} characters`;

function isId(value: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(value) && !RESERVED_IDS.includes(value);
}

function isIssuer(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '' || /[?#]/.test(text)) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SECRET_BYTES;
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isScopes(values: readonly string[]): boolean {
  const isScope = (value: string) => /^[!#-[\]-~]{1,100}$/.test(value); // RFC 6749, section 3.3
  return values.length <= 20 && values.includes('openid') && values.every(isScope);
}

function isOrganizations(values: readonly string[]): boolean {
  const isOrganization = (value: string) => /^org_[0-9A-HJKMNP-TV-Z]{26}$/.test(value);
  return values.length >= 1 && values.length <= 100 && values.every(isOrganization);
}
