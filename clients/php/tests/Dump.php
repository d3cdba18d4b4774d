<?php

declare(strict_types=1);

namespace Understudy\Tests;

/** Everything that printing, dumping and serializing an object shows. */
final class Dump
{
    public static function text(object $object): string
    {
        ob_start();
        var_dump($object);
        print_r($object);
        @var_export($object);
        $texts = [(string) ob_get_clean(), (string) json_encode($object), print_r((array) $object, true)];
        try {
            $texts[] = serialize($object);
        } catch (\Throwable $refused) {
            $texts[] = $refused->getMessage();
        }
        if ($object instanceof \Throwable) {
            $texts[] = (string) $object;
            $texts[] = print_r($object->getTrace(), true);
        }

        return implode("\n", $texts);
    }
}
