import { LINK, type TwoNetworks } from '@understudy/testing';

/** The ways in which a link is interrupted. */
export type CutKind = 'drop' | 'reset' | 'down' | 'nats' | 'first agent';

/** The group of the first agent's process, by which a firewall rule selects its packets. */
export const FIRST_AGENT_GROUP = '4201';

const DROP = ['-j', 'DROP'];
const RESET = ['-p', 'tcp', '-j', 'REJECT', '--reject-with', 'tcp-reset'];

/** The rules of iptables for each way. A link that is down needs none. */
const RULES: Record<Exclude<CutKind, 'down'>, readonly (readonly string[])[]> = {
  drop: [
    ['OUTPUT', '-o', LINK, ...DROP],
    ['INPUT', '-i', LINK, ...DROP],
  ],
  reset: [['OUTPUT', '-o', LINK, ...RESET]],
  nats: [['OUTPUT', '-o', LINK, '-p', 'tcp', '--dport', '4222', ...DROP]],
  'first agent': [['OUTPUT', '-o', LINK, '-m', 'owner', '--gid-owner', FIRST_AGENT_GROUP, ...DROP]],
};

/**
 * Interrupts the link on the agent's side: packets are dropped without a response, connections are reset, or
 * the interface goes down.
 * @returns a function that restores the link
 */
export function cutLink({ customer }: TwoNetworks, kind: CutKind): () => void {
  const { namespace } = customer.site;
  if (kind === 'down') {
    namespace.run('ip', 'link', 'set', LINK, 'down');
    return () => namespace.run('ip', 'link', 'set', LINK, 'up');
  }
  for (const rule of RULES[kind]) namespace.run('iptables', '-I', ...rule);
  return () => {
    for (const rule of RULES[kind]) namespace.run('iptables', '-D', ...rule);
  };
}

/**
 * Delays every byte of the link by a relay, and drops a share of all packets by the firewall.
 * @param delayMs time for each direction
 * @returns a function that removes the loss; the relay remains until the networks are removed
 */
export async function degradeLink(
  { customer }: TwoNetworks,
  delayMs: number,
  lostShare: number,
): Promise<() => void> {
  await customer.delayLink(delayMs);
  const { namespace } = customer.site;
  const lose = ['-m', 'statistic', '--mode', 'random', '--probability', String(lostShare), ...DROP];
  const rules = [
    ['OUTPUT', '-o', LINK, ...lose],
    ['INPUT', '-i', LINK, ...lose],
  ];
  for (const rule of rules) namespace.run('iptables', '-I', ...rule);
  return () => {
    for (const rule of rules) namespace.run('iptables', '-D', ...rule);
    customer.removeDelay();
  };
}

const NEW_ADDRESS = '10.77.1.9';
const OLD_ADDRESS = '10.77.1.1';

/**
 * Moves the servers of the control plane to a new address, as a change in DNS does. The names lead to the new
 * address, and nothing answers at the old one. A second call moves them back.
 */
export function changeAddresses({ control, customer }: TwoNetworks): void {
  const { namespace } = control.site;
  const current = namespace.run('ip', '-4', '-o', 'address', 'show', LINK);
  const [from, to] = current.includes(NEW_ADDRESS) ? [NEW_ADDRESS, OLD_ADDRESS] : [OLD_ADDRESS, NEW_ADDRESS];
  // A second address of a network would be deleted together with the first.
  namespace.run('ip', 'address', 'delete', `${from}/24`, 'dev', LINK);
  namespace.run('ip', 'address', 'add', `${to}/24`, 'dev', LINK);
  control.useAddress(to);
  customer.useAddress(to);
}
