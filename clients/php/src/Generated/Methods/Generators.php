<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->generators`. */
final class Generators
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the registered compositions, with one entry for each version.
     *
     * Returns the newest composition first. Each version is a separate item.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `generators:read`.
     *
     * Fields of `$query`:
     * - `name`: Returns only versions of the composition with this name.
     * - `namespace`: Returns only compositions of this namespace. Ignored if `name` is given.
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{name?: string, namespace?: string, page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListGeneratorsResult
    {
        return $this->caller->call('listGenerators', Types\ListGeneratorsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{name?: string, namespace?: string, page?: int, per_page?: int} $query
     * @return \Generator<int, Types\ListedGenerator>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'generators', $query);
    }

    /**
     * Registers a composition, or a new version of a registered one.
     *
     * The server compiles the composition first. It refuses an unknown reference and suggests a similar
     * name. A registered version never changes.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `generators:write`.
     *
     * Fields of `$body`:
     * - `name`: `@<namespace>/<package>:<name>`.
     * - `version`: Semantic version. Default: 0.1.0.
     * - `description`: Description of the generated values.
     * - `params`: Parameters by name, each `{type, required?, default?, description?}`. A required parameter
     *   has no default.
     * - `let`: Named steps in any order. Each step is a generator or an expression over other steps.
     * - `body`: Template of the generated text. Use it instead of `variants` and `output`.
     * - `variants`: Weighted templates. Each value uses one of them at random.
     * - `output`: Object whose leaves are templates. Use it instead of `body` and `variants`.
     *
     * @param array{
     *     name: string,
     *     version?: string,
     *     description?: string,
     *     params?: array<string, mixed>,
     *     let?: array<string, mixed>,
     *     body?: string,
     *     variants?: list<mixed>,
     *     output?: mixed,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function register(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\Generator
    {
        return $this->caller->call('registerGenerator', Types\Generator::class, body: $body, options: $options);
    }

    /**
     * Shows a registered composition; `name@version` selects a version, and a name its highest version.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `generators:read`.
     *
     * @param string $id Name of a registered composition, with or without a version: `name@version` or `name`.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Generator
    {
        return $this->caller->call('getGenerator', Types\Generator::class, [$id], options: $options);
    }

    /**
     * Deletes a registered composition; `name@version` selects one version, and a name all versions.
     *
     * Jobs that were accepted before keep their copy of the composition.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `generators:write`.
     *
     * @param string $id Name of a registered composition, with or without a version: `name@version` or `name`.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('deleteGenerator', Types\Deleted::class, [$id], options: $options);
    }
}
