<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/** The type RevokedAgent of a response. */
final class RevokedAgent implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'id' => 'string',
        'name' => 'string',
        'status' => 'string',
        'last_seen_at?' => 'string',
        'version?' => 'string',
        'labels' => ['string'],
        'databases' => ['string'],
        'masking_key_fingerprint?' => 'string',
        'slots?' => 'int',
        'free_slots' => 'int',
        'running' => [RunningWork::class],
        'snapshot_store?' => 'string',
        'policy?' => AgentPolicy::class,
        'enrolled_at' => 'string',
        'last_started_at?' => 'string',
        'last_conflict_at?' => 'string',
        'deleted' => 'bool',
    ];

    /** Id of the agent. */
    public readonly string $id;

    public readonly string $name;

    /**
     * `live`: the agent sent a heartbeat within the last 15 seconds.
     *
     * @var 'live'|'away'|'revoked'|string
     */
    public readonly string $status;

    /** Time of the last heartbeat; null if there was none. */
    public readonly ?string $last_seen_at;

    /** Version of the program; null before the first heartbeat. */
    public readonly ?string $version;

    /**
     * Labels by which jobs can select the agent, in addition to id and name.
     *
     * @var list<string>
     */
    public readonly array $labels;

    /**
     * Databases in the agent's policy. Jobs refer to them as `agent:<name>`.
     *
     * @var list<string>
     */
    public readonly array $databases;

    /**
     * Keyed hash of the masking key, which does not reveal the key. Agents with the same fingerprint mask
     * the same way. Null before the first heartbeat.
     */
    public readonly ?string $masking_key_fingerprint;

    /**
     * Number of jobs, snapshots and restores that the agent runs concurrently. Null for agents that do not
     * report it.
     */
    public readonly ?int $slots;

    /** Number of slots that were free at the last heartbeat. 0 if the disk of the agent is almost full. */
    public readonly int $free_slots;

    /**
     * Work that the agent holds, the oldest first. At most 64 entries.
     *
     * @var list<RunningWork>
     */
    public readonly array $running;

    /**
     * Kind of storage for snapshots. Null before the first heartbeat, and for agents that do not report it.
     *
     * @var 'none'|'folder'|'bucket'|string|null
     */
    public readonly ?string $snapshot_store;

    /**
     * Summary of the agent's policy file. It contains no pattern, URL or name. Null for agents that do not
     * report it.
     */
    public readonly ?AgentPolicy $policy;

    /** Time of the enrolment. */
    public readonly string $enrolled_at;

    /** Time at which the current process of the agent started; null before the first start. */
    public readonly ?string $last_started_at;

    /**
     * Time at which the control plane last refused a process of this agent because a newer process uses its
     * identity; null if that never happened. It means that the state folder was used twice, for example on a
     * copied machine.
     */
    public readonly ?string $last_conflict_at;

    public readonly bool $deleted;
}
