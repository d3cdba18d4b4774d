"""Prints the API tokens that expire within 30 days, with concurrent requests.

Set UNDERSTUDY_API_URL and UNDERSTUDY_API_TOKEN. The token needs the role `admin`.
"""

import asyncio
import datetime

from understudy import AsyncUnderstudy
from understudy.types import Token


async def main() -> None:
    limit = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=30)
    async with AsyncUnderstudy() as client:
        tokens = [token async for token in client.tokens.iterate(per_page=100)]
        expiring = [token for token in tokens if expires_at(token) < limit]
        details = await asyncio.gather(
            *(client.tokens.get(token["id"]) for token in expiring[:20])
        )
    print(len(expiring), "tokens expire within 30 days")
    for token in details:
        print(token["name"], token["expires_at"], token["last_used_at"])


def expires_at(token: Token) -> datetime.datetime:
    return datetime.datetime.fromisoformat(token["expires_at"].replace("Z", "+00:00"))


asyncio.run(main())
