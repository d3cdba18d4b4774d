import { join } from 'node:path';

export interface TwoNetworksOptions {
  /**
   * `two-ports`: the agent's network reaches the ports 443 and 4222 of the control plane. `proxy`: it reaches
   * only an HTTP proxy, which opens tunnels to port 443.
   */
  readonly way: 'two-ports' | 'proxy';
  /** Further variables of the control plane. */
  readonly controlPlaneSettings?: Readonly<Record<string, string>>;
  /** Time after which the proxy closes an idle tunnel; absent for no limit. */
  readonly proxyIdleMs?: number;
}

export const CONTROL_HOST = 'understudy.example.com';
export const NATS_HOST = 'nats.example.com';
export const PROXY_HOST = 'proxy.internal';
export const PROXY_PORT = 3128;
export const API_PORT = 8080;
/** The port of NATS for WebSocket, on loopback behind nginx. */
export const WEBSOCKET_PORT = 9222;
/** The interface of the link to the other network in each namespace. */
export const LINK = 'wan0';
/** The interface of the proxy's namespace on the side of the control plane. */
export const UPLINK = 'wan1';

export const ADDRESSES = {
  control: '10.77.1.1',
  outside: '10.77.1.2',
  proxy: '10.77.2.1',
  agent: '10.77.2.2',
} as const;

/** The address of the control plane's servers. */
export const CONTROL_ADDRESS = ADDRESSES.control;

export function certificatesIn(folder: string): string {
  return join(folder, 'tls');
}

/** Returns the address of each name of the control plane. */
export function hostsOf(address: string): Record<string, string> {
  return { [CONTROL_HOST]: address, [NATS_HOST]: address };
}
