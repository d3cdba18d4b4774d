<?php

declare(strict_types=1);

namespace Understudy\Internal;

use Understudy\CallOptions;
use Understudy\Errors\ConnectionError;
use Understudy\Errors\JobFailedError;
use Understudy\Errors\RateLimitError;
use Understudy\Errors\ServerError;
use Understudy\Errors\TimeoutError;
use Understudy\Generated\Types\SyncJob;
use Understudy\UnderstudyError;

/**
 * The method `wait` of `$client->jobs`.
 *
 * @internal
 */
trait WaitsForJobs
{
    /**
     * Waits until a job has completed. It requests the job after 1 s, and then at intervals that grow to 5 s.
     * Connection errors, 429 and 5xx do not end the wait until they have lasted for 5 minutes.
     *
     * @param (callable(SyncJob): mixed)|null $onProgress called with the job after each response; only the last
     *     one has the lists of tables
     * @param float|null $timeout seconds; the default is to wait without a limit
     * @throws JobFailedError if the job failed
     * @throws TimeoutError if the job has not ended after `$timeout`; the job continues
     * @throws UnderstudyError
     */
    public function wait(
        string $id,
        ?callable $onProgress = null,
        ?float $timeout = null,
        ?CallOptions $options = null,
    ): SyncJob {
        Settings::checkNumber('timeout', $timeout ?? 0.0, PHP_FLOAT_MAX);
        $clock = $this->caller->clock;
        $deadline = $timeout === null ? INF : $clock->now() + $timeout;
        $failingSince = null;
        for ($delay = 1.0; ; $delay = min(5.0, $delay * 1.5)) {
            $rest = $deadline - $clock->now();
            if ($rest <= 0) {
                throw new TimeoutError("getSyncJob: the job {$id} has not ended within {$timeout} s.");
            }
            $clock->sleep(min($delay, $rest));
            try {
                $job = $this->read($id, $options);
            } catch (ConnectionError | RateLimitError | ServerError $error) {
                $failingSince ??= $clock->now();
                if ($clock->now() - $failingSince >= 300.0) {
                    throw $error;
                }
                continue;
            }
            $failingSince = null;
            if ($onProgress !== null) {
                $onProgress($job);
            }
            $status = $job->status ?? '';
            if ($status === 'completed') {
                return $job;
            }
            if ($status === 'failed') {
                $code = $job->error->code ?? 'unknown';
                $reason = $this->caller->errors->clean($job->error->message ?? 'no message');
                throw new JobFailedError("The job {$id} failed: {$code}: {$reason}", $job, $code);
            }
        }
    }

    /** Requests the job with its tables if it has ended, and without them before. */
    private function read(string $id, ?CallOptions $options): SyncJob
    {
        $job = $this->get($id, ['tables' => 'none'], $options);
        $isOver = in_array($job->status ?? '', ['completed', 'failed'], true);

        return $isOver ? $this->get($id, options: $options) : $job;
    }
}
