import { eventSchemaOf } from './event-schema.js';

describe('the schema of events', () => {
  it('contains the named messages, what they contain at any depth, and the enums of these', () => {
    const { messages, enums } = eventSchemaOf(['SyncJobModelTrained', 'RestoreTargetAnswer']);
    expect(messages.map(({ name }) => name)).toEqual([
      'SnapshotFailure',
      'RestoreTargetAnswer',
      'SyncJobModelTrained',
      'ModelHash',
    ]);
    expect(enums.map(({ name }) => name)).toEqual(['DatabaseSide', 'ConstraintKind', 'FailureCode']);
  });

  it('has the comment, the kind and the review of each field', () => {
    const [lease] = eventSchemaOf(['Lease']).messages;
    expect(lease?.fields).toEqual([
      {
        name: 'job_id',
        type: 'string',
        kind: 'text',
        repeated: false,
        description: expect.stringMatching(
          /^Issued by the control plane: the id of a sync job, .* restore\.$/,
        ),
        reviewed: 'an id that the control plane issued',
      },
      { name: 'epoch', type: 'uint32', kind: 'number', repeated: false, description: '', reviewed: null },
      expect.objectContaining({ name: 'snapshot_age_seconds', kind: 'number' }),
    ]);
  });

  it('refuses a name that the schema lacks', () => {
    expect(() => eventSchemaOf(['Lease', 'Row'])).toThrow('event.proto has no message Row');
  });
});
