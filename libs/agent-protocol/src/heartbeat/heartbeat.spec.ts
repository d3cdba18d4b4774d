import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { AgentCapability, HeartbeatSchema, type AgentOfferSchema, type SslMode } from '../schema/index.js';

import { decodeHeartbeat } from './heartbeat.js';

/** The largest value of a field of type `uint32`. */
const MOST = 2 ** 32 - 1;
const maskingKey = { word0: 1n, word1: 2n };

const offerOf = (offer: MessageInitShape<typeof AgentOfferSchema>) =>
  decodeHeartbeat(toBinary(HeartbeatSchema, create(HeartbeatSchema, { offer }))).offer;

describe('a heartbeat', () => {
  it('of an older agent has no slots, kind of store or policy', () => {
    expect(Object.keys(offerOf({ maskingKey }) ?? {})).toEqual(['labels', 'maskingKey', 'policies']);
  });

  it('has each known option of its offer once, and no option that only a newer agent knows', () => {
    const { UNLISTED_TABLES } = AgentCapability;
    const capabilities = [UNLISTED_TABLES, 0, 999, UNLISTED_TABLES] as AgentCapability[];
    expect(offerOf({ maskingKey, capabilities })?.capabilities).toEqual(['unlisted_tables']);
  });

  it('reports all limits as 0 or false if the summary of the policy is empty', () => {
    const none = { total: 0, source: 0, target: 0, snapshot: 0, restore: 0, replace: 0 };
    expect(offerOf({ maskingKey, policy: {} })?.policy).toMatchObject({
      databases: none,
      urls: none,
      minSslmode: null,
      allowPlaintext: false,
      keepReplacedHours: 0,
    });
  });

  it('of a hostile agent is reduced to the largest values that a policy can have', () => {
    const counts = { total: 3, source: MOST, target: 2, snapshot: MOST, restore: MOST, replace: MOST };
    const offer = offerOf({
      maskingKey,
      slots: MOST,
      snapshotStoreKind: 77 as never,
      policy: {
        databases: counts,
        urls: { total: MOST },
        minSslmode: 2_000_000_000 as SslMode,
        neverPreserve: MOST,
        mayPreserve: MOST,
        minValuesFloor: MOST,
        snapshotMinAgeHours: MOST,
        keepReplacedHours: MOST,
      },
    });
    expect(offer).toMatchObject({
      slots: 64,
      policy: {
        databases: { total: 3, source: 3, target: 2, snapshot: 3, restore: 3, replace: 3 },
        urls: { total: 1_000_000 },
        minSslmode: null,
        neverPreserve: 1_000_000,
        mayPreserve: 1_000_000,
        minValuesFloor: 1_000_000,
        snapshotMinAgeHours: 8_760,
        keepReplacedHours: 8_760,
      },
    });
    expect(offer).not.toHaveProperty('snapshotStoreKind');
  });
});
