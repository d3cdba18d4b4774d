"""The constructors of both clients."""

from __future__ import annotations

from typing import Any, Callable, Generic, NoReturn, TypeVar

from ._core.config import (
    Attempt,
    Config,
    Secret,
    read_base_url,
    read_max_retries,
    read_seconds,
    read_timeout,
    read_token,
)

H = TypeVar("H")
Self = TypeVar("Self", bound="Construction[Any]")


class Construction(Generic[H]):
    """Creates a client. The type parameter is the type of its HTTP client."""

    def __init__(
        self,
        token: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        generate_timeout: float = 90.0,
        max_retries: int = 2,
        max_wait: float = 60.0,
        retry_base: float = 0.5,
        allow_plaintext: bool = False,
        on_attempt: Callable[[Attempt], None] | None = None,
        http_client: H | None = None,
    ) -> None:
        """Checks the options. Sends nothing.

        Args:
            token: The API token. By default, `UNDERSTUDY_API_TOKEN`.
            base_url: The `https://` URL of the control plane. By default,
                `UNDERSTUDY_API_URL`.
            timeout: The timeout of one attempt in seconds, at most 3,600.
            generate_timeout: For generated records: the longest time until the first byte,
                and between two reads, in seconds, at most 3,600.
            max_retries: The number of attempts after the first one, at most 10.
            max_wait: The longest `Retry-After` in seconds that the client obeys.
            retry_base: The base of the delays between attempts in seconds.
            allow_plaintext: Accepts `http://` for hosts other than this machine.
            on_attempt: Called after each attempt.
            http_client: A client of httpx, for example with your own proxy or certificates.
                You close it yourself.

        Raises:
            ConfigurationError: An option is missing or invalid.
        """
        config = _read_config(
            read_token(token),
            base_url,
            timeout,
            generate_timeout,
            max_retries,
            max_wait,
            retry_base,
            allow_plaintext,
            on_attempt,
        )
        self._open(config, http_client)

    @classmethod
    def without_token(
        cls: type[Self],
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        generate_timeout: float = 90.0,
        max_retries: int = 2,
        max_wait: float = 60.0,
        retry_base: float = 0.5,
        allow_plaintext: bool = False,
        on_attempt: Callable[[Attempt], None] | None = None,
        http_client: H | None = None,
    ) -> Self:
        """Creates a client for operations that need no token.

        An example is `members.accept_invitation`. Other operations raise a
        `ConfigurationError`.
        """
        client = cls.__new__(cls)
        config = _read_config(
            None,
            base_url,
            timeout,
            generate_timeout,
            max_retries,
            max_wait,
            retry_base,
            allow_plaintext,
            on_attempt,
        )
        client._open(config, http_client)
        return client

    _base_url: str

    @property
    def base_url(self) -> str:
        """The URL of the API, which ends in `/v1`."""
        return self._base_url

    def _open(self, config: Config, http_client: H | None) -> None:
        raise NotImplementedError

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client contains a token and cannot be pickled or copied")


def _read_config(
    token: Secret | None,
    base_url: str | None,
    timeout: float,
    generate_timeout: float,
    max_retries: int,
    max_wait: float,
    retry_base: float,
    allow_plaintext: bool,
    on_attempt: Callable[[Attempt], None] | None,
) -> Config:
    url, is_loopback = read_base_url(base_url, allow_plaintext)
    return Config(
        token=token,
        base_url=url,
        is_loopback=is_loopback,
        timeout=read_timeout("timeout", timeout),
        generate_timeout=read_timeout("generate_timeout", generate_timeout),
        max_retries=read_max_retries(max_retries),
        max_wait=read_seconds("max_wait", max_wait),
        retry_base=read_seconds("retry_base", retry_base),
        on_attempt=on_attempt,
    )
