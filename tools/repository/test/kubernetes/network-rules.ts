import { BlockList, isIP } from 'node:net';

import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import type { Labels } from './rendered-charts.js';

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol?: string; readonly port?: number | string }[];
}

export interface NetworkPolicySpec {
  readonly podSelector: LabelSelector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** One end of a connection: an address outside of the cluster, or a pod. */
export type End = string | { readonly namespace: Labels; readonly pod: Labels };

/** Returns whether a selector matches labels. An empty selector matches everything. */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (!Object.entries(matchLabels).every(([key, value]) => labels[key] === value)) return false;
  return matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator === 'In') return values.includes(labels[key] ?? '');
    throw new Error(`expected the operator In, got ${operator}`);
  });
}

/**
 * Evaluates a network policy as Kubernetes does: a rule without peers allows every end, and a rule without ports
 * allows every port.
 * @param direction `egress` for a connection from the selected pods to the other end
 * @param here the labels of the namespace of the policy
 */
export function allows(
  policy: KubernetesObject,
  direction: 'ingress' | 'egress',
  other: End,
  port: number | string,
  protocol = 'TCP',
  here: Labels = { 'kubernetes.io/metadata.name': 'tools' },
): boolean {
  const spec = policy['spec'] as NetworkPolicySpec;
  const type = direction === 'ingress' ? 'Ingress' : 'Egress';
  if (!spec.policyTypes.includes(type)) return true;
  return (spec[direction] ?? []).some((rule) => {
    const peers = direction === 'ingress' ? rule.from : rule.to;
    const ports = rule.ports ?? [];
    return (
      (ports.length === 0 ||
        ports.some((entry) => entry.port === port && (entry.protocol ?? 'TCP') === protocol)) &&
      (peers === undefined || peers.length === 0 || peers.some((peer) => isPeer(peer, other, here)))
    );
  });
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: Peer, other: End, here: Labels): boolean {
  if (ipBlock !== undefined)
    return (
      typeof other === 'string' &&
      isIn(ipBlock.cidr, other) &&
      !ipBlock.except?.some((cidr) => isIn(cidr, other))
    );
  if (typeof other === 'string') return false;
  const isNamespace =
    namespaceSelector === undefined
      ? JSON.stringify(other.namespace) === JSON.stringify(here)
      : selects(namespaceSelector, other.namespace);
  return isNamespace && (podSelector === undefined || selects(podSelector, other.pod));
}

function isIn(cidr: string, address: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  if (isIP(network) !== isIP(address)) return false;
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(address, family);
}
