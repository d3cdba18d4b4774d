<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->models`. */
final class Models
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the models.
     *
     * Uploaded models come first, the newest at the top. Built-in models follow, ordered by id.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `models:read`.
     *
     * Fields of `$query`:
     * - `locale`: Lists only models of this locale (`<lang>_<REGION>`).
     * - `type`: Origin of the models. Models that agents trained are listed only with `private`.
     * - `kind`: Lists only n-gram models, lists of values, or compositions.
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{
     *     locale?: string,
     *     type?: 'builtin'|'custom'|'private'|'all'|string,
     *     kind?: 'ngram'|'list'|'composition'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListModelsResult
    {
        return $this->caller->call('listModels', Types\ListModelsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{
     *     locale?: string,
     *     type?: 'builtin'|'custom'|'private'|'all'|string,
     *     kind?: 'ngram'|'list'|'composition'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @return \Generator<int, Types\ListModelsResultModel>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'models', $query);
    }

    /**
     * Uploads a custom model.
     *
     * The locale is read from the file. The id is the given `id`, or `custom/` and a slug of the name. Files
     * that agents trained or that contain original values are refused. An uploaded model therefore supports
     * neither the mode `real_word` nor the constraint `exclude_originals`.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `models:write`.
     *
     * Fields of `$body`:
     * - `file`: Model file in the `.ngram` format, at most 32 MiB. It must not contain original values.
     * - `name`: Display name of the model. Without an `id`, the id of the model is `custom/<slug of the
     *   name>`.
     * - `id`: The id of the model, with or without the prefix `custom/`. It is required if the name contains
     *   no letter or digit.
     * - `description`: Purpose of the model.
     *
     * @param array{
     *     file: string|resource|\SplFileInfo,
     *     name: string,
     *     id?: string,
     *     description?: string,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function upload(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\UploadedModel
    {
        return $this->caller->call('uploadModel', Types\UploadedModel::class, body: $body, options: $options);
    }

    /**
     * Shows a model.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `models:read`.
     *
     * @param string $id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\GetModelResult
    {
        return $this->caller->call('getModel', Types\GetModelResult::class, [$id], options: $options);
    }

    /**
     * Deletes a custom model, or a model that an agent trained.
     *
     * You cannot delete a built-in model or a model that a mock endpoint uses.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `models:write`.
     *
     * @param string $id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('deleteModel', Types\Deleted::class, [$id], options: $options);
    }

    /**
     * Downloads the file of a custom model.
     *
     * The file has exactly the bytes that were uploaded, and the `ETag` is their SHA-256 in hex. Built-in
     * models and models that agents trained have no file here.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `models:read`.
     *
     * @param string $id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
     * @return string the bytes of the file
     * @throws \Understudy\UnderstudyError
     */
    public function download(string $id, ?CallOptions $options = null): string
    {
        return $this->caller->file('downloadModel', [$id], options: $options);
    }
}
