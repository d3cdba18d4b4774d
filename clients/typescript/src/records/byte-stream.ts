import { connectionFailure } from '../transport/connection-failure.js';
import type { ParseJson } from '../transport/json.js';
import type { BodyReader } from '../transport/transport.js';
import { errorOf, mediaType, type ServerText } from '../transport/response.js';

/** The body of a response, whose first bytes have been received. */
export interface ByteStream {
  readonly headers: Headers;
  /** Makes texts of the server safe to show. */
  readonly shown: ServerText;
  readonly parse: ParseJson;
  /**
   * Returns the next bytes, or `undefined` after the last ones.
   * @throws ConnectionError if the connection breaks, or the reason of the caller's signal
   */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Opens a stream of bytes with the given media type, and reads its first bytes. */
export function openStream(type: string): BodyReader<ByteStream> {
  return async (response, deadline, call) => {
    const reader = response.body?.getReader();
    if (reader === undefined || mediaType(response.headers) !== type) {
      // The error is the same whether or not the connection can be closed.
      await reader?.cancel().catch(() => undefined);
      const { status, headers } = response;
      throw errorOf(
        call.operation,
        { status, headers, json: undefined, isTooLarge: false },
        undefined,
        call.shown,
        type,
      );
    }
    let next: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read();
    deadline.pause();
    return {
      headers: response.headers,
      shown: call.shown,
      parse: call.parse,
      async read() {
        try {
          deadline.start();
          const { done, value } = next ?? (await reader.read());
          next = undefined;
          if (!done) return value;
        } catch (error) {
          deadline.stop();
          throw connectionFailure(call, deadline, error);
        } finally {
          deadline.pause();
        }
        deadline.stop();
        return undefined;
      },
      async close() {
        deadline.stop();
        // The caller does not want further bytes. A connection that has broken is closed, too.
        await reader.cancel().catch(() => undefined);
      },
    };
  };
}
