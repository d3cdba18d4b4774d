<?php

declare(strict_types=1);

namespace Understudy\Tests;

use PHPUnit\Framework\TestCase;
use Understudy\Errors\ApiError;
use Understudy\Generated\Types\SyncJob;
use Understudy\Understudy;

final class HostileResponseTest extends TestCase
{
    private function get(mixed $data): SyncJob
    {
        $server = LocalServer::json(['data' => $data]);

        return (new Understudy(token: 'token', baseUrl: $server->url))->jobs->get('job_1');
    }

    /** @return array<string, array{mixed, string}> */
    public function mismatches(): array
    {
        return [
            'a text instead of an object' => ['text', 'data: expected an object, received string'],
            'a list instead of an object' => [[1, 2], 'data: expected an object'],
            'an empty list instead of an object' => [[], 'data: expected an object'],
            'a number instead of a text' => [['id' => 7], 'data.id: expected a string, received int'],
            'a text instead of an integer' => [['rows_processed' => '7'], 'data.rows_processed: expected an integer'],
            'a fraction instead of an integer' => [['seed' => 1.5], 'data.seed: expected an integer, received float'],
            'an integer that PHP cannot express' => [['seed' => 1e30], 'data.seed: expected an integer'],
            'a text instead of a boolean' => [['dry_run' => 'yes'], 'data.dry_run: expected a boolean'],
            'an object instead of a list' => [['tables' => ['a' => 'b']], 'data.tables: expected a list'],
            'a number in a list of texts' => [['tables' => ['a', 1]], 'data.tables[1]: expected a string'],
            'a null in a list of texts' => [['tables' => [null]], 'data.tables[0]: expected a string, received null'],
            'a text in a nested object' => [
                ['phases' => [['phase' => 'copying', 'seconds' => 'many']]],
                'data.phases[0].seconds: expected a number, received string',
            ],
        ];
    }

    /**
     * @dataProvider mismatches
     * @testdox $_dataName is an error that names the field
     */
    public function testMismatch(mixed $data, string $message): void
    {
        try {
            $this->get($data);
            self::fail('expected an error');
        } catch (ApiError $error) {
            self::assertSame(['unexpected_response', 200], [$error->code, $error->status]);
            self::assertStringContainsString($message, $error->getMessage());
        }
    }

    /** @testdox unknown fields and values are kept, and absent fields are not set */
    public function testUnknown(): void
    {
        $job = $this->get(['id' => 'job_1', 'status' => 'paused', 'colour' => ['x' => new \stdClass()], 'seed' => 3.0]);
        self::assertSame('paused', $job->status);
        self::assertSame(3, $job->seed);
        self::assertNull($job->started_at);
        self::assertFalse(isset($job->name));
        self::assertSame('{"id":"job_1","status":"paused","colour":{"x":{}},"seed":3}', json_encode($job));
    }

    /** @testdox a response with more than 128 KiB of headers is refused */
    public function testHeaders(): void
    {
        $headers = str_repeat('X-Filler: ' . str_repeat('x', 1000) . "\r\n", 200);
        $server = new LocalServer(['response' => "HTTP/1.1 200 OK\r\n{$headers}Content-Length: 2\r\n\r\n{}"]);
        $client = new Understudy(token: 'token', baseUrl: $server->url, maxRetries: 0);
        $this->expectExceptionMessageMatches('/headers?/i');
        $client->jobs->get('job_1');
    }

    /** @testdox a response after informational responses is read */
    public function testInformational(): void
    {
        $server = new LocalServer(['response' => "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n"
            . "Content-Length: 23\r\n\r\n{\"data\":{\"id\":\"job_1\"}}"]);
        self::assertSame('job_1', (new Understudy(token: 'token', baseUrl: $server->url))->jobs->get('job_1')->id);
    }
}
