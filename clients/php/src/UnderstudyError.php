<?php

declare(strict_types=1);

namespace Understudy;

/**
 * The base class of all errors of this client. No text form of an error contains the token or the arguments of
 * a call.
 */
abstract class UnderstudyError extends \RuntimeException
{
    /** @var string the stable code of the API's error, for example `validation_error`; empty if there is none */
    public $code = '';

    public function __construct(string $message)
    {
        parent::__construct($message);
        // The arguments in a stack trace can contain the token or a connection string. PHP 8.2 hides parameters
        // with the attribute SensitiveParameter, but PHP 8.1 does not.
        $frames = array_map(
            static fn (array $frame): array => array_diff_key($frame, ['args' => true]),
            $this->getTrace(),
        );
        (new \ReflectionProperty(\Exception::class, 'trace'))->setValue($this, $frames);
    }
}
