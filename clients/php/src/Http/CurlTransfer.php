<?php

declare(strict_types=1);

namespace Understudy\Http;

use Understudy\Internal\Settings;

/**
 * One request and its response on a curl handle. It receives bytes only while somebody waits for them, so the memory
 * does not grow with the body.
 *
 * @internal
 */
final class CurlTransfer
{
    /** curl reads up to 100 times this size at once. Larger buffers need more memory, and are slower. */
    private const BUFFER_BYTES = 16_384;

    private readonly \CurlMultiHandle $multi;
    private readonly \CurlHandle $easy;
    private readonly CurlReceiver $receiver;
    private readonly float $timeout;
    private readonly bool $streams;
    private float $deadline;
    private bool $isDone = false;
    private ?TransportFailure $failure = null;

    /** @param \SplStack<\CurlMultiHandle> $idle gets the handle back after the transfer */
    public function __construct(private readonly \SplStack $idle, #[\SensitiveParameter] Request $request)
    {
        $this->multi = $idle->isEmpty() ? curl_multi_init() : $idle->pop();
        $this->easy = curl_init();
        $this->receiver = new CurlReceiver();
        $this->timeout = $request->timeout;
        $this->streams = $request->streams;
        $this->deadline = self::now() + $request->timeout;
        curl_setopt_array($this->easy, self::options($request) + $this->receiver->options());
        curl_multi_add_handle($this->multi, $this->easy);
    }

    /** @return array<int, mixed> */
    private static function options(#[\SensitiveParameter] Request $request): array
    {
        $headers = [];
        foreach ($request->headers as $name => $value) {
            $headers[] = "{$name}: {$value}";
        }
        $host = parse_url($request->url, PHP_URL_HOST) ?: '';

        return [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            // An empty Expect prevents that curl waits for "100 Continue" before it sends a large body.
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            // The client asks for no compression. With this option, curl decodes a response that is compressed anyway.
            CURLOPT_ENCODING => 'identity',
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_SSLVERSION => CURL_SSLVERSION_TLSv1_2,
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_BUFFERSIZE => self::BUFFER_BYTES,
            // curl sends a request again, without a trace, if a kept connection turns out to be closed.
            CURLOPT_FRESH_CONNECT => !$request->repeatable,
        ]
            // A request to this machine carries the token in plain text, so no proxy may see it.
            + (Settings::isLoopback($host) ? [CURLOPT_NOPROXY => '*'] : [])
            + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]);
    }

    /** @throws TransportFailure */
    public function awaitHeaders(): void
    {
        while (!$this->receiver->hasHeaders && !$this->isDone) {
            $this->step();
        }
        if (!$this->receiver->hasHeaders) {
            throw $this->failure ?? new TransportFailure('the server closed the connection without a response');
        }
    }

    public function status(): int
    {
        return $this->receiver->status;
    }

    /** @return array<string, string> by lower-case name, without an encoding that curl decodes */
    public function headers(): array
    {
        $headers = $this->receiver->headers;
        $encodings = preg_split('/\s*,\s*/', strtolower($headers['content-encoding'] ?? ''));

        return array_diff($encodings, self::decoded()) === []
            ? array_diff_key($headers, ['content-encoding' => '']) : $headers;
    }

    /** @return list<string> the content encodings that the installed curl decodes */
    private static function decoded(): array
    {
        $features = curl_version()['features'];

        return [
            'identity',
            ...($features & CURL_VERSION_LIBZ ? ['gzip', 'x-gzip', 'deflate'] : []),
            ...($features & CURL_VERSION_BROTLI ? ['br'] : []),
        ];
    }

    /**
     * Returns the next bytes of the body, or an empty text at its end.
     *
     * @throws TransportFailure
     */
    public function read(): string
    {
        if ($this->streams && $this->receiver->hasBody) {
            $this->deadline = self::now() + $this->timeout;
        }
        while ($this->receiver->buffer === '' && !$this->isDone) {
            $this->step();
        }
        $bytes = $this->receiver->buffer;
        $this->receiver->buffer = '';
        if ($bytes === '' && $this->failure !== null) {
            throw $this->failure;
        }

        return $bytes;
    }

    /**
     * Sends and receives what is possible, or waits until it is. A broken connection ends the transfer; the bytes that
     * arrived before can still be read.
     */
    private function step(): void
    {
        curl_multi_exec($this->multi, $running);
        if ($result = curl_multi_info_read($this->multi)) {
            $this->isDone = true;
            if ($result['result'] !== CURLE_OK) {
                $text = curl_error($this->easy) ?: curl_strerror($result['result']) ?? 'unknown error';
                $this->failure = new TransportFailure(
                    $this->receiver->failure ?? $text,
                    $result['result'] === CURLE_OPERATION_TIMEDOUT,
                );
            }
        }
        if ($this->isDone || $this->receiver->buffer !== '') {
            return;
        }
        $rest = $this->deadline - self::now();
        if ($rest <= 0) {
            throw new TransportFailure("no response within {$this->timeout} s", isTimeout: true);
        }
        // Without a socket to wait for, for example while curl resolves a name, the call can return immediately.
        if (curl_multi_select($this->multi, min($rest, 1.0)) < 1) {
            usleep(500);
        }
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Closes the connection if the response is not complete. */
    public function __destruct()
    {
        curl_multi_remove_handle($this->multi, $this->easy);
        $this->idle->push($this->multi);
    }
}
