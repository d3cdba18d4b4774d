import type { Export, Import } from '@nats-io/jwt';

/**
 * The subjects whose messages pass between the account of the agents and that of the control plane. Messages
 * on all other subjects stay inside their account.
 */
const CROSSING: readonly Omit<Export, 'token_req'>[] = [
  { name: 'events', subject: 'us.evt.*', type: 'service' },
  { name: 'heartbeats', subject: 'us.beat.*', type: 'service' },
  {
    name: 'pull requests',
    subject: '$JS.API.CONSUMER.MSG.NEXT.COMMANDS.*',
    type: 'service',
    // The response to one pull request can be many messages.
    response_type: 'Stream',
  },
  { name: 'acknowledgements of commands', subject: '$JS.ACK.COMMANDS.>', type: 'service' },
  { name: 'acknowledgements of events', subject: 'us.ack.*', type: 'stream' },
  { name: 'questions', subject: 'us.ask.*', type: 'stream' },
  { name: 'answers', subject: 'us.tell.*', type: 'service' },
];

export function exportedSubjects(): Export[] {
  return CROSSING.map((crossing) => ({ ...crossing }));
}

export function importedSubjects(account: string): Import[] {
  return CROSSING.map(({ name, subject, type }) => ({ name, subject, type, account }));
}
