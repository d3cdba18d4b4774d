<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type AgentPolicy of a response. */
final class AgentPolicy implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'databases' => AgentPolicyEntries::class,
        'urls' => AgentPolicyEntries::class,
        'min_sslmode?' => 'string',
        'allow_plaintext' => 'bool',
        'never_preserve_count' => 'int',
        'protect_text' => 'bool',
        'may_preserve_count' => 'int',
        'reject_unlisted' => 'bool',
        'allow_where' => 'bool',
        'allow_training' => 'bool',
        'min_values_floor' => 'int',
        'snapshot_min_age_hours' => 'int',
        'keep_replaced_hours' => 'int',
        'report_names' => 'bool',
        'allow_shared_schemas' => 'bool',
        'allow_source_code?' => 'bool',
        'allow_superuser_target?' => 'bool',
        'allow_security_definer' => 'bool',
        'allow_large_objects' => 'bool',
        'allow_foreign_servers' => 'bool',
        'allow_end_sessions' => 'bool',
        'max_database_bytes?' => 'int',
    ];

    public readonly AgentPolicyEntries $databases;

    public readonly AgentPolicyEntries $urls;

    /**
     * Minimum encryption of connections to other machines. Null if this version of the control plane does
     * not know the value.
     *
     * @var 'require'|'verify_ca'|'verify_full'|string|null
     */
    public readonly ?string $min_sslmode;

    /** Whether a connection string may turn encryption off. */
    public readonly bool $allow_plaintext;

    /** Number of patterns for columns that no job may preserve. */
    public readonly int $never_preserve_count;

    /** Whether no job may preserve a column that can hold text, except columns of `may_preserve`. */
    public readonly bool $protect_text;

    /** Number of patterns for text columns that jobs may preserve. */
    public readonly int $may_preserve_count;

    /** Whether each table of a job must have `unlisted_columns: "reject"`. */
    public readonly bool $reject_unlisted;

    /** Whether a job may select rows with `where`. */
    public readonly bool $allow_where;

    /** Whether a job may train private models. */
    public readonly bool $allow_training;

    /** Smallest `min_values` of a rule that trains a model. */
    public readonly int $min_values_floor;

    /** Age in hours below which the agent does not delete a snapshot. */
    public readonly int $snapshot_min_age_hours;

    /** Time in hours for which a restore with `overwrite` keeps the replaced database. */
    public readonly int $keep_replaced_hours;

    /** Whether reports of the agent may contain names from the catalogs of databases. */
    public readonly bool $report_names;

    /** Whether a target may evaluate rows with functions of schemas in which other roles may create objects. */
    public readonly bool $allow_shared_schemas;

    /** Null for an agent of an earlier version, which always creates them. */
    public readonly ?bool $allow_source_code;

    /** Null for an agent of an earlier version, which does not check the role. */
    public readonly ?bool $allow_superuser_target;

    /** Whether functions may stay SECURITY DEFINER if a job replaces a database. */
    public readonly bool $allow_security_definer;

    /** Whether a job that replaces a database may copy large objects. */
    public readonly bool $allow_large_objects;

    /** Whether a job that replaces a database may create foreign servers and tables. */
    public readonly bool $allow_foreign_servers;

    /** Whether a job may end the sessions in a database that it replaces. */
    public readonly bool $allow_end_sessions;

    /** Null without a limit. */
    public readonly ?int $max_database_bytes;
}
