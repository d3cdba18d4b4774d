const WORK_TABLES = ['sync_jobs', 'snapshots', 'snapshot_restores'];

/** Who may do which work. Waiting work of earlier versions asks for what it asked for then. */
export const ADD_AGENT_OFFERS = [
  'ALTER TABLE agents ADD COLUMN offer jsonb',
  ...WORK_TABLES.map(
    (table) => `ALTER TABLE ${table}
      ADD COLUMN requires jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN sealed_to text[],
      ADD COLUMN unmatched_since timestamptz`,
  ),
  `ALTER TABLE target_clearances ADD COLUMN requires jsonb NOT NULL DEFAULT '{}'`,
  `UPDATE sync_jobs SET sealed_to = ARRAY(SELECT jsonb_object_keys(
      CASE WHEN source ->> 'kind' = 'sealed' THEN source ELSE target END -> 'by_agent'))
    WHERE 'sealed' IN (source ->> 'kind', target ->> 'kind') AND status IN ('pending', 'running')`,
  `UPDATE snapshots SET requires = '{"opens": ["snapshots"]}',
      sealed_to = CASE WHEN database ->> 'kind' = 'sealed' THEN ARRAY(SELECT jsonb_object_keys(database -> 'by_agent')) END
    WHERE status IN ('pending', 'running')`,
  `UPDATE snapshot_restores AS restore SET requires = jsonb_build_object('snapshotStore', snapshot.made -> 'store'),
      sealed_to = CASE WHEN target ->> 'kind' = 'sealed' THEN ARRAY(SELECT jsonb_object_keys(target -> 'by_agent')) END
    FROM snapshots AS snapshot
    WHERE snapshot.id = restore.snapshot_id AND restore.status IN ('pending', 'running')`,
];

export const DROP_AGENT_OFFERS = [
  'ALTER TABLE target_clearances DROP COLUMN requires',
  ...WORK_TABLES.map(
    (table) =>
      `ALTER TABLE ${table} DROP COLUMN requires, DROP COLUMN sealed_to, DROP COLUMN unmatched_since`,
  ),
  'ALTER TABLE agents DROP COLUMN offer',
];
