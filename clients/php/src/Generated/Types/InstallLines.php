<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Types;

use Understudy\ResponseObject;

/**
 * Shell commands that install the agent from the files of the release, in their order. Stop at the first
 * that fails. They contain no token.
 */
final class InstallLines implements \JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
        'npm' => ['string'],
        'container' => ['string'],
        'helm' => ['string'],
    ];

    /**
     * For npm and systemd. The folder contains `policy.yaml`. The second command asks for the enrolment
     * token.
     *
     * @var list<string>
     */
    public readonly array $npm;

    /**
     * For Docker, or Podman with the name `docker`. The folder contains `policy.yaml`. The second command
     * reads the enrolment token from standard input.
     *
     * @var list<string>
     */
    public readonly array $container;

    /**
     * For Helm. The folder contains `values.yaml`. The first command reads the enrolment token from standard
     * input.
     *
     * @var list<string>
     */
    public readonly array $helm;
}
