import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '@understudy/local-system';

import { ControlSide } from './control-side.js';
import { CustomerSide } from './customer-side.js';
import { makeGuideCertificates } from './guide-files.js';
import { connectNamespaces } from './network-namespace.js';
import {
  ADDRESSES,
  certificatesIn,
  hostsOf,
  LINK,
  PROXY_HOST,
  PROXY_PORT,
  UPLINK,
  type TwoNetworksOptions,
} from './network-plan.js';
import { Site } from './site.js';

/**
 * The control plane in one network and a customer in another, over TLS with a private authority. The programs
 * run in network namespaces, so no packet leaves the machine. The test reaches servers of both networks
 * through ports of 127.0.0.1.
 */
export class TwoNetworks {
  private constructor(
    readonly options: TwoNetworksOptions,
    readonly folder: string,
    readonly control: ControlSide,
    readonly customer: CustomerSide,
    readonly proxy: Site | undefined,
    private readonly keepFolder: () => void,
  ) {}

  /**
   * Creates the networks and the services in them. Starts neither the control plane nor an agent, so that a
   * test can record the link from the first packet.
   */
  static async open(options: TwoNetworksOptions): Promise<TwoNetworks> {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-networks-'));
    chmodSync(folder, 0o711); // PostgreSQL and nginx run as other users
    const keepFolder = cleanUpOnExit([], [folder]);
    const sites: Site[] = [];
    const open = async (role: string): Promise<Site> => {
      const site = await Site.open(role, folder);
      sites.push(site);
      return site;
    };
    try {
      const [control, agent] = [await open('control'), await open('agent')];
      const proxy = options.way === 'proxy' ? await open('proxy') : undefined;
      connect(control, agent, proxy);
      makeGuideCertificates(certificatesIn(folder));
      mkdirSync(join(folder, 'logs'));
      const [controlSide, customerSide] = await Promise.all([
        ControlSide.open(control, folder, options),
        CustomerSide.open(agent, folder, options),
        proxy?.proxy(PROXY_PORT, options.proxyIdleMs),
      ]);
      return new TwoNetworks(options, folder, controlSide, customerSide, proxy, keepFolder);
    } catch (error) {
      for (const site of sites) await site.close();
      rmSync(folder, { recursive: true, force: true });
      keepFolder();
      throw error;
    }
  }

  /** Ends all programs and removes the networks. */
  async close(): Promise<void> {
    await this.customer.site.close();
    await this.proxy?.close();
    await this.control.site.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    this.keepFolder();
  }
}

function connect(control: Site, agent: Site, proxy: Site | undefined): void {
  control.namespace.setHosts(hostsOf(ADDRESSES.control));
  const controlEnd = {
    namespace: control.namespace,
    interface: LINK,
    address: `${ADDRESSES.control}/24`,
  };
  if (proxy === undefined) {
    agent.namespace.setHosts(hostsOf(ADDRESSES.control));
    connectNamespaces(controlEnd, {
      namespace: agent.namespace,
      interface: LINK,
      address: `${ADDRESSES.outside}/24`,
    });
  } else {
    proxy.namespace.setHosts(hostsOf(ADDRESSES.control));
    // The agent's network knows no name and no route other than the proxy's.
    agent.namespace.setHosts({ [PROXY_HOST]: ADDRESSES.proxy });
    connectNamespaces(controlEnd, {
      namespace: proxy.namespace,
      interface: UPLINK,
      address: `${ADDRESSES.outside}/24`,
    });
    connectNamespaces(
      { namespace: proxy.namespace, interface: LINK, address: `${ADDRESSES.proxy}/24` },
      { namespace: agent.namespace, interface: LINK, address: `${ADDRESSES.agent}/24` },
    );
  }
  closeAllButTheWayOut(agent, proxy === undefined ? [443, 4222] : [PROXY_PORT]);
}

/** Rejects in the agent's network what a customer's firewall rejects, inward and outward. */
function closeAllButTheWayOut({ namespace }: Site, ports: readonly number[]): void {
  const rules = [
    ['-A', 'OUTPUT', '-o', 'lo', '-j', 'ACCEPT'],
    ['-A', 'OUTPUT', '-p', 'tcp', '-m', 'multiport', '--dports', ports.join(','), '-j', 'ACCEPT'],
    ['-P', 'OUTPUT', 'DROP'],
  ];
  for (const rule of rules) namespace.run('iptables', ...rule);
}
