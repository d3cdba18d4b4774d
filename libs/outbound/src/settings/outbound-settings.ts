import { CaFileError, readCaFile } from './ca-file.js';
import { readProxy, type Proxy } from './proxy.js';

/** How a program opens connections to other machines. */
export interface OutboundSettings {
  /** Path of a PEM file with certificate authorities that are trusted in addition to those of Node.js. */
  readonly caFile?: string;
  /** The file that NODE_EXTRA_CA_CERTS names. Node.js trusts its certificates too. */
  readonly nodeCaFile?: string;
  /** The proxy for `https://` and `wss://`. */
  readonly proxy?: Proxy;
  /** Hosts that are reached without the proxy, in the format of curl's NO_PROXY. */
  readonly noProxy?: string;
}

/**
 * Reads UNDERSTUDY_CA_FILE, HTTPS_PROXY and NO_PROXY. As in curl, the lower-case name of a proxy variable
 * precedes the upper-case one. Adds a line to `problems` for each invalid variable. No line contains a value.
 */
export function readOutboundSettings(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): OutboundSettings {
  const caFile = env['UNDERSTUDY_CA_FILE'] || undefined;
  if (caFile !== undefined) checkCaFile(caFile, problems);
  const nodeCaFile = env['NODE_EXTRA_CA_CERTS'] || undefined;
  const proxy = readProxyVariable(env['https_proxy'] || env['HTTPS_PROXY'] || undefined, problems);
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || undefined;
  return Object.freeze({
    ...(caFile === undefined ? {} : { caFile }),
    ...(nodeCaFile === undefined ? {} : { nodeCaFile }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(noProxy === undefined ? {} : { noProxy }),
  });
}

function checkCaFile(path: string, problems: string[]): void {
  try {
    readCaFile(path);
  } catch (error) {
    problems.push(error instanceof CaFileError ? error.message : 'UNDERSTUDY_CA_FILE cannot be read');
  }
}

function readProxyVariable(text: string | undefined, problems: string[]): Proxy | undefined {
  if (text === undefined) return undefined;
  const proxy = readProxy(text);
  if (proxy === undefined)
    problems.push(
      'HTTPS_PROXY must be a URL that starts with http:// or https://, such as http://proxy:3128',
    );
  return proxy;
}
