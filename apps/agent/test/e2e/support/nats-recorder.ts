import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { trustedUser } from '@understudy/agent-protocol/nats-trust';

/** Records every message between agents and the control plane inside the NATS server, where TLS has ended. */
export class NatsRecorder {
  private readonly messages: Buffer[] = [];

  private constructor(private readonly connection: NatsConnection) {}

  /**
   * @param port port of 127.0.0.1 that leads to the server
   * @param name name in the certificate of the server
   * @param ca certificate of the authority in PEM
   * @param accountSeed seed of the agents' account
   */
  static async start(port: number, name: string, ca: string, accountSeed: string): Promise<NatsRecorder> {
    const tls = { ca, servername: name };
    const connection = await connect({
      servers: `tls://127.0.0.1:${port}`,
      authenticator: await trustedUser('recorder', accountSeed),
      tls,
    });
    const recorder = new NatsRecorder(connection);
    const subscription = connection.subscribe('>');
    void (async () => {
      for await (const { subject, data } of subscription)
        recorder.messages.push(Buffer.from(`\n${subject} `), Buffer.from(data));
    })();
    await connection.flush();
    return recorder;
  }

  /** Returns subjects and contents of all messages up to now. */
  recorded(): Buffer {
    return Buffer.concat(this.messages);
  }

  async stop(): Promise<void> {
    await this.connection.close();
  }
}
