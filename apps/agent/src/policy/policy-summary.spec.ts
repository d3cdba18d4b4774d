import { parsePolicy } from './policy-document.js';
import { policySummary } from './policy-summary.js';

const BUILD_URL = 'postgres://secret_builder:secret_word@secret-host/secret_db2?sslmode=verify-full';
const summary = (text: string) => policySummary(parsePolicy(text, () => BUILD_URL));

describe('the summary of a policy', () => {
  it('has the defaults of an empty policy', () => {
    const none = { total: 0, source: 0, target: 0, snapshot: 0, restore: 0, replace: 0 };
    expect(summary('')).toEqual({
      databases: none,
      urls: none,
      minSslmode: 'require',
      allowPlaintext: false,
      neverPreserve: 0,
      protectText: false,
      mayPreserve: 0,
      rejectUnlisted: false,
      allowWhere: false,
      allowTraining: true,
      minValuesFloor: 5,
      snapshotMinAgeHours: 0,
      keepReplacedHours: 24,
      reportNames: true,
      allowSharedSchemas: false,
      allowSourceCode: false,
      allowSuperuserTarget: false,
      allowSecurityDefiner: false,
      allowLargeObjects: false,
      allowForeignServers: false,
      allowEndSessions: false,
      maxDatabaseBytes: null,
    });
  });

  it('counts entries and patterns and contains no text of the policy but the encryption mode', () => {
    const text = `
      databases:
        secret_shop: {url: "postgres://secret_user:secret_word@secret-host/secret_db?sslmode=verify-full", roles: [source, snapshot]}
        secret_review: {url: "postgres://secret_user@secret-host/secret_db2?sslmode=verify-full", roles: [target, replace], build_url_env: SECRET, template: secret_template}
      urls: [{host: secret-host, databases: ["secret_*"], roles: [source, target, restore]}]
      min_sslmode: verify-full
      never_preserve: ["secret_a.b.c", "secret_d.e.f"]
      protect: all_text_unless_listed
      may_preserve: ["secret_g.h.i"]
      unlisted: reject
      allow_where: true
      allow_source_code: true
      allow_superuser_target: true
      allow_training: false
      min_values_floor: 1000000
      snapshots: {min_age_hours: 8760}
      snapshots_hold_originals: true
      keep_replaced_hours: 0
      report_names: false
      allow_shared_schemas: true
      allow_security_definer: true
      allow_large_objects: true
      allow_foreign_servers: true
      allow_end_sessions: true
      max_database_bytes: 500000000000`;
    const found = summary(text);
    expect(found).toEqual({
      databases: { total: 2, source: 1, target: 1, snapshot: 1, restore: 0, replace: 1 },
      urls: { total: 1, source: 1, target: 1, snapshot: 0, restore: 1, replace: 0 },
      minSslmode: 'verify_full',
      allowPlaintext: false,
      neverPreserve: 2,
      protectText: true,
      mayPreserve: 1,
      rejectUnlisted: true,
      allowWhere: true,
      allowTraining: false,
      minValuesFloor: 1_000_000,
      snapshotMinAgeHours: 8_760,
      keepReplacedHours: 0,
      reportNames: false,
      allowSharedSchemas: true,
      allowSourceCode: true,
      allowSuperuserTarget: true,
      allowSecurityDefiner: true,
      allowLargeObjects: true,
      allowForeignServers: true,
      allowEndSessions: true,
      maxDatabaseBytes: 500_000_000_000,
    });
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});
