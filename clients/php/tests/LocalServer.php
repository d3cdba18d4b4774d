<?php

declare(strict_types=1);

namespace Understudy\Tests;

/** A server on this machine that runs in a process of its own. It answers every request with the same bytes. */
final class LocalServer
{
    public readonly string $url;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    /** @param array<string, mixed> $settings see server.php */
    public function __construct(array $settings)
    {
        $pipes = [['pipe', 'r'], ['pipe', 'w'], STDERR];
        $this->process = proc_open([PHP_BINARY, __DIR__ . '/server.php'], $pipes, $this->pipes);
        fwrite($this->pipes[0], serialize($settings));
        fclose($this->pipes[0]);
        $this->url = 'http://' . trim((string) fgets($this->pipes[1]));
    }

    /** @param array<string, mixed>|list<mixed> $body */
    public static function json(array $body, int $status = 200): self
    {
        $json = json_encode($body, JSON_THROW_ON_ERROR);
        $length = \strlen($json);

        return new self([
            'response' => "HTTP/1.1 {$status} Status\r\nContent-Type: application/json\r\n"
                . "Content-Length: {$length}\r\n\r\n{$json}",
        ]);
    }

    /** Waits for the next line that the server prints: a request in JSON, or `closed`. */
    public function line(): string
    {
        return trim((string) fgets($this->pipes[1]));
    }

    /** @return array{head: string, body: string, length: int} the first 30,000 bytes of the body in base64 */
    public function request(): array
    {
        return json_decode($this->line(), true, 8, JSON_THROW_ON_ERROR);
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        fclose($this->pipes[1]);
        proc_close($this->process);
    }
}
